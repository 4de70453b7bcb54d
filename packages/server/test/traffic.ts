import { STEP_MS } from '../src/stores/anomalies/subject-series.ts'
import { attemptSums } from '../src/stores/calls/attempts.ts'
import type { AttemptCounts } from '../src/stores/calls/store.ts'

/** A generator of numbers from 0 to 1 that gives the same for the same seed (mulberry32). */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A carrier's traffic. Rates are of a busy hour of a working day. */
export type Traffic = {
  carrier: string
  calls_an_hour: number
  answered: number
  seconds_to_answer: number
  seconds: number
  /** How much weeks, hours and minutes differ although nothing is wrong. */
  unrest: number
}

/** What is wrong, from a moment on. */
export type Trouble = { from: number; to?: number } & Partial<
  Pick<Traffic, 'answered' | 'seconds_to_answer'> & { calls: number }
>

const DAY = 86_400_000
const HOUR = 3_600_000

/** Share of a busy hour's calls, by the hour of the day: a night, two peaks, a lunch. */
function rhythm(at: number) {
  const date = new Date(at)
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60
  const peak = (of: number, width: number) => Math.exp(-(((hour - of) / width) ** 2))
  const day = 0.04 + 0.96 * Math.min(1, peak(10.5, 2.6) + 0.9 * peak(15.5, 2.4))
  return [0, 6].includes(date.getUTCDay()) ? day * 0.35 : day
}

/** The calls of carriers in a span, with the rhythm of days and weeks, with bursts, and with what is wrong. */
export function simulate(
  traffic: readonly Traffic[],
  spans: readonly { from: number; to: number }[],
  seed: number,
  troubles: Record<string, Trouble> = {},
): AttemptCounts[] {
  const random = seeded(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const poisson = (mean: number) => {
    if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
    let n = 0
    for (let p = random(); p > Math.exp(-mean); p *= random()) n++
    return n
  }
  const sums = attemptSums(STEP_MS)
  const end = Math.max(...spans.map(({ to }) => to))
  for (const one of traffic) {
    const trouble = troubles[one.carrier]
    const varying = () => Math.exp(one.unrest * normal())
    let [week, hour, burst, failing] = [1, 1, 1, 0]
    for (const span of spans)
      for (let at = span.from; at < span.to; at += STEP_MS) {
        if (at === span.from || at % (7 * DAY) === 0) week = varying()
        if (at === span.from || at % HOUR === 0) {
          hour = varying()
          failing = 0.5 * one.unrest * normal()
        }
        if (at % (STEP_MS * 5) === 0) burst = random() < 0.02 ? 1 + 0.8 * random() : 1
        const wrong: Partial<Trouble> =
          trouble && at >= trouble.from && at < (trouble.to ?? end) ? trouble : {}
        const rate = one.calls_an_hour * rhythm(at) * week * hour * burst * (wrong.calls ?? 1)
        // hours differ in whom they call, too
        const odds = (p: number) => 1 / (1 + Math.exp(-(Math.log(p / (1 - p)) + failing)))
        const answers = wrong.answered ?? odds(one.answered)
        for (let n = poisson((rate * STEP_MS) / HOUR); n > 0; n--) {
          const begin = at + random() * STEP_MS
          const answered = random() < answers
          const wait =
            (wrong.seconds_to_answer ?? one.seconds_to_answer) * 1_000 * Math.exp(0.6 * normal())
          const talk = answered ? -Math.log(1 - random()) * one.seconds * 1_000 : 0
          const terminated_at = begin + wait + talk
          // not on record yet
          if (terminated_at > end) continue
          sums.add({
            at: begin,
            ...{ account_sid: null, application_sid: null, direction: 'inbound', to: null },
            trunk: one.carrier,
            answered,
            answered_at: answered ? begin + wait : null,
            terminated_at,
          })
        }
      }
  }
  return sums.all()
}
