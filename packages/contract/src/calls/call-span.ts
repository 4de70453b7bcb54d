import { t } from '../wire/text.ts'
import { momentAt } from '../wire/time-zones.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Returns the beginning, in a time zone, of the day of a moment, or of a day before. */
export function startOfDay(clock: (ms: number) => number, ms: number, daysBefore = 0): number {
  return momentAt(clock, (Math.floor(clock(ms) / DAY) - daysBefore) * DAY)
}

/** The hour of the week by a clock, from Monday 0:00. */
export function hourOfWeek(clock: (ms: number) => number, ms: number): number {
  const date = new Date(clock(ms))
  return ((date.getUTCDay() + 6) % 7) * 24 + date.getUTCHours()
}

/** The full hours of the day of a moment: from the first one to begin in it, to the first of the next day. */
export function hoursOfDay(clock: (ms: number) => number, ms: number): [from: number, to: number] {
  const dayOf = (hour: number) => Math.floor(clock(hour) / DAY)
  const hour = Math.floor(ms / HOUR) * HOUR
  let [from, to] = [hour, hour + HOUR]
  while (dayOf(from - HOUR) === dayOf(hour)) from -= HOUR
  while (dayOf(to) === dayOf(hour)) to += HOUR
  return [from, to]
}

const QUARTER = 15 * MINUTE

/** The hour of a moment by a clock, which begins at any quarter of an hour. */
export function hourOf(clock: (ms: number) => number, ms: number): [from: number, to: number] {
  const from = ms - (((clock(ms) % HOUR) + HOUR) % HOUR)
  return [from, from + HOUR]
}

/** The day of a moment by a clock. Zones are whole quarters of an hour from UTC. */
export function dayOf(clock: (ms: number) => number, ms: number): [from: number, to: number] {
  const numberOf = (at: number) => Math.floor(clock(at) / DAY)
  const day = numberOf(ms)
  let from = Math.floor(ms / QUARTER) * QUARTER
  let to = from + QUARTER
  for (const step of [HOUR, QUARTER]) while (numberOf(from - step) === day) from -= step
  while (numberOf(to) === day) to += HOUR
  while (numberOf(to - QUARTER) !== day) to -= QUARTER
  return [from, to]
}

const LATEST = 8.64e15 - DAY

/** True if hours of a clock begin within hours of UTC at any time of a span, of which the last year is looked at. */
export function hasPartHours(
  clock: (ms: number) => number,
  { from, to }: { from: number; to: number },
): boolean {
  const end = Math.min(to, LATEST)
  const isPart = (ms: number) => (clock(ms) - ms) % HOUR !== 0
  // half an hour may be that of the summer
  for (let at = Math.max(from, end - 366 * DAY); at < end; at += 30 * DAY)
    if (isPart(at)) return true
  return isPart(end)
}

/**
 * When the last so many days begin, in milliseconds since 1970: that many times 24 hours before the current minute.
 * Lists, figures, exports and `days` in a query cover the same calls by it.
 */
export const lastDaysFrom = (days: number, now: number) =>
  Math.floor(now / MINUTE) * MINUTE - days * DAY

export const END_BEFORE_START = t('The end is before the start')
