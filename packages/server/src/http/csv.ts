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
  const delimiter = separatorIn(options)
  const quoted = (row: string[]) => stringify([row], { record_delimiter: 'windows', delimiter })
  const special = new RegExp(`["\\r\\n${delimiter}]`)
  // the library takes several times as long for rows without anything to quote, which most are
  const line = (row: string[]) =>
    row.length === 1 || row.some((cell) => special.test(cell))
      ? quoted(row)
      : `${row.join(delimiter)}\r\n`
  const zone = columns.some((c) => TIMES.includes(c)) ? time_zone : undefined
  const ofZone = zone === undefined ? [] : [zone]
  const timeOf = zone === undefined ? undefined : timesOf(zone)
  const shown = columns.map((column) => {
    const time = TIMES.includes(column) ? timeOf : undefined
    return (row: Row) => toCell(time ? time(row[column]) : row[column])
  })
  yield line([...columns, ...(zone === undefined ? [] : ['time_zone'])])
  for await (const rows of batches)
    yield rows.map((row) => line([...shown.map((show) => show(row)), ...ofZone])).join('')
}

/** Zones change their clocks at quarters of an hour. */
const QUARTER_MS = 900_000

/** Times by the clock of a zone as spreadsheets read them: `2026-01-31 13:00:00`. */
function timesOf(zone: string) {
  const clock = zoneClock(zone)
  // rows are in order of time, and asking the calendar takes longer than the rest of a row
  let known = { quarter: Number.NaN, offset: 0 }
  return (value: unknown) => {
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
    if (Number.isNaN(ms)) return value
    const quarter = Math.floor(ms / QUARTER_MS)
    if (quarter !== known.quarter) known = { quarter, offset: clock(ms) - ms }
    return new Date(ms + known.offset).toISOString().slice(0, 19).replace('T', ' ')
  }
}
