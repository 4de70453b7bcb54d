import { z } from 'zod'
import { END_BEFORE_START } from '../calls/call-span.ts'
import { TimeText } from '../calls/recent-calls.ts'
import { listQuery, NoContent, pageOf, Sid } from '../wire/common.ts'
import { endpoints, lists } from '../wire/endpoint.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'
import { CallCaseStep } from './call-cases.ts'
import { applicationParams } from './runs.ts'

/** The most calls of a suite. */
export const SUITE_MAX_CALLS = 20
/** How many of the latest calls are looked at for those that differ most. */
export const SUITE_LOOKED_AT = 100
/** Suites kept per application. A new one deletes the oldest. */
export const SUITES_KEPT = 20

export const NO_CALLS_TO_PLAY = t(
  'There is no call to play: none of this time has a trace of a conversation whose words are kept.',
)

/**
 * Result of a call that was played again:
 * - `running`: it goes on, or waits for its turn
 * - `same`: the application did all that it did in the call, in the same order
 * - `differs`: it did not
 * - `interrupted`: it was stopped, or the server was
 * - `gone`: its run is not kept any more
 */
export const SUITE_RESULTS = ['running', 'same', 'differs', 'interrupted', 'gone'] as const
export type SuiteResult = (typeof SUITE_RESULTS)[number]

const Count = z.number().int()

/** Calls of an application, each played again as a run. */
export const Suite = z.object({
  suite_sid: z.string(),
  application_sid: z.string(),
  account_sid: z.string().nullable(),
  /** ISO 8601, UTC. */
  begun_at: z.string(),
  /** The time that its calls are of. */
  start: z.string(),
  end: z.string(),
  /** How many calls were looked at, and how many of them had no trace of a conversation, or none whose words are kept. */
  looked_at: Count,
  left_out: Count,
  /** How many of its calls came to what. */
  results: z.object({
    running: Count,
    same: Count,
    differs: Count,
    interrupted: Count,
    gone: Count,
  }),
})
export type Suite = z.infer<typeof Suite>

export const SuiteCall = z.object({
  trace_id: z.string(),
  call_sid: z.string().nullable(),
  attempted_at: z.string(),
  from: z.string(),
  to: z.string(),
  /**
   * Events of the call. A step with a `looser` form is expected in that form: numbers, dates and names may differ. Empty
   * once the account keeps less of the words of its calls.
   */
  steps: z.array(CallCaseStep),
  run_sid: z.string(),
  result: z.enum(SUITE_RESULTS),
  /** The first step of the call that the application did not repeat; null if there is none, or it is not known yet. */
  differs_at: Count.nullable(),
  /** The first difference, and the step most like the expected one. */
  why: hidden(z.string().nullable(), 'text'),
  nearest: hidden(z.string().nullable(), 'text'),
})
export type SuiteCall = z.infer<typeof SuiteCall>

export const SuiteView = Suite.extend({ calls: z.array(SuiteCall) })
export type SuiteView = z.infer<typeof SuiteView>

const all = {
  path: '/Applications/:application_sid/Suites',
  params: applicationParams,
  access: 'account',
  own: true,
} as const
const one = {
  ...all,
  path: '/Applications/:application_sid/Suites/:suite_sid',
  params: applicationParams.extend({ suite_sid: Sid }),
} as const

export const suites = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List suites of an application: calls of a time that were played again, newest first',
    query: listQuery('begun_at'),
    response: pageOf(Suite),
  },
  begin: {
    ...all,
    method: 'POST',
    costs: 'figures',
    summary: 'Play calls of an application again, and compare what it does with what it did',
    body: z
      .object({
        start: TimeText,
        end: TimeText,
        /** How many calls at most. Those of different courses come first. */
        calls: Count.min(1).max(SUITE_MAX_CALLS).default(10),
      })
      .refine(({ start, end }) => Date.parse(start) < Date.parse(end), {
        path: ['end'],
        message: END_BEFORE_START,
      }),
    response: SuiteView,
  },
  view: {
    ...one,
    method: 'GET',
    summary: 'Get a suite with its calls, and what came of each',
    response: SuiteView,
  },
  stop: {
    ...one,
    path: `${one.path}/Stop`,
    method: 'POST',
    summary: 'Stop the runs of a suite that go on',
    status: 204,
    response: NoContent,
  },
})
