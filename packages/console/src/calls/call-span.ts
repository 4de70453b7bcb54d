import { lastDaysFrom } from '@switchroom/contract'

/** Date filters for calls, named as in the specification. */
export const CALL_DATES = [
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: '7', label: 'Last 7d' },
  { value: '14', label: 'Last 14d' },
  { value: '30', label: 'Last 30d' },
] as const
export type CallDate = (typeof CALL_DATES)[number]['value']
export const isCallDate = (value: unknown): value is CallDate =>
  CALL_DATES.some((d) => d.value === value)

const HOUR = 3_600_000

/** Midnight in the user's time zone. */
const midnight = (now: number, daysBefore = 0) => {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore)
}

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

/** As in a query or URL. */
export const isoEnds = ({ start, end }: Ends) => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
})

/** The part of a span that starts at `from` and lasts `length` ms. */
export const partOf = ({ start, end }: Ends, from: number, length: number): Ends => ({
  start: Math.max(start, from),
  end: Math.min(end, from + length - 1),
})

/** Every occurrence of an hour of the week (UTC, from Monday 0:00) within a span. */
export function hoursOfWeek(ends: Ends, hour: number): Ends[] {
  const hours: Ends[] = []
  for (let at = Math.floor(ends.start / HOUR) * HOUR; at <= ends.end; at += HOUR) {
    const date = new Date(at)
    if (((date.getUTCDay() + 6) % 7) * 24 + date.getUTCHours() === hour)
      hours.push(partOf(ends, at, HOUR))
  }
  return hours
}
