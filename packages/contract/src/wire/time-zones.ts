/** `time_zone` of those who want the time zone of their browser, wherever they are. */
export const LOCAL_TIME = 'local'

/**
 * A clock of a time zone: a moment as milliseconds since 1970 by that clock, so that the UTC methods of a `Date` read
 * it. Throws a `RangeError` for a zone that does not exist.
 */
export function zoneClock(timeZone: string): (ms: number) => number {
  if (timeZone === 'UTC') return (ms) => ms
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (ms) => {
    const read: Record<string, number> = {}
    for (const { type, value } of parts.formatToParts(ms)) read[type] = Number(value)
    const { year = 0, month = 1, day, hour, minute, second } = read
    return (
      Date.UTC(year, month - 1, day, hour, minute, second) + (ms - Math.floor(ms / 1_000) * 1_000)
    )
  }
}

const DAY_MS = 86_400_000

/**
 * The moment at which a clock shows a time, both in milliseconds since 1970. The first one if the clock was put back
 * and shows it twice; if it was put forward past it, the moment that would have been that time.
 */
export function momentAt(clock: (ms: number) => number, local: number): number {
  // clocks are not changed twice within two days
  const [before, after] = [local - DAY_MS, local + DAY_MS].map((ms) => local - (clock(ms) - ms))
  return clock(before!) !== local && clock(after!) === local ? after! : before!
}

/** True if this runtime knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    zoneClock(name)
    return true
  } catch {
    return false
  }
}
