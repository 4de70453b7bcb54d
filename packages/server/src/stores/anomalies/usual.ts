import {
  addSums,
  noSums,
  STEP_MS,
  type Steps,
  type SubjectSeries,
  type Sums,
} from './subject-series.ts'

export const WEEKS = 4
export const WEEK_MS = 7 * 86_400_000
/** Windows up to this far from the same time of the week belong to the baseline. */
export const AROUND_MS = 3_600_000

/** A window at the same time in one of the last weeks, or of days. Those around it are read when they are needed. */
export class Week {
  same: Sums
  #series: SubjectSeries
  #end: number
  #steps: Steps
  #reach: number
  #around: Sums[] | undefined
  #total: Sums | undefined

  constructor(series: SubjectSeries, end: number, steps: Steps, around_ms = AROUND_MS) {
    this.same = series.window(end, steps)
    this.#series = series
    this.#end = end
    this.#steps = steps
    this.#reach = reachOf(steps, around_ms)
  }

  get around(): Sums[] {
    if (this.#around) return this.#around
    const length = this.#steps * STEP_MS
    this.#around = []
    for (let at = this.#end - this.#reach; at <= this.#end + this.#reach; at += length)
      this.#around.push(this.#series.window(at, this.#steps))
    return this.#around
  }

  get total(): Sums {
    if (this.#total) return this.#total
    this.#total = noSums()
    for (const sums of this.around) addSums(this.#total, sums)
    return this.#total
  }
}

const reachOf = (steps: Steps, around_ms: number) =>
  Math.floor(around_ms / (steps * STEP_MS)) * steps * STEP_MS

/** The weeks on record before a window. `since`: the oldest records of anybody. */
export function weeksOf(series: SubjectSeries, end: number, steps: Steps, since: number): Week[] {
  const weeks: Week[] = []
  for (let then = end - WEEK_MS; weeks.length < WEEKS; then -= WEEK_MS) {
    if (then - reachOf(steps, AROUND_MS) - steps * STEP_MS < since) break
    weeks.push(new Week(series, then, steps))
  }
  return weeks
}

export const DAY_MS = 86_400_000
export const DAYS = 7

/** Days that end at `end`, at any hour: for subjects with too few calls at this hour of the week. */
export const daysOf = (series: SubjectSeries, end: number, steps: Steps): Week[] =>
  Array.from(
    { length: DAYS },
    (_, i) => new Week(series, end - (i + 0.5) * DAY_MS, steps, DAY_MS / 2 - steps * STEP_MS),
  )

/** The weeks without the highest and the lowest, so that one bad week does not change the baseline. */
export function middle(weeks: readonly Week[], by: (total: Sums) => number): Week[] {
  const known = weeks
    .filter(({ total }) => Number.isFinite(by(total)))
    .sort((a, b) => by(a.total) - by(b.total))
  return known.length > 2 ? known.slice(1, -1) : known
}

export function pooled(weeks: readonly Week[]): Sums {
  const sum = noSums()
  for (const { total } of weeks) addSums(sum, total)
  return sum
}

/** One bad hour in four weeks may not hide the next. */
const MOST_SQUARED = 16

/** The mean of squared deviations, each capped. At least 1, which is pure chance. */
export function dispersionOf(squares: readonly number[]): number {
  const capped = squares.map((s) => Math.min(MOST_SQUARED, s))
  return Math.max(1, capped.reduce((a, b) => a + b, 0) / Math.max(1, capped.length))
}
