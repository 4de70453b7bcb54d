import type { Trace } from '@switchroom/contract'
import { callSpans } from '../../talk/spans.ts'
import type { Told } from './turns.ts'

const SESSION = /^verb:(?:Llm_\w+|agent|\w+_s2s)\b/

/** The length of a call's model sessions, as its trace has them, or else its events. */
export function secondsOf(trace: Trace | undefined, told: readonly Told[]) {
  const spans = trace ? callSpans(trace).all.filter(({ name }) => SESSION.test(name)) : []
  const ms =
    spans.length > 0
      ? spans.reduce((sum, { start, end }) => sum + end - start, 0)
      : told.at(-1)!.at - told[0]!.at
  return Math.round(ms / 1_000)
}
