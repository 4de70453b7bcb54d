import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Expectation, type RunStart, t } from '@switchroom/contract'
import { platformVersion } from '../../applications/platform-version.ts'
import type { Context } from '../../http/context.ts'
import { STOPPED } from './call.ts'
import { type KeptRun, keepRun } from './keep.ts'
import { loggedRun } from './logged-run.ts'
import type { RunApplication } from './run-application.ts'
import { runCall } from './run-call.ts'
import { scriptedCaller } from './scripted-caller.ts'
import { tester } from './tester.ts'

/** Runs of an account without a tester that one process plays at the same time. Others wait for nobody. */
const AT_ONCE = 4
/** How long a run that is stopped may go on: its application is still told. */
const STOPPING_MS = 2_000

export type NewRun = {
  start: RunStart
  /** What the caller answers first, or alone in a test case. */
  answers: readonly Answer[]
  repeats?: string | undefined
  test_case_sid?: string | undefined
  /** Set if it is played without a tester. */
  expectations?: Expectation[] | undefined
  /** In place of the application's. */
  env_vars?: Record<string, string | number | boolean> | undefined
}
type Begun = NewRun & { run_sid: string }

/** Plays a run in the background and keeps what happens in it. Its row is stored already. */
export function playRun(ctx: Context, application: RunApplication, run: Begun) {
  const { run_sid, expectations = null } = run
  const { runs } = ctx.memory
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const kept = keepRun(ctx, run_sid, expectations, stop)
  const done = play(ctx, ofRun(application, run), run, kept, stopping.signal)
    .catch((err: unknown) => {
      ctx.log.error({ err, run_sid }, 'a run has failed')
      kept.end(t('The run failed because of an error in this server.'))
    })
    .then(() => kept.written)
    .finally(() => runs.delete(run_sid))
  runs.set(run_sid, { look: kept.look, stop, done })
}

const ofRun = (application: RunApplication, { env_vars }: NewRun): RunApplication =>
  env_vars ? { ...application, env_vars: { ...application.env_vars, ...env_vars } } : application

async function play(
  ctx: Context,
  application: RunApplication,
  { start, answers, expectations }: Begun,
  kept: KeptRun,
  stop: AbortSignal,
) {
  const leave = expectations && (await turnOf(ctx, application.account_sid ?? '', stop))
  try {
    const call = runCall({
      application,
      start,
      version: await platformVersion(ctx),
      outbound: loggedRun(ctx, application),
      caller: expectations ? scriptedCaller(answers) : tester(answers, kept),
      onStep: kept.add,
      stop,
    })
    await Promise.race([call, stoppedFor(STOPPING_MS, stop)])
  } finally {
    leave?.()
  }
  kept.end(STOPPED)
}

/** Resolves so long after a run was stopped, which it does not wait for any more. */
const stoppedFor = (ms: number, stop: AbortSignal) =>
  new Promise<void>((resolve) => {
    const wait = () => void pause(ms, undefined, { ref: false }).then(resolve)
    if (stop.aborted) wait()
    else stop.addEventListener('abort', wait, { once: true })
  })

/** Waits until few enough runs of the account are played, or until the run is stopped. Resolves to what ends the turn. */
async function turnOf({ memory: { runLanes } }: Context, account: string, stop: AbortSignal) {
  const lane = runLanes.get(account) ?? { playing: 0, waiting: [] }
  runLanes.set(account, lane)
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
    if (lane.playing === 0 && lane.waiting.length === 0) runLanes.delete(account)
  }
}
