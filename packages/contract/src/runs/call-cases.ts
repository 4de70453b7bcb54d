import { z } from 'zod'
import { TraceId } from '../calls/traces.ts'
import { Answer } from '../runs/run-answers.ts'
import { Expectation } from '../runs/run-expectations.ts'
import { RunStart } from '../runs/run-steps.ts'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'

/** What happened in a call, one after another. */
export const CallCaseStep = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('expects'),
    expected: Expectation,
    /** The same with what varies, such as numbers, dates and names, as a pattern; null if nothing does. */
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
  application_sid: z.string().nullable(),
  name: z.string(),
  start: RunStart,
  steps: z.array(CallCaseStep),
  /** What a case cannot have of this call, as sentences. */
  notes: z.array(z.string()),
  /** The same as YAML for `switchroom test`. Secrets of the application are not in it. Empty for view-only callers. */
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
