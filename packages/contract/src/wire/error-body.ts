import { z } from 'zod'
import { ERROR_STATUS, SECOND_FACTORS } from './errors.ts'
import { Integer } from './fields.ts'
import { keysOf } from './records.ts'

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

/** The things that block a deletion: at most 20 items of a kind, and their total. */
export const Usage = z.object({
  kind: z.string(),
  total: Integer,
  items: z.array(z.object({ sid: z.string(), name: z.string() })),
})
export type Usage = z.infer<typeof Usage>

/** Next step of a log-in: one of these factors, sent with the ticket. */
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
  /** The things that block the deletion, with `in_use` only. */
  used_by: z.array(Usage).optional(),
  /** The resource as someone else saved it, with `changed` only. */
  current: z.unknown().optional(),
  /** Factors and ticket of the second step, with `second_factor_required` only. */
  second_factor: SecondFactorRequest.optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
