import { z } from 'zod'
import { FlagIn, Sid } from './common.ts'
import { Progress } from './selection.ts'
import { t } from './text.ts'

/** An error in a row of a file. */
export const RowProblem = z.object({
  /** Counted as in an editor: the header is line 1. */
  line: z.number().int(),
  /** The invalid column, if it is a single one. */
  column: z.string().optional(),
  message: z.string(),
})
export type RowProblem = z.infer<typeof RowProblem>

/** The result of an import, which adds all rows or none. */
export const ImportVerdict = z.object({
  /** Rows in the file. */
  rows: z.number().int(),
  /** Rows that were added, or with a dry run would be. */
  added: z.number().int(),
  /** One per invalid row, at most 1000. */
  problems: z.array(RowProblem),
  bad_rows: z.number().int(),
})
export type ImportVerdict = z.infer<typeof ImportVerdict>

/** A line of the response: progress or the result. */
export const ImportProgress = z.union([
  Progress,
  z.object({ verdict: ImportVerdict }),
  z.object({ msg: z.string() }),
])
export type ImportProgress = z.infer<typeof ImportProgress>

export const importQuery = z.object({
  /** Check only, add nothing. */
  dry_run: FlagIn.optional(),
  /** The provider whose names the file uses, since admins see several. */
  service_provider_sid: Sid.optional(),
})

/** The rows of an export: those of the list with the same filters. */
export const exportFilters = {
  filter: z.string().trim().max(100).optional(),
  service_provider_sid: Sid.optional(),
}

export const IMPORT_MAX_BYTES = 64 * 1024 * 1024
export const IMPORT_MAX_ROWS = 250_000
export const MAX_SHOWN_PROBLEMS = 1_000

/** The options that all import endpoints share. */
export const importEndpoint = {
  method: 'POST',
  own: true,
  takesCsv: IMPORT_MAX_BYTES,
  query: importQuery,
  body: z.string(t('Send text/csv')),
  response: ImportProgress,
} as const
