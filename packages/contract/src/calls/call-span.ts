const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * When the last so many days begin, in milliseconds since 1970: that many times 24 hours, of which the current hour is
 * the last. Lists and figures cover the same calls by it, and seven days hold each hour of the week once. `days` in a
 * query is the platform's, which counts from the moment it is asked.
 */
export const lastDaysFrom = (days: number, now: number) =>
  Math.floor(now / HOUR) * HOUR + HOUR - days * DAY

export const END_BEFORE_START = 'The end is before the start'
