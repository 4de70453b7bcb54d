import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Expectation, type RunStart, type RunStep, t } from '@switchroom/contract'
import { platformVersion } from '../../applications/platform-version.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { type Caller, STOPPED } from './call.ts'
import { checkEach, checkExpectations } from './expectations.ts'
import { type Check, type KeptRun, keepRun } from './keep.ts'
import { loggedRun } from './logged-run.ts'
import type { RunApplication } from './run-application.ts'
import { runCall } from './run-call.ts'
import { scriptedCaller } from './scripted-caller.ts'
import { tester } from './tester.ts'

/** Runs of an account without a tester that one process plays at the same time. Others wait for nobody. */
const AT_ONCE = 4
/** Time that a stopped run may still take: its application is told of the end. */
const STOPPING_MS = 2_000

export type NewRun = {
  start: RunStart
  /** Answers of the caller: the first ones, or in a test case all of them. */
  answers: readonly Answer[]
  repeats?: string | undefined
  test_case_sid?: string | undefined
  /** Set if it plays a call of a suite: its caller's words are those of a call. */
  suite_sid?: string | null | undefined
  /** Set if it is played without a tester. */
  expectations?: Expectation[] | undefined
  /** In place of the application's. */
  env_vars?: Record<string, string | number | boolean> | undefined
  /** Set if the caller is played as well. */
  simulation?: Simulation | undefined
}

export type Simulation = {
  /** Stores what is kept of it beside the run, in its transaction. */
  insert: (tx: Db, run_sid: string) => Promise<unknown>
  begin: (run: SimulatedRun) => {
    caller: Caller
    /** Told once the call is over. The run has ended when it resolves. */
    end: () => Promise<void>
  }
}
export type SimulatedRun = {
  run_sid: string
  /** Grows while the call goes on. */
  steps: readonly RunStep[]
  /** Adds a step about the caller. */
  note: (text: string) => void
  stop: AbortSignal
}
type Begun = NewRun & { run_sid: string }

/** Plays a run in the background and stores its steps. Its row exists already. */
export function playRun(ctx: Context, application: RunApplication, run: Begun) {
  const { run_sid } = run
  const { runs } = ctx.memory
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const kept = keepRun(ctx, run_sid, checkOf(run), stop)
  const done = play(ctx, ofRun(application, run), run, kept, stopping.signal)
    .catch((err: unknown) => {
      ctx.log.error({ err, run_sid }, 'a run has failed')
      kept.end(t('The run failed because of an error in this server.'))
    })
    .then(() => kept.written)
    .finally(() => runs.delete(run_sid))
  runs.set(run_sid, { look: kept.look, stop, done })
}

/** Check of the expectations. The order of a played conversation is not known, so there each is checked by itself. */
function checkOf({ expectations, simulation }: NewRun): Check | null {
  if (!expectations) return null
  return (steps) =>
    simulation ? checkEach(steps, expectations) : checkExpectations(steps, expectations)
}

const ofRun = (application: RunApplication, { env_vars }: NewRun): RunApplication =>
  env_vars ? { ...application, env_vars: { ...application.env_vars, ...env_vars } } : application

async function play(
  ctx: Context,
  application: RunApplication,
  { run_sid, start, answers, expectations, simulation, suite_sid }: Begun,
  kept: KeptRun,
  stop: AbortSignal,
) {
  const account = application.account_sid ?? ''
  // conversations with a model take long, and test cases do not wait for them
  const lane = simulation ? `${account} simulated` : expectations && account
  const leave = lane === undefined ? undefined : await turnOf(ctx, lane, stop)
  const steps: RunStep[] = []
  const add = (step: RunStep) => {
    steps.push(step)
    kept.add(step)
  }
  const note = (text: string) =>
    add({ kind: 'event', at: steps.at(-1)?.at ?? 0, tone: 'warn', text })
  const simulated = simulation?.begin({ run_sid, steps, note, stop })
  try {
    const call = runCall({
      application,
      start,
      version: await platformVersion(ctx),
      // words of a call are nowhere but in the run
      outbound: suite_sid ? ctx.outbound : loggedRun(ctx, application),
      caller: simulated?.caller ?? (expectations ? scriptedCaller(answers) : tester(answers, kept)),
      onStep: add,
      stop,
    })
    await Promise.race([call, stoppedFor(STOPPING_MS, stop)])
    await simulated?.end()
  } finally {
    leave?.()
  }
  kept.end(STOPPED)
}

/** Resolves this long after a run was stopped, when it is no longer waited for. */
const stoppedFor = (ms: number, stop: AbortSignal) =>
  new Promise<void>((resolve) => {
    const wait = () => void pause(ms, undefined, { ref: false }).then(resolve)
    if (stop.aborted) wait()
    else stop.addEventListener('abort', wait, { once: true })
  })

/**
 * Waits until few enough runs of a lane are in progress, or until the run is stopped. Resolves to a function that ends
 * the turn.
 */
async function turnOf({ memory: { runLanes } }: Context, of: string, stop: AbortSignal) {
  const lane = runLanes.get(of) ?? { playing: 0, waiting: [] }
  runLanes.set(of, lane)
  if (lane.playing >= AT_ONCE)
    await new Promise<void>((resolve) => {
      lane.waiting.push(resolve)
      stop.addEventListener('abort', () => {
        lane.waiting = lane.waiting.filter((one) => one !== resolve)
        resolve()
      })
    })
  lane.playing += 1
  return () => {
    lane.playing -= 1
    if (lane.playing < AT_ONCE) lane.waiting.shift()?.()
    if (lane.playing === 0 && lane.waiting.length === 0) runLanes.delete(of)
  }
}
