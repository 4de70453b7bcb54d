import { setImmediate } from 'node:timers/promises'
import type { SubjectKind } from '../calls.ts'
import { MEASURES, type MeasureName, type Reading } from './measures.ts'
import { STEP_MS, type SubjectSeries, WINDOWS } from './subject-series.ts'
import { AROUND_MS, WEEK_MS, WEEKS, weeksOf } from './usual.ts'

/** What is out of the ordinary (docs/adr/032-anomalies.md). */
export type Anomaly = {
  kind: SubjectKind
  id: string
  measure: MeasureName
  /** In milliseconds: the begin of the window in which it was found. */
  since: number
  /** The window that shows it best now. `to` is exclusive. */
  from: number
  to: number
  p: number
} & Omit<Reading, 'p' | 'matters'>

/** Whoever looks anew goes through the looks of this span first, so that no state outlives a process. */
export const REPLAY_MS = 3 * 3_600_000
/** Looks in a row without a sign, until a finding ends. */
const QUIET_LOOKS = 5
/** A sign that a finding goes on. */
const GOES_ON = 0.05
const LOOKS_A_WEEK = WEEK_MS / STEP_MS
/** Expected false alarms a week. Of the one that is allowed, most is left for traffic that no model fits. */
const ALARMS_A_WEEK = 0.3
/** The busiest of each kind. Of others hardly anything could be told. */
const MOST_SUBJECTS = 50

/** The times whose calls a look at `now` needs, newest first. */
export function spansFor(now: number) {
  const longest = Math.max(...WINDOWS) * STEP_MS
  const present = { from: now - REPLAY_MS - longest, to: now }
  const weeks = Array.from({ length: WEEKS }, (_, i) => ({
    from: present.from - AROUND_MS - (i + 1) * WEEK_MS,
    to: Math.min(present.from, now + AROUND_MS - (i + 1) * WEEK_MS),
  }))
  return [present, ...weeks]
}

/** Fewer calls in all of the spans than any measure needs. */
const LEAST_CALLS = 60

/** Only the busiest subjects of each kind. */
function busiest(all: readonly SubjectSeries[]) {
  const counts = new Map<SubjectKind, number>()
  return all.filter(({ kind, calls }) => {
    if (calls < LEAST_CALLS) return false
    const n = (counts.get(kind) ?? 0) + 1
    counts.set(kind, n)
    return n <= MOST_SUBJECTS
  })
}

/** Those who followed the subjects until the look before, by subject. */
export type Followers = Map<string, Follower>

/**
 * Everything out of the ordinary at `now`, a full step. Least likely first. `since`: the oldest records. `followers`
 * go on from where they are, and are replaced by those of the present subjects.
 */
export async function anomaliesAt(
  all: readonly SubjectSeries[],
  now: number,
  since: number,
  followers: Followers = new Map(),
): Promise<Anomaly[]> {
  const subjects = busiest(all)
  const limit = limitFor(subjects.length)
  const anomalies: Anomaly[] = []
  const before = new Map(followers)
  followers.clear()
  for (const series of subjects) {
    const key = `${series.kind} ${series.id}`
    const follower = new Follower(series, since, limit, before.get(key))
    followers.set(key, follower)
    const first = Math.max(now - REPLAY_MS, follower.last + STEP_MS)
    for (let at = first; at < now; at += STEP_MS) follower.look(at)
    anomalies.push(...follower.look(now))
    // some milliseconds each, on the thread that everybody waits for
    await setImmediate()
  }
  return anomalies.sort((a, b) => a.p - b.p || b.calls - a.calls)
}

/** How unlikely a finding must be, so that chance finds less than `ALARMS_A_WEEK`. */
export const limitFor = (subjects: number) =>
  ALARMS_A_WEEK / (LOOKS_A_WEEK * Math.max(1, subjects) * NAMES.length * WINDOWS.length)

// the keys of an object of ours
const NAMES = Object.keys(MEASURES) as MeasureName[]

type Shown = Reading & { steps: number }

/** Follows one subject from look to look. A finding opens on strong evidence, and goes on on weak. */
export class Follower {
  #series: SubjectSeries
  #since: number
  #limit: number
  #open: Map<MeasureName, { since: number; quiet: number }>
  /** The last look. */
  last = Number.NEGATIVE_INFINITY

  /** `before`: who followed the subject until now. */
  constructor(series: SubjectSeries, since: number, limit: number, before?: Follower) {
    this.#series = series
    this.#since = since
    this.#limit = limit
    this.#open = before ? before.#open : new Map()
    if (before) this.last = before.last
  }

  /** What is out of the ordinary at a look, which comes a step after the one before. */
  look(at: number): Anomaly[] {
    this.last = at
    const windows = WINDOWS.map((steps) => ({
      steps,
      now: this.#series.window(at, steps),
      weeks: weeksOf(this.#series, at, steps, this.#since),
    }))
    const read = (measure: MeasureName, always: boolean) =>
      windows.flatMap(({ steps, now, weeks }): Shown[] => {
        const reading = MEASURES[measure](now, weeks, always)
        return reading ? [{ ...reading, steps }] : []
      })
    return NAMES.flatMap((measure) => this.#follow(measure, at, read) ?? [])
  }

  #follow(
    measure: MeasureName,
    at: number,
    read: (measure: MeasureName, always: boolean) => Shown[],
  ): Anomaly | undefined {
    let open = this.#open.get(measure)
    const strong = open
      ? undefined
      : read(measure, false).find((r) => r.matters && r.p() < this.#limit)
    if (!open && !strong) return undefined
    const readings = read(measure, true)
    // the shortest window that tells anything knows best whether it goes on
    const [shortest] = readings
    const goesOn = shortest !== undefined && shortest.p() < GOES_ON
    if (strong && goesOn) open = { since: at - strong.steps * STEP_MS, quiet: 0 }
    else if (open) open.quiet = goesOn ? 0 : open.quiet + 1
    if (!open || !shortest || open.quiet >= QUIET_LOOKS) {
      this.#open.delete(measure)
      return undefined
    }
    this.#open.set(measure, open)
    const known = readings.map((r) => ({ ...r, p: r.p() }))
    const { steps, matters: _, ...best } = known.reduce((a, b) => (b.p < a.p ? b : a))
    const { kind, id } = this.#series
    return { kind, id, measure, since: open.since, from: at - steps * STEP_MS, to: at, ...best }
  }
}
