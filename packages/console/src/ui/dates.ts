// In English, like the rest of the console, and in the user's time zone. Formatters are made when they are first used: a
// page takes 12 ms for the first, and many show no date.
const DAY = { month: 'short', day: '2-digit', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

function once<T>(make: () => T) {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const day = once(() => new Intl.DateTimeFormat('en-US', DAY))
const utcDay = once(() => new Intl.DateTimeFormat('en-US', { ...DAY, timeZone: 'UTC' }))
const clock = once(() => new Intl.DateTimeFormat('en-US', CLOCK))
const fineClock = once(
  () => new Intl.DateTimeFormat('en-US', { ...CLOCK, fractionalSecondDigits: 3 }),
)

/** The time zone of every date on screen. Said once per page, where its first date is. */
export const zoneText = once(() => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu)$/.test(timeZone) ? 'UTC' : timeZone.replaceAll('_', ' ')
})

type DateLike = string | number | Date

/** Databases answer times without a zone, and mean UTC. */
export function readTime(value: DateLike): Date {
  if (typeof value !== 'string' || /(?:z|[+-]\d\d:?\d\d)$/i.test(value)) return new Date(value)
  // a date alone is parsed as UTC
  return new Date(value.length > 10 ? `${value.replace(' ', 'T')}Z` : value)
}

/** `Nov 22, 2026` */
export const dayText = (at: DateLike) => day().format(readTime(at))

/** `Nov 22, 2026` for a day in UTC, as in statistics. */
export const utcDayText = (at: DateLike) => utcDay().format(readTime(at))

/** `13:01:58` */
export const clockText = (at: DateLike) => clock().format(readTime(at))

/** `Nov 22, 2026, 13:01:58` */
export const timeText = (at: DateLike) => `${dayText(at)}, ${clockText(at)}`

/** `Nov 22, 2026, 13:01:58.250`, where milliseconds matter. */
export const fineTimeText = (at: DateLike) => `${dayText(at)}, ${fineClock().format(readTime(at))}`

/** `Nov 22, 2026, 13:01:58 UTC`: for a date that stands alone, or is the first of a page. */
export const zonedText = (at: DateLike) => `${timeText(at)} ${zoneText()}`

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

const NEAREST: Partial<Record<(typeof STEPS)[number][0], [before: string, after: string]>> = {
  day: ['yesterday', 'tomorrow'],
  month: ['last month', 'next month'],
  year: ['last year', 'next year'],
}

/**
 * A time by its distance from now: `5 minutes ago`, `yesterday`, `in 2 months`. Without `Intl`, whose first use a list
 * would wait for.
 */
export function agoText(then: Date, now = Date.now()): string {
  let n = (then.getTime() - now) / 1000
  for (const [unit, size] of STEPS) {
    if (Math.abs(n) < size) {
      if (unit === 'second') return 'just now'
      const count = Math.round(Math.abs(n))
      const nearest = count === 1 && NEAREST[unit]
      if (nearest) return nearest[n < 0 ? 0 : 1]
      const span = `${count} ${unit}${count === 1 ? '' : 's'}`
      return n < 0 ? `${span} ago` : `in ${span}`
    }
    n /= size
  }
  return ''
}
