import type { Answer } from '@switchroom/contract'
import type { Caller } from './call.ts'

/** A caller who gives these answers, in this order, and hangs up when none are left. */
export function scriptedCaller(answers: readonly Answer[]): Caller {
  const left = [...answers]
  return { ask: async () => left.shift() ?? { kind: 'hang_up' } }
}
