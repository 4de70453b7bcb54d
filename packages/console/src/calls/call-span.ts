/** The dates that calls are looked at by, as the specification names them. */
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
const DAY = 24 * HOUR

/** Days begin where the reader is. */
const midnight = (now: number, daysBefore = 0) => {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore)
}

/** What the list asks for: what is still happening is in it. */
export function spanQuery(date: CallDate, now = Date.now()) {
  if (date === 'today') return { start: midnight(now).toISOString() }
  if (date !== 'yesterday') return { days: Number(date) }
  const end = new Date(midnight(now).getTime() - 1)
  return { start: midnight(now, 1).toISOString(), end: end.toISOString() }
}

export type Ends = { start: number; end: number }

/**
 * The same with both ends said and included, so that figures and the calls behind them are of one time.
 * Whole hours before now: each hour of a week is in seven days once.
 */
export function endsOf(date: CallDate, now: number): Ends {
  if (date === 'today') return { start: midnight(now).getTime(), end: now }
  if (date === 'yesterday')
    return { start: midnight(now, 1).getTime(), end: midnight(now).getTime() - 1 }
  const nextHour = Math.floor(now / HOUR) * HOUR + HOUR
  return { start: nextHour - Number(date) * DAY, end: now }
}

/** As a query or an address says them. */
export const isoEnds = ({ start, end }: Ends) => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
})

/** The part of a span that begins then and is so long. */
export const partOf = ({ start, end }: Ends, from: number, length: number): Ends => ({
  start: Math.max(start, from),
  end: Math.min(end, from + length - 1),
})

/** The hours of a span that are this one of the week, counted in UTC from Monday 0:00. */
export function hoursOfWeek(ends: Ends, hour: number): Ends[] {
  const hours: Ends[] = []
  for (let at = Math.floor(ends.start / HOUR) * HOUR; at <= ends.end; at += HOUR) {
    const date = new Date(at)
    if (((date.getUTCDay() + 6) % 7) * 24 + date.getUTCHours() === hour)
      hours.push(partOf(ends, at, HOUR))
  }
  return hours
}
