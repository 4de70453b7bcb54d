import { t } from '../wire/text.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** When the day of a moment begins in a time zone, or one of the days before. */
export function startOfDay(clock: (ms: number) => number, ms: number, daysBefore = 0): number {
  const wanted = (Math.floor(clock(ms) / DAY) - daysBefore) * DAY
  const near = wanted - (clock(ms) - ms)
  // the clock may have been changed in between
  return wanted - (clock(near) - near)
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

/**
 * When the last so many days begin, in milliseconds since 1970: that many times 24 hours, of which the current hour is
 * the last. Lists and figures cover the same calls by it, and seven days hold each hour of the week once. `days` in a
 * query is the platform's, which counts from the moment it is asked.
 */
export const lastDaysFrom = (days: number, now: number) =>
  Math.floor(now / HOUR) * HOUR + HOUR - days * DAY

export const END_BEFORE_START = t('The end is before the start')
