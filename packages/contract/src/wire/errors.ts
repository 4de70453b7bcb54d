import { z } from 'zod'
import { keysOf } from './records.ts'

/** Every error code the API can answer, and the HTTP status it travels with. */
export const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  changed: 409,
  too_large: 413,
  bad_range: 416,
  conflict: 422,
  in_use: 422,
  too_many: 429,
  no_feature_server: 480,
  internal: 500,
  vendor_failed: 502,
  unavailable: 503,
  // a store of calls, traces or SIP hangs: asking again at once would only take as long again
  store_timeout: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export const Issue = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})
export type Issue = z.infer<typeof Issue>

/** What a schema has found, as the API says it: what is parsed comes from JSON, which has no symbols. */
export const issuesFrom = (error: z.ZodError | undefined): Issue[] =>
  (error?.issues ?? []).map(({ path, message }) => ({
    path: path.filter((part) => typeof part !== 'symbol'),
    message,
  }))

/** What still uses a thing that was to be deleted: at most 20 of a kind, and how many there are in all. */
export const Usage = z.object({
  kind: z.string(),
  total: z.number().int(),
  items: z.array(z.object({ sid: z.string(), name: z.string() })),
})
export type Usage = z.infer<typeof Usage>

export const ErrorBody = z.object({
  code: z.enum(keysOf(ERROR_STATUS)),
  msg: z.string(),
  request_id: z.string(),
  /** Which inputs are at fault, so a form can mark them. */
  issues: z.array(Issue).default([]),
  /** Only with `in_use`: what stands in the way of a deletion. */
  used_by: z.array(Usage).optional(),
  /** Only with `changed`: the thing as somebody else has saved it meanwhile. */
  current: z.unknown().optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** To whoever deletes what others use. */
export const inUse = (what: string) => `In order to delete the ${what} it cannot be in use.`

/** To whoever saves over somebody else's newer change. */
export const CHANGED_MEANWHILE = 'Someone else changed this while you were editing.'

/** What the console says when an answer cannot be read, or never came. */
export const GENERIC_ERROR = 'Something went wrong, please try again'
export const NETWORK_ERROR = 'The server cannot be reached'
