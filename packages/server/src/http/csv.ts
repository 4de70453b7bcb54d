import { type FileOptions, fileOptions, membersOf, zoneClock } from '@switchroom/contract'

/**
 * Text that a spreadsheet evaluates as a formula; also behind apostrophes, so that none is lost. Spreadsheets and
 * people also put an apostrophe before a number, to keep it as text.
 */
const MARKED = /^'*[=+\-@\t\r]|^'+[\d ()/.-]+$/

/** Formats a value as a cell that no spreadsheet evaluates. `fromCell` undoes it. */
const toCell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value)
  return MARKED.test(text) ? `'${text}` : text
}

/** Undoes the escaping of `toCell`, and the apostrophe before a number. */
export const fromCell = (text: string) =>
  text.startsWith("'") && MARKED.test(text) ? text.slice(1) : text

/** Batches of rows, each row mapped by `show`. */
export async function* mapped<Row, Shown>(
  batches: AsyncIterable<Row[]>,
  show: (row: Row) => Shown,
) {
  for await (const batch of batches) yield batch.map(show)
}

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' }
/** The separator of cells that a query asks for. */
export const separatorIn = (query: unknown) =>
  SEPARATORS[fileOptions.separator.parse(membersOf(query).separator) ?? 'comma']

const TIMES = [
  'answered_at',
  'at',
  'attempted_at',
  'calls_counted_since',
  'created_at',
  'last_call_at',
  'terminated_at',
]

/** Streams rows as CSV (RFC 4180, UTF-8) in batches, after a header line. */
export async function* csv<Row extends object>(
  columns: readonly (keyof Row & string)[],
  batches: AsyncIterable<Row[]>,
  options: FileOptions,
): AsyncIterable<string> {
  const { time_zone } = options
  // with the first export
  const { stringify } = await import('csv-stringify/sync')
  const lines = (rows: string[][]) =>
    stringify(rows, { record_delimiter: 'windows', delimiter: separatorIn(options) })
  const zone = columns.some((c) => TIMES.includes(c)) ? time_zone : undefined
  const ofZone = zone === undefined ? [] : [zone]
  const timeOf = zone === undefined ? undefined : timesOf(zone)
  const shown = columns.map((column) => {
    const time = TIMES.includes(column) ? timeOf : undefined
    return (row: Row) => toCell(time ? time(row[column]) : row[column])
  })
  yield lines([[...columns, ...(zone === undefined ? [] : ['time_zone'])]])
  for await (const rows of batches)
    yield lines(rows.map((row) => [...shown.map((show) => show(row)), ...ofZone]))
}

/** Times by the clock of a zone as spreadsheets read them: `2026-01-31 13:00:00`. */
function timesOf(zone: string) {
  const clock = zoneClock(zone)
  return (value: unknown) => {
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
    if (Number.isNaN(ms)) return value
    return new Date(clock(ms)).toISOString().slice(0, 19).replace('T', ' ')
  }
}
