import {
  type CallCounts,
  type CallFigures,
  dayOf,
  HOURLY_MAX_MS,
  hasPartHours,
  hourOf,
  hourOfWeek,
  keysOf,
  zoneClock,
} from '@switchroom/contract'
import type { FailureCounts, Span, TrunkCounts } from './store.ts'

export const HOUR_MS = 3_600_000
export const QUARTER_MS = HOUR_MS / 4

/** Unit that calls are counted by for a time zone: an hour of UTC, or a quarter if its hours begin within those. In milliseconds. */
export const unitFor = (span: Span, time_zone = 'UTC') =>
  hasPartHours(zoneClock(time_zone), span) ? QUARTER_MS : HOUR_MS

export type Sums = {
  /** By the start of the hour, or of the quarter of an hour, in milliseconds. */
  hours: Map<number, CallCounts>
  failures: Map<number | null, number>
  trunks: Map<string | null, CallCounts>
  applications: Map<string | null, CallCounts>
  accounts: Map<string | null, CallCounts>
  /** Times to answer by carrier. */
  waits: Map<string | null, Waits>
}

/** Number of known times to answer, and their sum. */
export type Waits = { known: number; ms: number }

export function addWaits(
  to: Map<string | null, Waits>,
  trunk: string | null,
  { known, ms }: Waits,
) {
  const sum = to.get(trunk) ?? { known: 0, ms: 0 }
  to.set(trunk, sum)
  sum.known += known
  sum.ms += ms
}

/** Mean seconds to a tenth. */
const secondsOf = (waits: Waits | undefined) =>
  waits && waits.known > 0 ? Math.round(waits.ms / waits.known / 100) / 10 : null

export const emptySums = (): Sums => ({
  hours: new Map(),
  failures: new Map(),
  trunks: new Map(),
  applications: new Map(),
  accounts: new Map(),
  waits: new Map(),
})

export const noCalls = (): CallCounts => ({
  calls: 0,
  answered: 0,
  not_answered: 0,
  seconds: 0,
  timed: 0,
})

/** A group of calls: whether answered, and total duration. */
export type Counted = { answered: boolean | null; calls: number; seconds: number; timed: number }

export function add<K>(to: Map<K, CallCounts>, key: K, counted: Counted) {
  const tally = to.get(key) ?? noCalls()
  to.set(key, tally)
  tally.calls += counted.calls
  if (counted.answered === false) tally.not_answered += counted.calls
  if (!counted.answered) return
  tally.answered += counted.calls
  tally.seconds += counted.seconds
  tally.timed += counted.timed
}

export function addTally(to: CallCounts, from: CallCounts) {
  for (const name of keysOf(from)) to[name] += from[name]
}

const most = (a: { calls: number }, b: { calls: number }) => b.calls - a.calls

export const failureCounts = (failures: ReadonlyMap<number | null, number>): FailureCounts =>
  [...failures].map(([sip_status, calls]) => ({ sip_status, calls })).sort(most)

export function figuresOf(sums: Sums, span: Span, time_zone = 'UTC'): CallFigures {
  const total = noCalls()
  const hours: number[] = Array(168).fill(0)
  const times: { from: number; to: number; counts: CallCounts }[] = []
  const clock = zoneClock(time_zone)
  const isHourly = span.to - span.from <= HOURLY_MAX_MS
  for (const [ms, tally] of [...sums.hours].sort(([a], [b]) => a - b)) {
    let last = times.at(-1)
    if (!last || ms >= last.to) {
      const [from, to] = isHourly ? hourOf(clock, ms) : dayOf(clock, ms)
      last = { from, to, counts: noCalls() }
      times.push(last)
    }
    addTally(last.counts, tally)
    addTally(total, tally)
    hours[hourOfWeek(clock, ms)]! += tally.calls
  }
  const waited = { known: 0, ms: 0 }
  for (const { known, ms } of sums.waits.values()) {
    waited.known += known
    waited.ms += ms
  }
  return {
    ...total,
    seconds_to_answer: secondsOf(waited),
    times: times.map(({ from, to, counts }) => ({
      time: new Date(from).toISOString(),
      until: new Date(to).toISOString(),
      ...counts,
    })),
    hours,
    failures: failureCounts(sums.failures),
    trunks: [...sums.trunks]
      .map(([trunk, tally]) => ({
        trunk,
        ...tally,
        seconds_to_answer: secondsOf(sums.waits.get(trunk)),
      }))
      .sort(most),
    accounts: [...sums.accounts]
      .map(([account_sid, tally]) => ({ account_sid, ...tally }))
      .sort(most),
    applications: [...sums.applications]
      .map(([application_sid, tally]) => ({ application_sid, ...tally }))
      .sort(most),
  }
}

export const noTrunkCounts = (at: number): TrunkCounts => ({
  at,
  calls: 0,
  answered: 0,
  not_answered: 0,
  seconds: 0,
  timed: 0,
  answer_ms: 0,
})
