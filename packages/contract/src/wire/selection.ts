import { z } from 'zod'
import { Sid } from './common.ts'
import { ErrorBody } from './error-body.ts'
import { Integer } from './fields.ts'
import { fileOptions } from './file-columns.ts'
import { UNDO_HEADER } from './headers.ts'
import { t } from './text.ts'

/** The most sids that one request lists. */
const LISTED_MAX = 10_000
/** The most things that are changed at once, by filter. */
export const MATCHING_MAX = 200_000

/**
 * The listed things, or all that match the filters of their list; not both, which might delete more than was meant.
 * `sids`: the member with the listed ones. `none`: the message when there are none.
 */
export const selectionOf = <const K extends string, const F extends z.ZodRawShape>(
  sids: K,
  filters: F,
  none: string,
) => {
  const listed = { [sids]: z.array(Sid).min(1, none).max(LISTED_MAX) } as Record<
    K,
    z.ZodArray<typeof Sid>
  >
  return z.union([z.strictObject(listed), z.strictObject({ matching: z.strictObject(filters) })])
}

/** True if a change of a selection names at least one member to change. */
export const changesSomething = ({ select: _, ...change }: { select: unknown }) =>
  Object.values(change).some((value) => value !== undefined)
export const CHOOSE_A_CHANGE = t('Choose what to change')

/** Properties of endpoints that change or delete a selection, all or none of it. */
const changesMany = { own: true, maxBody: 1_000_000, tellsProgress: true } as const
export const updatesMany = {
  ...changesMany,
  method: 'PUT',
  /** Number of things that were not like this before. */
  response: z.object({ changed: Integer }),
} as const
export const removesMany = {
  ...changesMany,
  method: 'POST',
  response: z.object({ deleted: Integer }),
} as const
/** Properties of endpoints that export a selection, which changes nothing. */
export const exportsMany = {
  method: 'POST',
  own: true,
  allowViewOnly: true,
  maxBody: 1_000_000,
  query: z.object(fileOptions),
  response: z.string(),
} as const

export const Progress = z.object({
  /** Rows written. They count only once the result says so. */
  done: Integer,
  rows: Integer,
})
export type Progress = z.infer<typeof Progress>

/** A line of such an answer. The last is the result, after the commit, with what headers say elsewhere; or the error. */
export const ProgressLine = z.union([
  Progress,
  z.object({ result: z.unknown(), [UNDO_HEADER]: z.string().optional() }),
  z.object({ status: Integer, error: ErrorBody }),
])
export type ProgressLine = z.infer<typeof ProgressLine>
