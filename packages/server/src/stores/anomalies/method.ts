import { setImmediate } from 'node:timers/promises'
import { ANSWERED, decided, MEASURES, type MeasureName, type Reading } from './measures.ts'
import {
  keyOf,
  LONGEST,
  STEP_MS,
  type Subject,
  type SubjectSeries,
  WINDOWS,
} from './subject-series.ts'
import { AROUND_MS, DAY_MS, DAYS, daysOf, WEEK_MS, WEEKS, weeksOf } from './usual.ts'

/** A measure that differs from its baseline by more than chance explains (docs/adr/032-anomalies.md). */
export type Anomaly = Subject & {
  measure: MeasureName
  /** In milliseconds: the begin of the window in which it was found. */
  since: number
  /** The window that shows it best now. `to` is exclusive. */
  from: number
  to: number
  p: number
} & Omit<Reading, 'p' | 'matters'>

/** Looks to replay at a start, so that no state outlives a process. */
export const REPLAY_MS = 3 * 3_600_000
/** Looks in a row without a sign, until a finding ends. */
const QUIET_LOOKS = 5
/** Probability below which a finding goes on. */
const GOES_ON = 0.05
const LOOKS_A_WEEK = WEEK_MS / STEP_MS
/** Expected false alarms a week. Of the one that is allowed, most is left for traffic that no model fits. */
const ALARMS_A_WEEK = 0.3
/** Most subjects of a kind, the busiest first. Others have too few calls to tell anything. */
export const MOST_SUBJECTS = 50

/** A subject that could not be judged, and why. */
export type Unjudged = Subject & { reason: 'too_few_calls' | 'too_little_history' | 'not_busiest' }
export type Judgement = {
  anomalies: Anomaly[]
  judged: number
  unjudged: Unjudged[]
  /** All subjects with calls, judged or not. */
  subjects: Subject[]
}

const LONGEST_MS = LONGEST * STEP_MS
/** Time before which calls belong to the baseline only. */
const presentFrom = (now: number) => now - REPLAY_MS - LONGEST_MS

/** The days before, whole ones of each look that is gone through. */
export const daysBefore = (now: number) => ({
  from: presentFrom(now) - REPLAY_MS - LONGEST_MS - DAYS * DAY_MS,
  to: presentFrom(now),
})

/** The times whose calls a look at `now` needs, newest first. */
export function spansFor(now: number) {
  const present = { from: presentFrom(now), to: now }
  const weeks = Array.from({ length: WEEKS }, (_, i) => ({
    from: present.from - AROUND_MS - (i + 1) * WEEK_MS,
    to: Math.min(present.from, now + AROUND_MS - (i + 1) * WEEK_MS),
  }))
  return [present, ...weeks]
}

/** Fewer calls in all of the spans than any measure needs. */
const LEAST_CALLS = 60

/** The reason a subject cannot be judged: too few calls now, or too few before. */
const lacking = (series: SubjectSeries, now: number) =>
  decided(series.window(now, LONGEST)) < ANSWERED.least ? 'too_few_calls' : 'too_little_history'

/** The busiest subjects of each kind, and which of the others cannot be judged. */
function busiest(all: readonly SubjectSeries[], now: number) {
  const counts = new Map<string, number>()
  const subjects: SubjectSeries[] = []
  const unjudged: Unjudged[] = []
  for (const series of all) {
    const { kind, direction } = series.subject
    const n = (counts.get(`${kind} ${direction}`) ?? 0) + 1
    counts.set(`${kind} ${direction}`, n)
    const isSmall = series.calls < LEAST_CALLS
    if (!isSmall && n <= MOST_SUBJECTS) subjects.push(series)
    else
      unjudged.push({ ...series.subject, reason: isSmall ? lacking(series, now) : 'not_busiest' })
  }
  return { subjects, unjudged }
}

/** Followers of the subjects until the previous look, by subject. */
export type Followers = Map<string, Follower>

