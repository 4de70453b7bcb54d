import { z } from 'zod'
import { FlagIn, Sid } from './common.ts'

/** What is wrong with one row of a file. */
export const RowProblem = z.object({
  /** As an editor counts them: the line of column names is 1. */
  line: z.number().int(),
  /** The column at fault, where it is one. */
  column: z.string().optional(),
  message: z.string(),
})
export type RowProblem = z.infer<typeof RowProblem>

/** How an import ended: all rows, or none. */
export const ImportVerdict = z.object({
  /** Rows in the file. */
  rows: z.number().int(),
  /** Rows that were added; with a dry run, that would be. */
  added: z.number().int(),
  /** One per bad row, at most 1000 of them. */
  problems: z.array(RowProblem),
  bad_rows: z.number().int(),
})
export type ImportVerdict = z.infer<typeof ImportVerdict>

/** A line of the answer: how far it is, or the end. */
export const ImportProgress = z.union([
  z.object({ done: z.number().int(), rows: z.number().int() }),
  z.object({ verdict: ImportVerdict }),
  z.object({ msg: z.string() }),
])
export type ImportProgress = z.infer<typeof ImportProgress>

export const importQuery = z.object({
  /** Only says what would happen. */
  dry_run: FlagIn.optional(),
  /** Where names are looked up: an admin sees more than one provider. */
  service_provider_sid: Sid.optional(),
})

/** Which rows an export has: those of a list with the same filters. */
export const exportFilters = {
  filter: z.string().trim().max(100).optional(),
  service_provider_sid: Sid.optional(),
}

export const IMPORT_MAX_BYTES = 64 * 1024 * 1024
export const IMPORT_MAX_ROWS = 250_000
export const SHOWN_PROBLEMS = 1_000

/** What the endpoints of an import have in common. */
export const importing = {
  method: 'POST',
  own: true,
  takesCsv: IMPORT_MAX_BYTES,
  query: importQuery,
  body: z.string('Send text/csv'),
  response: ImportProgress,
} as const
