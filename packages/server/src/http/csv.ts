import { stringify } from 'csv-stringify/sync'
import type { Listing } from '../db/listing.ts'

/** What a spreadsheet would take for a formula, and run. */
const FORMULA = /^[=+\-@\t\r]/

/** A cell that every spreadsheet shows as the text it is. `fromCell` undoes it. */
const toCell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value)
  return FORMULA.test(text) ? `'${text}` : text
}

/** A cell as it was before it was made harmless. */
export const fromCell = (text: string) => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text)

/** All rows of a list, each as its file shows it. */
export async function* mapped<Row, Shown>(list: Listing<Row>, show: (row: Row) => Shown) {
  for await (const batch of list.all()) yield batch.map(show)
}

/** Rows as CSV (RFC 4180, UTF-8), a batch at a time, below a line that names the columns. */
export async function* csv<Row extends object>(
  columns: readonly (keyof Row & string)[],
  batches: AsyncIterable<Row[]>,
): AsyncIterable<string> {
  const lines = (rows: unknown[][]) => stringify(rows, { record_delimiter: 'windows' })
  yield lines([[...columns]])
  for await (const rows of batches)
    yield lines(rows.map((row) => columns.map((c) => toCell(row[c]))))
}
