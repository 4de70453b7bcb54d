import type { CarrierHealthView } from '@switchroom/contract'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export type StripHour = {
  /** Both ends are inclusive, in milliseconds. */
  start: number
  end: number
  calls: number
  /** 0 without calls, else 1 if most were answered to 5 if few were. */
  level: number
  text: string
}

const two = (n: number) => String(n).padStart(2, '0')
const levelOf = (calls: number, answered: number) =>
  calls === 0 ? 0 : 5 - Math.min(4, Math.floor((answered / calls) * 5))

/** Whole UTC days, newest first, which ends with the current hour. */
export function stripDays({ start, calls, answered }: CarrierHealthView['strip']) {
  const first = Date.parse(start)
  const date = new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })
  const days: { label: string; hours: StripHour[] }[] = []
  for (const [i, n] of calls.entries()) {
    const at = first + i * HOUR
    const hour = (at % DAY) / HOUR
    // the first day is complete only if the strip begins at midnight
    if (days.length === 0 && hour > 0) continue
    if (hour === 0) days.push({ label: date.format(at), hours: [] })
    const day = days.at(-1)!
    const part = answered[i]!
    const figures =
      n === 0
        ? 'no calls'
        : `${n.toLocaleString()} ${n === 1 ? 'call' : 'calls'}, ${part.toLocaleString()} answered (${Math.round((part / n) * 100)} %)`
    day.hours.push({
      start: at,
      end: at + HOUR - 1,
      calls: n,
      level: levelOf(n, part),
      text: `${day.label}, ${two(hour)}:00 to ${two((hour + 1) % 24)}:00 UTC: ${figures}`,
    })
  }
  return days.reverse()
}
