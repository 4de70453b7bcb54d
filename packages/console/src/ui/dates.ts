// In English, like the rest of the console, and in the user's time zone. Without Intl: a page takes 12 ms for the first of
// its formatters, before it could show a row.

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const digits = (n: number, length = 2) => String(n).padStart(length, '0')
const dayOf = (year: number, month: number, day: number) =>
  `${MONTHS[month]} ${digits(day)}, ${year}`

let zone: string | undefined
/** The time zone of every date on screen. Said once per page, where its first date is. */
export function zoneText() {
  if (zone === undefined) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    zone = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu)$/.test(timeZone) ? 'UTC' : timeZone.replaceAll('_', ' ')
  }
  return zone
}

type DateLike = string | number | Date

/** Databases answer times without a zone, and mean UTC. */
export function readTime(value: DateLike): Date {
  if (typeof value !== 'string' || /(?:z|[+-]\d\d:?\d\d)$/i.test(value)) return new Date(value)
  // a date alone is parsed as UTC
  return new Date(value.length > 10 ? `${value.replace(' ', 'T')}Z` : value)
}

/** `Nov 22, 2026` */
export function dayText(at: DateLike) {
  const time = readTime(at)
  return dayOf(time.getFullYear(), time.getMonth(), time.getDate())
}

/** `Nov 22, 2026` for a day in UTC, as in statistics. */
export function utcDayText(at: DateLike) {
  const time = readTime(at)
  return dayOf(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate())
}

/** `13:01:58` */
export function clockText(at: DateLike) {
  const time = readTime(at)
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((n) => digits(n)).join(':')
}

/** `Nov 22, 2026, 13:01:58` */
export const timeText = (at: DateLike) => `${dayText(at)}, ${clockText(at)}`

/** `Nov 22, 2026, 13:01:58.250`, where milliseconds matter. */
export const fineTimeText = (at: DateLike) =>
  `${timeText(at)}.${digits(readTime(at).getMilliseconds(), 3)}`

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
type Unit = (typeof STEPS)[number][0]

/** Those with a word of their own: one before, and one after. */
const NEXT_TO_NOW: Partial<Record<Unit, readonly [string, string]>> = {
  day: ['yesterday', 'tomorrow'],
  month: ['last month', 'next month'],
  year: ['last year', 'next year'],
}

/** `5 minutes ago`, `yesterday`, `in 2 months`; `n` is not 0. */
function relativeText(n: number, unit: Unit) {
  const count = Math.abs(n)
  const [before, after] = (count === 1 && NEXT_TO_NOW[unit]) || []
  if (before && after) return n < 0 ? before : after
  const text = `${count} ${unit}${count === 1 ? '' : 's'}`
  return n < 0 ? `${text} ago` : `in ${text}`
}

/** A time by its distance from now. */
export function agoText(then: Date, now = Date.now()): string {
  let n = (then.getTime() - now) / 1000
  for (const [unit, size] of STEPS) {
    if (Math.abs(n) < size)
      return unit === 'second' ? 'just now' : relativeText(Math.round(n), unit)
    n /= size
  }
  return ''
}
