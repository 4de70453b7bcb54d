import { z } from 'zod'
import { TraceId } from '../calls/traces.ts'
import { Answer } from '../runs/run-answers.ts'
import { Expectation } from '../runs/run-expectations.ts'
import { RunStart } from '../runs/run-steps.ts'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'

/** A step of a call, in order. */
export const CallCaseStep = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('expects'),
    expected: Expectation,
    /** The expectation with variable parts, such as numbers, dates and names, as a pattern; null if it has none. */
    looser: Expectation.nullable(),
  }),
  z.object({
    kind: z.literal('caller'),
    /** Null if what was said or pressed is masked, or left out: it must be entered before the case is played. */
    answer: Answer.nullable(),
  }),
])
export type CallCaseStep = z.infer<typeof CallCaseStep>

/** A call as a test case: what its caller did, and what the application did, which is expected of it again. */
export const CallCase = z.object({
  /** Null if it is not known, or not there any more. */
  application_sid: StringOrNull,
  name: z.string(),
  start: RunStart,
  steps: z.array(CallCaseStep),
  /** Parts of this call that a case cannot have, as sentences. */
  notes: z.array(z.string()),
  /** The case as YAML for `switchroom test`, without secrets of the application. Empty for view-only callers. */
  file: z.string(),
})
export type CallCase = z.infer<typeof CallCase>

export const callCases = endpoints({
  view: {
    method: 'GET',
    path: '/Accounts/:account_sid/RecentCalls/test-case/:trace_id',
    params: z.object({ account_sid: Sid, trace_id: TraceId }),
    access: 'account',
    own: true,
    summary: 'Get a call as a test case of its application, also as YAML',
    response: CallCase,
  },
})
