import { LOCALE, plural, t } from '@switchroom/contract'
import { chosenTimeZone, timeZone } from './time-zone'

// In the language of the console, and in the user's time zone. Formatters are made when they are first used: a
// page takes 12 ms for the first, and many show no date.
const DAY = { month: 'short', day: '2-digit', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

/** Makes a value once for the time zone on screen, which may be chosen anew. */
function once<T>(make: (timeZone: string | undefined) => T) {
  let made: { zone: string | undefined; value: T } | undefined
  return () => {
    const zone = chosenTimeZone()
    if (made?.zone !== zone || !made) made = { zone, value: make(zone) }
    return made.value
  }
}

const formatter = (options: Intl.DateTimeFormatOptions) =>
  once((timeZone) => new Intl.DateTimeFormat(LOCALE, { ...options, timeZone }))

const day = formatter(DAY)
const weekday = formatter({ weekday: 'short', month: 'short', day: 'numeric' })
const clock = formatter(CLOCK)
const fineClock = formatter({ ...CLOCK, fractionalSecondDigits: 3 })

/** The time zone of every date on screen. Said once per page, where its first date is. */
export const zoneText = once(() => {
  const zone = timeZone()
  return /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu)$/.test(zone) ? 'UTC' : zone.replaceAll('_', ' ')
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

/** `Sun, Nov 22` */
export const weekdayText = (at: DateLike) => weekday().format(readTime(at))

/** `13:01:58` */
export const clockText = (at: DateLike) => clock().format(readTime(at))

/** `Nov 22, 2026, 13:01:58` */
export const timeText = (at: DateLike) => `${dayText(at)}, ${clockText(at)}`

/** `Nov 22, 2026, 13:01:58.250`, where milliseconds matter. */
export const fineTimeText = (at: DateLike) => `${dayText(at)}, ${fineClock().format(readTime(at))}`

/** `Nov 22, 2026, 13:01:58 UTC`: for a date that stands alone, or is the first of a page. */
export const zonedText = (at: DateLike) => `${timeText(at)} ${zoneText()}`

type Unit = {
  /** Number of these in the next larger unit. */
  size: number
  ago: (n: number) => string
  ahead: (n: number) => string
  /** One of them, where it has a name. */
  last?: string
  next?: string
}
const UNITS: readonly Unit[] = [
  {
    size: 60,
    ago: (n) => plural(n, '1 minute ago|{n} minutes ago'),
    ahead: (n) => plural(n, 'in 1 minute|in {n} minutes'),
  },
  {
    size: 24,
    ago: (n) => plural(n, '1 hour ago|{n} hours ago'),
    ahead: (n) => plural(n, 'in 1 hour|in {n} hours'),
  },
  {
    size: 30,
    ago: (n) => plural(n, '1 day ago|{n} days ago'),
    ahead: (n) => plural(n, 'in 1 day|in {n} days'),
    last: t('yesterday'),
    next: t('tomorrow'),
  },
  {
    size: 12,
    ago: (n) => plural(n, '1 month ago|{n} months ago'),
    ahead: (n) => plural(n, 'in 1 month|in {n} months'),
    last: t('last month'),
    next: t('next month'),
  },
  {
    size: Number.POSITIVE_INFINITY,
    ago: (n) => plural(n, '1 year ago|{n} years ago'),
    ahead: (n) => plural(n, 'in 1 year|in {n} years'),
    last: t('last year'),
    next: t('next year'),
  },
]

/**
 * A time by its distance from now: `5 minutes ago`, `yesterday`, `in 2 months`. Without `Intl`, whose first use a list
 * would wait for.
 */
export function agoText(then: Date, now = Date.now()): string {
  const past = then.getTime() < now
  let n = Math.abs(then.getTime() - now) / 60_000
  if (n < 1) return t('just now')
  for (const { size, ago, ahead, last, next } of UNITS) {
    if (n < size) {
      const count = Math.round(n)
      const named = count === 1 && (past ? last : next)
      return named || (past ? ago(count) : ahead(count))
    }
    n /= size
  }
  return ''
}
