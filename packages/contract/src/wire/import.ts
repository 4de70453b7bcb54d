import { z } from 'zod'
import { FlagIn, Sid } from './common.ts'
import { Integer, StringOrNull } from './fields.ts'
import { Progress } from './selection.ts'

/** An error in a row of a file. */
export const RowProblem = z.object({
  /** Counted as in an editor: the header is line 1. */
  line: Integer,
  /** The invalid column, if it is a single one. */
  column: z.string().optional(),
  message: z.string(),
})
export type RowProblem = z.infer<typeof RowProblem>

/** The result of an import, which adds all rows or none. */
export const ImportVerdict = z.object({
  /** Rows in the file. */
  rows: Integer,
  /** Rows that were added, or with a dry run would be. */
  added: Integer,
  /** One per invalid row, at most 1000. */
  problems: z.array(RowProblem),
  bad_rows: Integer,
})
export type ImportVerdict = z.infer<typeof ImportVerdict>

/** Reading of a file, so that people can check it. */
export const FileRead = z.object({
  /** Encoding, as in `charset` of a content type. */
  encoding: z.string(),
  /** Neither the file nor the request names its encoding, and it is not UTF-8. It is refused until the request names one. */
  guessed: z.boolean(),
  separator: z.string(),
  /** The headings of the file, with the column each stands for; null for none. */
  headings: z.array(z.object({ heading: z.string(), column: StringOrNull })),
  /** The first rows, shortened; for a guessed encoding, the first that are not plain ASCII. */
  rows: z.array(z.array(z.string())),
})
export type FileRead = z.infer<typeof FileRead>

/** A line of the response: how the file was read, with a dry run; progress; or the result. */
export const ImportProgress = z.union([
  z.object({ file: FileRead }),
  Progress,
  z.object({ verdict: ImportVerdict }),
  z.object({ msg: z.string() }),
])
export type ImportProgress = z.infer<typeof ImportProgress>

export const importQuery = z.object({
  /** Check only, add nothing. */
  dry_run: FlagIn.optional(),
  /** The columns that the file has, in its order and separated by commas, whatever its headings; empty for one to leave out. */
  columns: z
    .string()
    .max(8_000)
    .transform((text) => text.split(',').map((name) => name.trim()))
    .optional(),
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

/** A file as it was sent, with the `charset` of its content type. */
export type CsvFile = { bytes: Uint8Array; charset?: string | undefined }
const CsvFile = z.custom<CsvFile>()

/** The options that all import endpoints share. */
export const importEndpoint = {
  method: 'POST',
  own: true,
  takesCsv: IMPORT_MAX_BYTES,
  query: importQuery,
  body: CsvFile,
  response: ImportProgress,
} as const
