/**
 * What makes a spreadsheet evaluate a cell as a formula; behind apostrophes as well, so that none is lost. Spreadsheets and
 * people also put an apostrophe before a number, to keep it as text.
 */
const MARKED = /^'*[=+\-@\t\r]|^'+[\d ()/.-]+$/

/** Formats a value as a cell that no spreadsheet evaluates. `fromCell` undoes it. */
const toCell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value)
  return MARKED.test(text) ? `'${text}` : text
}

/** Undoes the escaping of `toCell`, and that of a number. */
export const fromCell = (text: string) =>
  text.startsWith("'") && MARKED.test(text) ? text.slice(1) : text

/** Batches of rows, each row mapped by `show`. */
export async function* mapped<Row, Shown>(
  batches: AsyncIterable<Row[]>,
  show: (row: Row) => Shown,
) {
  for await (const batch of batches) yield batch.map(show)
}

/** Streams rows as CSV (RFC 4180, UTF-8) in batches, after a header line. */
export async function* csv<Row extends object>(
  columns: readonly (keyof Row & string)[],
  batches: AsyncIterable<Row[]>,
): AsyncIterable<string> {
  // with the first export
  const { stringify } = await import('csv-stringify/sync')
  const lines = (rows: unknown[][]) => stringify(rows, { record_delimiter: 'windows' })
  yield lines([[...columns]])
  for await (const rows of batches)
    yield lines(rows.map((row) => columns.map((c) => toCell(row[c]))))
}
