import { z } from 'zod'
import { EnvVars } from '../applications/applications.ts'
import { listQuery, NoContent, pageOf, Sid } from '../wire/common.ts'
import { endpoints, lists } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'
import { Answer } from './run-answers.ts'
import { Expectation, ExpectationOutcome, MAX_RUN_ANSWERS } from './run-expectations.ts'
import { RunSimulation } from './run-simulation.ts'
import { RunStart, RunStep } from './run-steps.ts'

const sid = StringOrNull

/** Limit for a run or a test case. */
export const MAX_EXPECTATIONS = 50
/** Runs kept per application. The oldest are deleted when more are begun. */
export const RUNS_KEPT = 100
/** Minutes that a run waits for its tester. */
export const ANSWER_WITHIN_MINUTES = 10
/** Limit of concurrent runs per account. */
export const MAX_RUNNING = 60
/** Limit per account. */
export const RUNS_PER_HOUR = 600

export const ANSWER_NOT_WANTED = t('The run no longer waits for this answer.')
export const TOO_MANY_RUNS = t('Too many runs at once. Try again when some of them have ended.')

/**
 * - `running`: it waits for the application, or for its tester
 * - `interrupted`: the server stopped while it was running
 */
export const RUN_STATES = ['running', 'ended', 'interrupted'] as const

/** A call to an application that is played without a telephone. */
export const Run = z.object({
  run_sid: z.string(),
  application_sid: z.string(),
  account_sid: sid,
  /** The run whose answers this one was begun with. */
  repeats: sid,
  /** Set if it was played for a test case. */
  test_case_sid: sid,
  /** ISO 8601, UTC. */
  begun_at: z.string(),
  state: z.enum(RUN_STATES),
  start: RunStart,
  /** Number of problems: responses that the platform would refuse or ignore, and other errors. */
  problems: Integer,
  /** Sentence that says how it ended; null while it runs. */
  ended: hidden(StringOrNull, 'text'),
  /** True if all expectations passed; null without any, or while still running. */
  is_passed: z.boolean().nullable(),
  /** Null unless a language model played the caller. */
  simulation: RunSimulation.nullable(),
})
export type Run = z.infer<typeof Run>

export const RunView = Run.extend({
  /**
   * True if it plays a call of a suite, and the account has come to keep less of the words of calls since: it has no steps
   * then.
   */
  is_withheld: z.boolean(),
  /** The number of steps until now. */
  step_count: Integer,
  /** Steps after the first `skip`. The last step of a run that has ended is `ended`. */
  steps: z.array(RunStep),
  /** The index of the step whose question waits for an answer; null if none does. */
  question: IntegerOrNull,
  /** Expectations given when the run began, or those of its test case at that time; null without any. */
  expectations: z.array(Expectation).nullable(),
  /** One for each expectation; null until the run has ended. */
  outcomes: z.array(ExpectationOutcome).nullable(),
})
export type RunView = z.infer<typeof RunView>

export const RunBegin = z.object({
  start: RunStart,
  /** Answers of the caller, in order. When none are left, the tester is asked; without a tester, the caller hangs up. */
  answers: z.array(Answer).max(MAX_RUN_ANSWERS).default([]),
  /** Expectations of the application, in order. The run is then played without a tester, as a test case is. */
  expectations: z.array(Expectation).min(1).max(MAX_EXPECTATIONS).optional(),
  /** Environment variables in place of those of the application, for this run only. */
  env_vars: EnvVars.optional(),
  /** The run that these answers are from. */
  repeats: Sid.optional(),
})

export const applicationParams = z.object({ application_sid: Sid })

/** The paths of what an application has: all of a kind, and one by its sid. */
export function ofApplication<const N extends string, const S extends Record<string, typeof Sid>>(
  name: N,
  sid: S,
) {
  const path = `/Applications/:application_sid/${name}` as const
  const ours = { access: 'account', own: true } as const
  return {
    all: { path, params: applicationParams, ...ours },
    one: {
      path: `${path}/:${Object.keys(sid)[0]}` as const,
      params: applicationParams.extend(sid),
      ...ours,
    },
  }
}
const { all, one } = ofApplication('Runs', { run_sid: Sid })

export const runs = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List runs of an application: calls to it without a telephone, newest first',
    query: listQuery('begun_at').extend({
      test_case_sid: Sid.optional(),
      simulated_caller_sid: Sid.optional(),
    }),
    response: pageOf(Run),
  },
  begin: {
    ...all,
    method: 'POST',
    summary: 'Call an application without a telephone',
    body: RunBegin,
    response: RunView,
  },
  view: {
    ...one,
    method: 'GET',
    summary: 'Get a run with its steps so far',
    query: z.object({ skip: z.coerce.number<number>().int().min(0).max(10_000).default(0) }),
    response: RunView,
  },
  answer: {
    ...one,
    path: `${one.path}/Answers`,
    method: 'POST',
    summary: 'Answer the question of a run',
    body: z.object({
      /** The index of the step that asks. */
      question: z.number().int().min(0),
      answer: Answer,
    }),
    status: 204,
    response: NoContent,
  },
  stop: {
    ...one,
    path: `${one.path}/Stop`,
    method: 'POST',
    summary: 'Stop a run',
    status: 204,
    response: NoContent,
  },
})
