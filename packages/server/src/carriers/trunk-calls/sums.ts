import type { TrunkCounts } from '../../stores/calls/store.ts'

/** Sums counts of hours or days. Answer times may come from samples and are scaled to all answered calls. */
export function sumCounts(counts: readonly TrunkCounts[]): Omit<TrunkCounts, 'at'> {
  const sum = { calls: 0, answered: 0, not_answered: 0, seconds: 0, timed: 0, answer_ms: 0 }
  for (const count of counts) {
    sum.calls += count.calls
    sum.answered += count.answered
    sum.not_answered += count.not_answered
    sum.seconds += count.seconds
    // a sampled hour counts by its calls, not by the size of its sample
    const weight = count.timed > 0 ? count.answered / count.timed : 0
    sum.timed += count.timed * weight
    sum.answer_ms += count.answer_ms * weight
  }
  return sum
}

/** Mean in seconds, to 0.1; null without answered calls. */
export const meanSeconds = ({ timed, answer_ms }: Pick<TrunkCounts, 'timed' | 'answer_ms'>) =>
  timed > 0 ? Math.round(answer_ms / timed / 100) / 10 : null
