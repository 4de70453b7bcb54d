import type { Style, Terminal } from './terminal.ts'

export type Shape = {
  json?: boolean
  jsonl?: boolean
  /** Fields, separated by commas; a dot leads into an object. */
  query?: string
  wide?: boolean
}
type Row = Record<string, unknown>

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldIn = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((from, name) => {
    if (Array.isArray(from)) return from[Number(name)]
    return isRow(from) ? from[name] : undefined
  }, value)

/** The chosen fields of a row, by the names they were chosen by. */
export const pick = (row: unknown, query: string): Row =>
  Object.fromEntries(
    query
      .split(',')
      .map((name) => name.trim())
      .map((name) => [name, fieldIn(row, name) ?? null]),
  )

/** The rows of an answer: those of a page, of a list, or the answer itself. */
export function rowsOf(answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer
  if (isRow(answer) && Array.isArray(answer.data)) return answer.data
  return answer === undefined ? [] : [answer]
}

/** Output for programs. Undefined if it is for people. */
export function machineText(answer: unknown, { json, jsonl, query }: Shape): string | undefined {
  if (jsonl)
    return rowsOf(answer)
      .map((row) => `${JSON.stringify(query ? pick(row, query) : row)}\n`)
      .join('')
  if (!json) return undefined
  if (!query) return `${JSON.stringify(answer ?? null, null, 2)}\n`
  const picked = rowsOf(answer).map((row) => pick(row, query))
  const isList = Array.isArray(answer) || (isRow(answer) && Array.isArray(answer.data))
  return `${JSON.stringify(isList ? picked : picked[0], null, 2)}\n`
}

const UNNAMED = /_sid$/
/** Columns with the name of a row, shown first. */
const FIRST = [
  'name',
  'number',
  'username',
  'attempted_at',
  'time',
  'kind',
  'from',
  'to',
  'answered',
  'sip_status',
  'duration',
]

function columnsOf(rows: Row[], { query, wide }: Shape, names: Map<string, string>): string[] {
  if (query) return query.split(',').map((name) => name.trim())
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const isShort = (name: string) =>
    rows.every((row) => typeof row[name] !== 'object' || row[name] === null)
  const isEmpty = (name: string) => rows.every((row) => (row[name] ?? '') === '')
  const short = all.filter(isShort)
  const ranked = [
    ...FIRST.filter((name) => short.includes(name)),
    ...short.filter((name) => !FIRST.includes(name)),
  ]
  if (wide) return ranked
  return ranked.filter((name) => {
    if (isEmpty(name)) return false
    if (!UNNAMED.test(name)) return true
    return rows.some((row) => names.has(String(row[name])))
  })
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const title = (column: string, isNamed: boolean) =>
  (isNamed ? column.replace(UNNAMED, '') : column).replaceAll('_', ' ').toUpperCase()

const GAP = 2
const NARROW = 8
const LONG = 26

/** Output for people: names for sids, and no more columns than fit, unless `wide` is set. */
export function table(
  rows: Row[],
  shape: Shape,
  names: Map<string, string>,
  { columns: width, isTerminal }: Pick<Terminal, 'columns' | 'isTerminal'>,
  style: Style,
): string {
  const columns = columnsOf(rows, shape, names)
  const isNamed = (column: string) => !shape.wide && UNNAMED.test(column) && names.size > 0
  const cells = rows.map((row) =>
    columns.map((column) => {
      const value = shape.query ? fieldIn(row, column) : row[column]
      return (isNamed(column) && names.get(String(value))) || cellOf(value)
    }),
  )
  const heads = columns.map((column) => title(column, isNamed(column)))
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...cells.map((row) => row[i]!.length)),
  )
  const limit = isTerminal && !shape.wide ? width : Number.POSITIVE_INFINITY
  const shown = fitting(widths, limit)
  const line = (texts: string[]) =>
    shown
      .map((w, i) => (i === shown.length - 1 ? cut(texts[i]!, w) : cut(texts[i]!, w).padEnd(w)))
      .join(' '.repeat(GAP))
      .trimEnd()
  return [style('bold', line(heads)), ...cells.map(line)].map((text) => `${text}\n`).join('')
}

/** Returns the widths of the columns that fit. Long ones are cut before others are left out, and the last may be cut. */
function fitting(widths: number[], limit: number): number[] {
  const isTooWide = widths.reduce((sum, w) => sum + w + GAP, -GAP) > limit
  const shown: number[] = []
  let left = limit
  for (const width of widths) {
    const w = isTooWide ? Math.min(width, LONG) : width
    if (shown.length > 0 && left < Math.min(w, NARROW)) break
    shown.push(Math.min(w, left))
    left -= w + GAP
  }
  return shown
}

const cut = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, Math.max(width - 1, 0))}…` : text

/** Formats one thing, with a line for each member. */
export function facts(
  row: Row,
  { wide, query }: Shape,
  names: Map<string, string>,
  style: Style,
): string {
  const shown = query ? pick(row, query) : row
  const members = Object.entries(shown).filter(
    ([name, value]) => wide || query || (value ?? '') !== '' || name === 'name',
  )
  const nameOf = (value: unknown) => (wide ? undefined : names.get(String(value)))
  const label = (name: string, value: unknown) => (nameOf(value) ? name.replace(UNNAMED, '') : name)
  const width = Math.max(0, ...members.map(([name, value]) => label(name, value).length))
  const text = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? `\n${JSON.stringify(value, null, 2).replace(/^/gm, '  ')}`
      : ` ${nameOf(value) ?? cellOf(value)}`
  return members
    .map(([name, value]) => {
      const head = `${label(name, value)}:`.padEnd(width + 1)
      return `${style('dim', head)}${text(value)}\n`
    })
    .join('')
}