/**
 * Anomalies at `now`, a full step, least likely first; and the subjects that could not be judged. `since`: the oldest
 * records. `followers` continue from where they are, and are replaced by those of the present subjects.
 */
export async function anomaliesAt(
  all: readonly SubjectSeries[],
  now: number,
  since: number,
  followers: Followers = new Map(),
): Promise<Judgement> {
  const { subjects, unjudged } = busiest(all, now)
  const limit = limitFor(subjects.length)
  const anomalies: Anomaly[] = []
  const before = new Map(followers)
  followers.clear()
  for (const series of subjects) {
    const key = keyOf(series.subject)
    const follower = new Follower(series, since, limit, before.get(key))
    followers.set(key, follower)
    const first = Math.max(now - REPLAY_MS, follower.last + STEP_MS)
    for (let at = first; at < now; at += STEP_MS) follower.look(at)
    anomalies.push(...follower.look(now))
    const reason = follower.whyUnjudged(now)
    if (reason) unjudged.push({ ...series.subject, reason })
    // some milliseconds each, on the thread that everybody waits for
    await setImmediate()
  }
  anomalies.sort((a, b) => a.p - b.p || b.calls - a.calls)
  return {
    anomalies,
    judged: all.length - unjudged.length,
    unjudged,
    subjects: all.map(({ subject }) => subject),
  }
}

/**
 * Probability limit of a finding, per step of its window, so that chance finds less than `ALARMS_A_WEEK`. Looks at
 * windows that share most of their calls are one chance, not many: a long window has fewer chances in a week.
 */
export const limitFor = (subjects: number) =>
  ALARMS_A_WEEK /
  (LOOKS_A_WEEK * Math.max(1, subjects) * NAMES.length * WINDOWS.length * WINDOWS[0])

// the keys of an object of ours
const NAMES = Object.keys(MEASURES) as MeasureName[]

type Shown = Reading & { steps: number }

/** Follows one subject from look to look. A finding opens on strong evidence, and goes on with weak evidence. */
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

  /** The anomalies at a look, which comes one step after the last. */
  look(at: number): Anomaly[] {
    this.last = at
    const windows = this.#windows(at)
    const read = (measure: MeasureName, always: boolean) =>
      windows.flatMap(({ steps, now, past }): Shown[] => {
        const reading = MEASURES[measure](now, past, always)
        return reading ? [{ ...reading, steps }] : []
      })
    return NAMES.flatMap((measure) => this.#follow(measure, at, read) ?? [])
  }

  /** The reason nothing can be told at a look; undefined if something can. */
  whyUnjudged(at: number): Unjudged['reason'] | undefined {
    const windows = this.#windows(at)
    const tells = ({ now, past }: (typeof windows)[number]) =>
      NAMES.some((measure) => MEASURES[measure](now, past, true) !== undefined)
    if (windows.some(tells)) return undefined
    return lacking(this.#series, at)
  }

  #windows = (at: number) =>
    WINDOWS.map((steps) => ({
      steps,
      now: this.#series.window(at, steps),
      past: {
        weeks: weeksOf(this.#series, at, steps, this.#since),
        days: () => daysOf(this.#series, at - REPLAY_MS - LONGEST_MS, steps),
      },
    }))

  #follow(
    measure: MeasureName,
    at: number,
    read: (measure: MeasureName, always: boolean) => Shown[],
  ): Anomaly | undefined {
    let open = this.#open.get(measure)
    const strong = open
      ? undefined
      : read(measure, false).find((r) => r.matters && r.p() < this.#limit * r.steps)
    if (!open && !strong) return undefined
    const readings = read(measure, true)
    // the shortest conclusive window tells best whether it goes on
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
    return {
      ...this.#series.subject,
      measure,
      since: open.since,
      from: at - steps * STEP_MS,
      to: at,
      ...best,
    }
  }
}
