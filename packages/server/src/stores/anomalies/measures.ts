import type { Sums } from './subject-series.ts'
import { above, atLeast, atLeastOf, atMost } from './tails.ts'
import { dispersionOf, middle, pooled, type Week } from './usual.ts'

/** One measure's value in a window, compared with its baseline. */
export type Reading = {
  /** Probability that chance alone puts the value this far from its baseline. */
  p: () => number
  value: number
  usual: number
  /** The calls that were counted. */
  calls: number
  /** True if the difference is large enough to act on. */
  matters: boolean
}

/** The same time in the last weeks; and whole days, for shares and times, which depend less on the hour. */
export type Past = { weeks: readonly Week[]; days: () => readonly Week[] }

/**
 * Undefined if nothing can be told, or unless `always`, if a glance shows that nothing matters: most looks end there.
 */
type Measure = (now: Sums, past: Past, always: boolean) => Reading | undefined

/** Baseline from the weeks if they have enough calls, else from the days; undefined if neither has. */
function usualOf({ weeks, days }: Past, by: (total: Sums) => number, has: (base: Sums) => boolean) {
  for (const read of [() => weeks, days]) {
    const all = read()
    const usual = middle(all, by)
    const base = pooled(usual)
    if (usual.length >= 2 && has(base)) return { base, around: all.flatMap((w) => w.around) }
  }
  return undefined
}

export const decided = ({ answered, not_answered }: Sums) => answered + not_answered

export const ANSWERED = { least: 8, history: 60, points: 0.12, times: 1.5, drift: 0.003 }

/** The share of calls that fail. Beta-binomial, so that it is exact for few calls too. */
const answered: Measure = (now, past, always) => {
  const n = decided(now)
  if (n < ANSWERED.least || (!always && now.not_answered < n * ANSWERED.points)) return undefined
  const usual = usualOf(
    past,
    (t) => t.not_answered / decided(t),
    (base) => decided(base) >= ANSWERED.history,
  )
  if (!usual) return undefined
  const { base } = usual
  const N = decided(base)
  const failing = (base.not_answered + 0.5) / (N + 1)
  const windows = usual.around.filter((s) => decided(s) >= 3)
  const squares = windows.map((s) => {
    const m = decided(s)
    return (s.not_answered - m * failing) ** 2 / (m * failing * (1 - failing))
  })
  const mean = windows.reduce((sum, s) => sum + decided(s), 0) / windows.length
  // how much the share itself varies from window to window
  const varies = Math.max(ANSWERED.drift, (dispersionOf(squares) - 1) / Math.max(1, mean - 1))
  const weight = 1 / (1 / N + varies)
  const share = now.not_answered / n
  return {
    p: () => atLeastOf(now.not_answered, n, failing * weight, (1 - failing) * weight),
    value: 1 - share,
    usual: 1 - base.not_answered / N,
    calls: n,
    matters: share - failing >= ANSWERED.points && share >= failing * ANSWERED.times,
  }
}

const CALLS = { weeks: 3, least: 10, drop: 0.5, surge: 3, drift: 0.03, surge_drift: 0.1 }

/** The mean count of a window, and how much it varies from week to week. */
function countsOf(weeks: readonly Week[], drift: number) {
  const sorted = weeks.toSorted((a, b) => a.total.calls - b.total.calls)
  // a week of silence, such as a holiday, is not the usual
  const isOdd = sorted.length > 3 && sorted[0]!.total.calls < sorted[1]!.total.calls / 2
  const kept = isOdd ? sorted.slice(1) : sorted
  if (kept.length < CALLS.weeks) return undefined
  const same = kept.map((w) => w.same.calls)
  let over = 0
  let squares = 0
  for (const i of kept[0]!.around.keys()) {
    const counts = kept.map((w) => w.around[i]!.calls)
    const mean = counts.reduce((a, b) => a + b, 0) / counts.length
    over += counts.reduce((sum, c) => sum + (c - mean) ** 2, 0) / (counts.length - 1) - mean
    squares += mean * mean
  }
  const mean = same.reduce((a, b) => a + b, 0) / same.length
  const varies = Math.max(drift, squares > 0 ? over / squares : 0)
  return {
    mean,
    lowest: Math.min(...same),
    highest: Math.max(...same),
    // the mean of a few weeks is itself uncertain
    dispersion: varies + (varies + 1 / Math.max(1, mean)) / kept.length,
  }
}

const fewer: Measure = (now, { weeks }, always) => {
  const most = Math.max(...weeks.map((w) => w.same.calls))
  if (most < CALLS.least || (!always && now.calls > most * CALLS.drop)) return undefined
  const usual = countsOf(weeks, CALLS.drift)
  if (!usual || usual.mean < CALLS.least) return undefined
  return {
    p: () => atMost(now.calls, usual.mean, usual.dispersion),
    value: now.calls,
    usual: usual.mean,
    calls: now.calls,
    matters: now.calls <= usual.lowest * CALLS.drop,
  }
}

const more: Measure = (now, { weeks }, always) => {
  const [most = 0, second = 0] = weeks.map((w) => w.same.calls).sort((a, b) => b - a)
  if (most < CALLS.least || (!always && now.calls < second * CALLS.surge)) return undefined
  const usual = countsOf(weeks, CALLS.surge_drift)
  if (!usual || usual.mean < CALLS.least) return undefined
  return {
    p: () => atLeast(now.calls, usual.mean, usual.dispersion),
    value: now.calls,
    usual: usual.mean,
    calls: now.calls,
    matters: now.calls >= usual.highest * CALLS.surge,
  }
}

const WAIT = { least: 10, history: 40, times: 1.5, longer_ms: 2_000, drift: 0.05 }

const logMean = (s: Sums) => s.log_wait / s.waits

/** Seconds until an answer, compared by their logarithms: a few long ones are normal. */
const time_to_answer: Measure = (now, past, always) => {
  if (now.waits < WAIT.least || (!always && now.wait_ms < now.waits * WAIT.longer_ms))
    return undefined
  const usual = usualOf(past, logMean, (base) => base.waits >= WAIT.history)
  if (!usual) return undefined
  const { base } = usual
  const mean = logMean(base)
  const variance = Math.max(0.01, base.log_wait_squared / base.waits - mean * mean)
  const windows = usual.around.filter((s) => s.waits >= 3)
  const squares = windows.map((s) => ((logMean(s) - mean) ** 2 * s.waits) / variance)
  const spread = dispersionOf(squares) * variance * (1 / now.waits + 1 / base.waits)
  const t = (logMean(now) - mean) / Math.sqrt(spread + WAIT.drift ** 2)
  const [value, before] = [now.wait_ms / now.waits, base.wait_ms / base.waits]
  return {
    p: () => above(t, Math.max(1, windows.length - 1)),
    value: value / 1_000,
    usual: before / 1_000,
    calls: now.waits,
    matters: value >= before * WAIT.times && value - before >= WAIT.longer_ms,
  }
}

export const MEASURES = { answered, fewer_calls: fewer, more_calls: more, time_to_answer }
export type MeasureName = keyof typeof MEASURES
