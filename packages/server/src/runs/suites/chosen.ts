import type { Call, CallCaseStep, Suite, SuiteCall } from '@switchroom/contract'
import { SUITE_LOOKED_AT } from '@switchroom/contract'
import { traceOf } from '../../calls/traces.ts'
import type { Context } from '../../http/context.ts'
import type { Owner, Span } from '../../stores/calls/store.ts'
import { isTraceId } from '../../stores/voice/store.ts'
import { callScript } from '../call-cases/call-case.ts'
import { startOf } from '../call-cases/routes.ts'

/** Traces that are read at the same time: a store may ask another server for each. */
const AT_ONCE = 5

type Chosen = Omit<SuiteCall, 'run_sid' | 'result' | 'differs_at' | 'why' | 'nearest'>

/** Calls of an application that can be played again: those of different courses first, the latest of each. */
export async function chosenCalls(
  ctx: Context,
  within: Owner & Span & { application_sid: string },
  count: number,
): Promise<Pick<Suite, 'looked_at' | 'left_out'> & { calls: Chosen[] }> {
  const { data } = await ctx.stores.calls.list(
    { ...within, direction: 'inbound' },
    { limit: SUITE_LOOKED_AT, offset: 0 },
  )
  const playable: Chosen[] = []
  for (let i = 0; i < data.length; i += AT_ONCE)
    for (const one of await Promise.all(
      data.slice(i, i + AT_ONCE).map((call) => played(ctx, call)),
    ))
      if (one) playable.push(one)
  const courses = Map.groupBy(playable, ({ steps }) => courseOf(steps))
  const first = [...courses.values()].map(([latest]) => latest!)
  const others = playable.filter((one) => !first.includes(one))
  return {
    looked_at: data.length,
    left_out: data.length - playable.length,
    calls: [...first, ...others].slice(0, count),
  }
}

/** A call with what happened in it. Undefined if it cannot be played. */
async function played(ctx: Context, call: Call): Promise<Chosen | undefined> {
  const { trace_id, call_sid, attempted_at } = call
  if (!isTraceId(trace_id)) return undefined
  const trace = await traceOf(ctx, { ...call, trace_id })
  if (!trace) return undefined
  const { steps, isWhole } = callScript(trace)
  if (!isWhole || !steps.some(({ kind }) => kind === 'expects')) return undefined
  const { from, to } = startOf(call)
  return { trace_id, call_sid, attempted_at, from, to, steps }
}

/** Key of calls that took the same course: the kinds of the application’s steps and of the caller’s answers. */
const courseOf = (steps: readonly CallCaseStep[]) =>
  JSON.stringify(
    steps.map((step) => (step.kind === 'expects' ? expectedAgain(step) : step.answer?.kind)),
  )

/** Expectation of a step when it is played again. Numbers, dates and names may have changed. */
export const expectedAgain = ({ expected, looser }: Extract<CallCaseStep, { kind: 'expects' }>) =>
  looser ?? expected
