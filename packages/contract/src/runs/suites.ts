import { z } from 'zod'
import { END_BEFORE_START } from '../calls/call-span.ts'
import { TimeText } from '../calls/recent-calls.ts'
import { listQuery, NoContent, pageOf, Sid } from '../wire/common.ts'
import { endpoints, lists } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'
import { CallCaseStep } from './call-cases.ts'
import { ofApplication } from './runs.ts'

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

/** Calls of an application, each played again as a run. */
export const Suite = z.object({
  suite_sid: z.string(),
  application_sid: z.string(),
  account_sid: StringOrNull,
  /** ISO 8601, UTC. */
  begun_at: z.string(),
  /** The time that its calls are of. */
  start: z.string(),
  end: z.string(),
  /** How many calls were looked at, and how many of them had no trace of a conversation, or none whose words are kept. */
  looked_at: Integer,
  left_out: Integer,
  /** How many of its calls came to what. */
  results: z.object({
    running: Integer,
    same: Integer,
    differs: Integer,
    interrupted: Integer,
    gone: Integer,
  }),
})
export type Suite = z.infer<typeof Suite>

export const SuiteCall = z.object({
  trace_id: z.string(),
  call_sid: StringOrNull,
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
  differs_at: Integer.nullable(),
  /** The first difference, and the step most like the expected one. */
  why: hidden(StringOrNull, 'text'),
  nearest: hidden(StringOrNull, 'text'),
})
export type SuiteCall = z.infer<typeof SuiteCall>

export const SuiteView = Suite.extend({ calls: z.array(SuiteCall) })
export type SuiteView = z.infer<typeof SuiteView>

const { all, one } = ofApplication('Suites', { suite_sid: Sid })

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
        calls: Integer.min(1).max(SUITE_MAX_CALLS).default(10),
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
