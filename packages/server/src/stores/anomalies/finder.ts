import { setImmediate } from 'node:timers/promises'
import type { AttemptCounts, CallStore, Owner, Span } from '../calls/store.ts'
import { anomaliesAt, daysBefore, type Followers, type Judgement, spansFor } from './method.ts'
import { LONGEST, STEP_MS, seriesOf } from './subject-series.ts'

export type Found = Judgement & {
  /** When was looked, in milliseconds. */
  at: number
  /** How many of the last four weeks there are records of. */
  weeks: number
}

/** Components send records in batches, a moment after a call has ended. */
const LATE_MS = 30_000
/** The most calls of the weeks with which the days before are read as well: they have too few to tell what is usual. */
const FEW_CALLS = 10_000
/** The most owners whose calls are kept. */
const MOST_OWNERS = 30
const LONGEST_MS = LONGEST * STEP_MS

/** By the start of a slice: its counts, and whether no call of it can still be added to a window. */
type Slices = Map<number, { counts: AttemptCounts[]; isFinal: boolean }>
type Kept = {
  slices: Slices
  followers: Followers
  found: { at: number; answer: Promise<Found> } | undefined
}

/**
 * Finds what is out of the ordinary among an owner's calls, at most once per step. Calls of past slices are kept, so
 * that a look reads only the last hour and three minutes of each week before.
 */
export class AnomalyFinder {
  #kept = new Map<string, Kept>()

  /** `clock`: the time by which calls are recorded. */
  find(calls: Pick<CallStore, 'attempts'>, owner: Owner, clock: number): Promise<Found> {
    const at = Math.floor((clock - LATE_MS) / STEP_MS) * STEP_MS
    const kept = this.#keptOf(owner)
    if (kept.found?.at === at) return kept.found.answer
    // one look at a time: the next one reads less after this one
    const before = kept.found?.answer.catch(() => undefined)
    const found = {
      at,
      answer: (before ?? Promise.resolve()).then(() => look(calls, owner, at, kept)),
    }
    kept.found = found
    found.answer.catch(() => {
      if (kept.found === found) kept.found = undefined
    })
    return found.answer
  }

  #keptOf(owner: Owner): Kept {
    const key = JSON.stringify([owner.service_provider_sid, owner.account_sid])
    const kept = this.#kept.get(key) ?? {
      slices: new Map(),
      followers: new Map(),
      found: undefined,
    }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    if (this.#kept.size > MOST_OWNERS) this.#kept.delete(this.#kept.keys().next().value!)
    return kept
  }
}

async function look(
  calls: Pick<CallStore, 'attempts'>,
  owner: Owner,
  at: number,
  { slices, followers }: Kept,
): Promise<Found> {
  const weekly = spansFor(at)
  await read(calls, owner, at, slices, weekly)
  const isSmall = callsIn(weekly.flatMap((span) => countsIn(slices, span))) <= FEW_CALLS
  if (isSmall) await read(calls, owner, at, slices, [daysBefore(at)])
  const spans = isSmall ? [...weekly, daysBefore(at)] : weekly
  for (const from of slices.keys())
    if (!spans.some((s) => s.from <= from && from < s.to)) slices.delete(from)
  const [, ...weeks] = weekly.map((span) => countsIn(slices, span))
  // weeks without any record are not weeks without calls
  const recorded = weeks.findIndex((counts) => counts.length === 0)
  const known = recorded < 0 ? weeks.length : recorded
  const series = seriesOf([...slices.values()].flatMap((slice) => slice.counts))
  await setImmediate()
  return { at, weeks: known, ...(await anomaliesAt(series, at, weekly[known]!.from, followers)) }
}

/** Reads what is not kept of these spans. */
async function read(
  calls: Pick<CallStore, 'attempts'>,
  owner: Owner,
  at: number,
  slices: Slices,
  spans: readonly Span[],
) {
  for (const span of unread(slices, spans)) {
    const counts = await calls.attempts(owner, span, STEP_MS)
    const bySlice = Map.groupBy(counts, (c) => c.at)
    for (let from = span.from; from < span.to; from += STEP_MS)
      slices.set(from, {
        counts: bySlice.get(from) ?? [],
        isFinal: from + LONGEST_MS + LATE_MS <= at,
      })
  }
}

/** Every call has an account, if its component says so, and most have a carrier. */
const callsIn = (counts: readonly AttemptCounts[]) =>
  Math.max(
    ...(['account', 'carrier'] as const).map((kind) =>
      counts.reduce((sum, one) => (one.kind === kind ? sum + one.calls : sum), 0),
    ),
  )

function countsIn(slices: Slices, { from, to }: Span): AttemptCounts[] {
  const counts: AttemptCounts[] = []
  for (let at = from; at < to; at += STEP_MS) counts.push(...slices.get(at)!.counts)
  return counts
}

/** The parts of spans that are not kept, or not final. */
function unread(slices: Slices, spans: readonly Span[]): Span[] {
  const parts: Span[] = []
  for (const { from, to } of spans) {
    let part: Span | undefined
    for (let at = from; at < to; at += STEP_MS) {
      if (slices.get(at)?.isFinal) part = undefined
      else if (part) part.to = at + STEP_MS
      else {
        part = { from: at, to: at + STEP_MS }
        parts.push(part)
      }
    }
  }
  return parts
}
