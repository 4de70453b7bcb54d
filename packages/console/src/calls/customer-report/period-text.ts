import { isMonth, LOCALE, type ReportPeriod, t } from '@switchroom/contract'
import { dateText } from '../report-text'

// the days are those of the report's zone already
const month = () =>
  new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `November 2026` for `2026-11-01`. */
export const monthText = (date: string) => month().format(new Date(date))

const shortDate = () =>
  new Intl.DateTimeFormat(LOCALE, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })

/** `Thu, Nov 26` for `2026-11-26`. */
export const shortDateText = (date: string) => shortDate().format(new Date(date))

/** `November 2026`, or `Sun, Nov 01, 2026 to Wed, Nov 04, 2026`. */
export function periodText(period: ReportPeriod): string {
  const { from, until } = period
  if (isMonth(period)) return monthText(from)
  if (from === until) return dateText(from)
  return t('{from} to {to}', { from: dateText(from), to: dateText(until) })
}
