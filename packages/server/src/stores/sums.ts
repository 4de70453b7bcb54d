import { type CallCounts, type CallFigures, HOURLY_MAX_MS, keysOf } from '@switchroom/contract'
import type { Span, TrunkCounts } from './calls.ts'

const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000

export type Sums = {
  /** By the start of the hour, in milliseconds. */
  hours: Map<number, CallCounts>
  failures: Map<number | null, number>
  trunks: Map<string | null, CallCounts>
  applications: Map<string | null, CallCounts>
}

export const emptySums = (): Sums => ({
  hours: new Map(),
  failures: new Map(),
  trunks: new Map(),
  applications: new Map(),
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

export function figuresOf(sums: Sums, span: Span): CallFigures {
  const total = noCalls()
  const hours: number[] = Array(168).fill(0)
  const times = new Map<number, CallCounts>()
  const unit = span.to - span.from <= HOURLY_MAX_MS ? HOUR_MS : DAY_MS
  for (const [ms, tally] of sums.hours) {
    const time = Math.floor(ms / unit) * unit
    const slot = times.get(time) ?? noCalls()
    times.set(time, slot)
    addTally(slot, tally)
    addTally(total, tally)
    const date = new Date(ms)
    hours[((date.getUTCDay() + 6) % 7) * 24 + date.getUTCHours()]! += tally.calls
  }
  return {
    ...total,
    times: [...times]
      .sort(([a], [b]) => a - b)
      .map(([ms, tally]) => ({ time: new Date(ms).toISOString(), ...tally })),
    hours,
    failures: [...sums.failures].map(([sip_status, calls]) => ({ sip_status, calls })).sort(most),
    trunks: [...sums.trunks].map(([trunk, tally]) => ({ trunk, ...tally })).sort(most),
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
  timed: 0,
  answer_ms: 0,
})
