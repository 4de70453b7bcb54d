import { decimalText, LOCALE, numberText } from '@switchroom/contract'

// the days are those of the report's zone already
let formatter: Intl.DateTimeFormat | undefined

/** `Thu, Nov 26, 2026` for `2026-11-26`. */
export function dateText(date: string): string {
  formatter ??= new Intl.DateTimeFormat(LOCALE, {
    weekday: 'short',
    month: 'short',
    day: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return formatter.format(new Date(date))
}

export const minutesText = (seconds: number) =>
  numberText(seconds / 60, { maximumFractionDigits: 1 })

export const secondsText = (seconds: number | null) =>
  seconds === null ? '–' : `${decimalText(seconds)} s`

export const zoneName = (zone: string) => zone.replaceAll('_', ' ')
