import type { AttemptCounts } from '../calls/store.ts'

/** How often is looked, and the grain of all windows. */
export const STEP_MS = 3 * 60_000
/** The lengths of the windows that end at a look, in steps. */
export const WINDOWS = [3, 5, 10, 20, 40, 80] as const
export type Steps = (typeof WINDOWS)[number]
export const LONGEST = WINDOWS[5]

export type Subject = Pick<AttemptCounts, 'kind' | 'id' | 'direction'>
export type Sums = Omit<AttemptCounts, keyof Subject | 'at' | 'slices_to_end'>

export const keyOf = ({ kind, id, direction }: Subject) => `${kind} ${direction} ${id}`

export const noSums = (): Sums => ({
  calls: 0,
  answered: 0,
  not_answered: 0,
  waits: 0,
  wait_ms: 0,
  log_wait: 0,
  log_wait_squared: 0,
})

export function addSums(to: Sums, from: Sums) {
  to.calls += from.calls
  to.answered += from.answered
  to.not_answered += from.not_answered
  to.waits += from.waits
  to.wait_ms += from.wait_ms
  to.log_wait += from.log_wait
  to.log_wait_squared += from.log_wait_squared
}

/** The calls of one subject. */
export class SubjectSeries {
  subject: Subject
  calls = 0
  /** By the number of the slice: small numbers, which maps find faster than times. */
  #slices = new Map<number, AttemptCounts[]>()
  /** By length, then by the number of the slice after it. */
  #windows = new Map(WINDOWS.map((steps) => [steps, new Map<number, Sums>()]))

  constructor(subject: Subject) {
    this.subject = subject
  }

  add(counts: AttemptCounts) {
    this.calls += counts.calls
    const slice = counts.at / STEP_MS
    const kept = this.#slices.get(slice)
    if (kept) kept.push(counts)
    else this.#slices.set(slice, [counts])
  }

  /**
   * What was on record at `end` of the calls that began in the `steps` before. A call is recorded once it has ended,
   * so a window of weeks ago is read as it was then: calls that were still going on are left out on both sides.
   */
  window(end: number, steps: Steps): Sums {
    const after = end / STEP_MS
    const kept = this.#windows.get(steps)!
    let sums = kept.get(after)
    if (sums) return sums
    sums = noSums()
    for (let slice = after - steps; slice < after; slice++)
      for (const counts of this.#slices.get(slice) ?? NONE)
        if (slice + counts.slices_to_end < after) addSums(sums, counts)
    kept.set(after, sums)
    return sums
  }
}
const NONE: AttemptCounts[] = []

/** The subjects of some counts, busiest first. */
export function seriesOf(counts: Iterable<AttemptCounts>): SubjectSeries[] {
  const found = new Map<string, SubjectSeries>()
  for (const one of counts) {
    const { kind, id, direction } = one
    const key = keyOf(one)
    const series = found.get(key) ?? new SubjectSeries({ kind, id, direction })
    found.set(key, series)
    series.add(one)
  }
  return [...found.values()].sort((a, b) => b.calls - a.calls)
}
