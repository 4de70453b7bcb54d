import { type CarrierHealthView, numberText, plural, t } from '@switchroom/contract'
import { clockText, weekdayText, zoneText } from '../../ui/dates'
import { localClock } from '../../ui/time-zone'

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

const minuteText = (at: number) => clockText(at).slice(0, 5)
const levelOf = (calls: number, answered: number) =>
  calls === 0 ? 0 : 5 - Math.min(4, Math.floor((answered / calls) * 5))

const dayOf = (ms: number) => Math.floor(localClock(ms) / DAY)

/** Whole days of the time zone on screen, newest first, which ends with the current hour. */
export function stripDays({ start, calls, answered }: CarrierHealthView['strip']) {
  const first = Date.parse(start)
  const days: { label: string; hours: StripHour[] }[] = []
  for (const [i, n] of calls.entries()) {
    const at = first + i * HOUR
    const begins = dayOf(at) !== dayOf(at - HOUR)
    // the first day is complete only if the strip begins with it
    if (days.length === 0 && !begins) continue
    if (begins) days.push({ label: weekdayText(at), hours: [] })
    const day = days.at(-1)!
    const part = answered[i]!
    const figures =
      n === 0
        ? t('no calls')
        : plural(
            n,
            '1 call, {answered} answered ({percent} %)|{n} calls, {answered} answered ({percent} %)',
            { answered: numberText(part), percent: Math.round((part / n) * 100) },
          )
    day.hours.push({
      start: at,
      end: at + HOUR - 1,
      calls: n,
      level: levelOf(n, part),
      text: t('{day}, {from} to {to} {zone}: {figures}', {
        day: day.label,
        from: minuteText(at),
        to: minuteText(at + HOUR),
        zone: zoneText(),
        figures,
      }),
    })
  }
  return days.reverse()
}
