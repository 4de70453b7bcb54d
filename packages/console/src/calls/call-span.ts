import { hourOfWeek, lastDaysFrom, startOfDay, t } from '@switchroom/contract'
import { localClock } from '../ui/time-zone'

/** Date filters for calls, named as in the specification. */
export const CALL_DATES = [
  { value: 'today', label: t('Today') },
  { value: 'yesterday', label: t('Yesterday') },
  { value: '7', label: t('Last 7d') },
  { value: '14', label: t('Last 14d') },
  { value: '30', label: t('Last 30d') },
] as const
export type CallDate = (typeof CALL_DATES)[number]['value']
export const isCallDate = (value: unknown): value is CallDate =>
  CALL_DATES.some((d) => d.value === value)

const HOUR = 3_600_000

/** Midnight in the time zone on screen. */
const midnight = (now: number, daysBefore = 0) => new Date(startOfDay(localClock, now, daysBefore))

/** The date filter as the list's query, open-ended so that new calls appear. */
export function spanQuery(date: CallDate, now = Date.now()) {
  if (date === 'today') return { start: midnight(now).toISOString() }
  if (date !== 'yesterday')
    return { start: new Date(lastDaysFrom(Number(date), now)).toISOString() }
  const end = new Date(midnight(now).getTime() - 1)
  return { start: midnight(now, 1).toISOString(), end: end.toISOString() }
}

export type Ends = { start: number; end: number }

/**
 * The date filter with both ends (inclusive), so that figures and the lists behind them cover the same calls.
 */
export function endsOf(date: CallDate, now: number): Ends {
  if (date === 'today') return { start: midnight(now).getTime(), end: now }
  if (date === 'yesterday')
    return { start: midnight(now, 1).getTime(), end: midnight(now).getTime() - 1 }
  return { start: lastDaysFrom(Number(date), now), end: now }
}

/** ISO timestamps for a query or URL. */
export const isoEnds = ({ start, end }: Ends) => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
})

/** The part of a span that starts at `from` and lasts `length` ms. */
export const partOf = ({ start, end }: Ends, from: number, length: number): Ends => ({
  start: Math.max(start, from),
  end: Math.min(end, from + length - 1),
})

const DAY = 24 * HOUR

/** The period before: as many days, the whole day, or as much of it as has passed of today. */
export function endsBefore(date: CallDate, { start, end }: Ends): Ends {
  // a day has 23 or 25 hours when the clocks change
  const before =
    date === 'today' || date === 'yesterday'
      ? midnight(start, 1).getTime()
      : start - Number(date) * DAY
  return {
    start: before,
    end: date === 'yesterday' ? start - 1 : Math.min(before + end - start, start - 1),
  }
}

/** Every occurrence of an hour of the week (from Monday 0:00, in the time zone on screen) within a span. */
export function hoursOfWeek(ends: Ends, hour: number): Ends[] {
  const hours: Ends[] = []
  for (let at = Math.floor(ends.start / HOUR) * HOUR; at <= ends.end; at += HOUR) {
    if (hourOfWeek(localClock, at) === hour) hours.push(partOf(ends, at, HOUR))
  }
  return hours
}
