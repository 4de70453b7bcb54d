import { z } from 'zod'
import { keysOf } from './records.ts'

/** The error codes of the API, with their HTTP status. */
export const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  // the password was right: `second_factor` says how to go on
  second_factor_required: 403,
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
  // a store of calls, traces or SIP hangs: an immediate retry would hang as well
  store_timeout: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export const Issue = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})
export type Issue = z.infer<typeof Issue>

/** The issues of a schema as the API returns them. Paths have no symbols, since the input is JSON. */
export const issuesFrom = (error: z.ZodError | undefined): Issue[] =>
  (error?.issues ?? []).map(({ path, message }) => ({
    path: path.filter((part) => typeof part !== 'symbol'),
    message,
  }))

/** What blocks a deletion: at most 20 items of a kind, and their total. */
export const Usage = z.object({
  kind: z.string(),
  total: z.number().int(),
  items: z.array(z.object({ sid: z.string(), name: z.string() })),
})
export type Usage = z.infer<typeof Usage>

export const SECOND_FACTORS = ['totp', 'passkey', 'recovery_code'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]

/** How a log-in goes on: one of these factors, sent with the ticket. */
export const SecondFactorRequest = z.object({
  ticket: z.string(),
  methods: z.array(z.enum(SECOND_FACTORS)),
})
export type SecondFactorRequest = z.infer<typeof SecondFactorRequest>

export const ErrorBody = z.object({
  code: z.enum(keysOf(ERROR_STATUS)),
  msg: z.string(),
  request_id: z.string(),
  /** The invalid fields, for forms to mark. */
  issues: z.array(Issue).default([]),
  /** Only with `in_use`: what blocks the deletion. */
  used_by: z.array(Usage).optional(),
  /** Only with `changed`: the resource as someone else saved it. */
  current: z.unknown().optional(),
  /** Only with `second_factor_required`. */
  second_factor: SecondFactorRequest.optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** Error for deleting what is in use. */
export const inUse = (what: string) => `In order to delete the ${what} it cannot be in use.`

/** Error for saving over someone else's newer change. */
export const EDIT_CONFLICT = 'Someone else changed this while you were editing.'

/** The console's message when a response is unreadable or missing. */
export const GENERIC_ERROR = 'Something went wrong, please try again'
export const NETWORK_ERROR = 'The server cannot be reached'
