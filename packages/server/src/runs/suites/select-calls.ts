import {
  type Call,
  type CallCaseStep,
  SUITE_LOOKED_AT,
  type Suite,
  type SuiteCall,
} from '@switchroom/contract'
import { traceOf } from '../../calls/traces.ts'
import { batchesOf } from '../../db/batches.ts'
import type { Context } from '../../http/context.ts'
import type { Owner, Span } from '../../stores/calls/store.ts'
import { isTraceId } from '../../stores/voice/store.ts'
import { callScript, startOf } from '../call-cases/call-case.ts'

/** Traces that are read at the same time: a store may ask another server for each. */
const AT_ONCE = 5

type ReplayableCall = Omit<SuiteCall, 'run_sid' | 'result' | 'differs_at' | 'why' | 'nearest'>

/**
 * Calls of an application that can be played again: those of different courses first, the latest of
 * each.
 */
export async function selectReplayableCalls(
  ctx: Context,
  filter: Owner & Span & { application_sid: string },
  count: number,
): Promise<Pick<Suite, 'looked_at' | 'left_out'> & { calls: ReplayableCall[] }> {
  const { data } = await ctx.stores.calls.list(
    { ...filter, direction: 'inbound' },
    { limit: SUITE_LOOKED_AT, offset: 0 },
  )
  const playable: ReplayableCall[] = []
  for (const batch of batchesOf(data, AT_ONCE)) {
    const read = await Promise.all(batch.map((call) => replayable(ctx, call)))
    playable.push(...read.filter((call) => call !== undefined))
  }
  const courses = Map.groupBy(playable, ({ steps }) => courseOf(steps))
  const first = [...courses.values()].map(([latest]) => latest!)
  const others = playable.filter((call) => !first.includes(call))
  return {
    looked_at: data.length,
    left_out: data.length - playable.length,
    calls: [...first, ...others].slice(0, count),
  }
}

/** A call with the steps that play it again. Undefined if it cannot be played. */
async function replayable(ctx: Context, call: Call): Promise<ReplayableCall | undefined> {
  const { trace_id, call_sid, attempted_at } = call
  if (!isTraceId(trace_id)) return undefined
  const trace = await traceOf(ctx, { ...call, trace_id })
  if (!trace) return undefined
  const { steps, isWhole } = callScript(trace)
  if (!isWhole || !steps.some(({ kind }) => kind === 'expects')) return undefined
  const { from, to } = startOf(call)
  return { trace_id, call_sid, attempted_at, from, to, steps }
}

/**
 * Key of calls that took the same course: the application's steps (numbers, dates and names
 * generalized) and the kinds of the caller's answers.
 */
const courseOf = (steps: readonly CallCaseStep[]) =>
  JSON.stringify(
    steps.map((step) => (step.kind === 'expects' ? expectationForReplay(step) : step.answer?.kind)),
  )

/** Expectation of a step when it is played again. Numbers, dates and names may have changed. */
export const expectationForReplay = ({
  expected,
  looser,
}: Extract<CallCaseStep, { kind: 'expects' }>) => looser ?? expected
