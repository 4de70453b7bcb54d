import type { TrunkCounts } from '../../stores/calls/store.ts'

/** Adds up hours or days. Their times to answer may be of samples. */
export function sumOf(counts: readonly TrunkCounts[]): Omit<TrunkCounts, 'at'> {
  const sum = { calls: 0, answered: 0, not_answered: 0, seconds: 0, timed: 0, answer_ms: 0 }
  for (const one of counts) {
    sum.calls += one.calls
    sum.answered += one.answered
    sum.not_answered += one.not_answered
    sum.seconds += one.seconds
    // a sampled hour counts by its calls, not by the size of its sample
    const weight = one.timed > 0 ? one.answered / one.timed : 0
    sum.timed += one.timed * weight
    sum.answer_ms += one.answer_ms * weight
  }
  return sum
}

export const meanSeconds = ({ timed, answer_ms }: Pick<TrunkCounts, 'timed' | 'answer_ms'>) =>
  timed > 0 ? Math.round(answer_ms / timed / 100) / 10 : null
