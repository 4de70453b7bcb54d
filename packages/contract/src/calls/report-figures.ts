import { t } from '../wire/text.ts'
import { momentAt } from '../wire/time-zones.ts'
import { type NotAnswered, notAnsweredKind } from './call-outcome.ts'

/** Callers and called numbers that a report names. */
export const REPORT_NUMBERS = 10
/** The newest calls of a period that are looked through for them. */
export const REPORT_CALLS_READ = 100_000
export const UNSUBSCRIBE_ENDED = t('Reports are no longer sent to this address')
export const MAIL_OFF = t('This server is not configured to send email')

/** The most links of an account that people have made and that work at the same time. */
export const MAX_CUSTOMER_REPORT_LINKS = 20
const DAY_MS = 86_400_000

/** Days of a calendar, such as 2026-11-26, both included. */
export type ReportPeriod = { from: string; until: string }

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Any day, so many days later. */
export const addDays = (date: string, days: number) => dateOf(Date.parse(date) + days * DAY_MS)

/** The day that it is by a clock. */
export const todayBy = (clock: (ms: number) => number, now: number) => dateOf(clock(now))

/** Number of days in a period. */
export const daysIn = ({ from, until }: ReportPeriod) =>
  Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1

/** The month of a day, or one so many months later. */
export function monthOf(date: string, later = 0): ReportPeriod {
  const at = new Date(date)
  const first = (months: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)
  return { from: dateOf(first(later)), until: dateOf(first(later + 1) - DAY_MS) }
}

/** True if a period is exactly one calendar month. */
export function isMonth({ from, until }: ReportPeriod) {
  const month = monthOf(from)
  return from === month.from && until === month.until
}

/** Returns the period to compare with: the previous month for a month, else as many days before. */
export function periodBefore(period: ReportPeriod): ReportPeriod {
  if (isMonth(period)) return monthOf(period.from, -1)
  const days = daysIn(period)
  return { from: addDays(period.from, -days), until: addDays(period.from, -1) }
}

/** The time of a period by a clock, in milliseconds since 1970: `from` inclusive, `to` exclusive. */
export const timeOf = (clock: (ms: number) => number, { from, until }: ReportPeriod) => ({
  from: momentAt(clock, Date.parse(from)),
  to: momentAt(clock, Date.parse(addDays(until, 1))),
})

/** The busiest of several days or months; the first of equal ones, and undefined without calls. */
export const busiestOf = <T extends { calls: number }>(times: readonly T[]): T | undefined =>
  times.reduce<T | undefined>(
    (most, one) => (one.calls > (most?.calls ?? 0) ? one : most),
    undefined,
  )

/** The busiest hour of the day, 0 to 23, from calls by hour of the week; undefined without calls. */
export const busiestHour = (hours: readonly number[]) =>
  busiestOf(
    Array.from({ length: 24 }, (_, hour) => ({
      hour,
      calls: hours.reduce((sum, calls, i) => (i % 24 === hour ? sum + calls : sum), 0),
    })),
  )

/** Unanswered calls by what happened, the most frequent first, with the statuses that say so. */
export function causesByKind(
  causes: readonly { sip_status: number | null; calls: number }[],
): { kind: NotAnswered; calls: number; statuses: number[] }[] {
  const kinds = new Map<NotAnswered, { kind: NotAnswered; calls: number; statuses: number[] }>()
  for (const { sip_status, calls } of causes) {
    const kind = sip_status === null ? 'not_answered' : notAnsweredKind(sip_status)
    const sum = kinds.get(kind) ?? { kind, calls: 0, statuses: [] }
    kinds.set(kind, sum)
    sum.calls += calls
    if (sip_status !== null) sum.statuses.push(sip_status)
  }
  return [...kinds.values()].sort((a, b) => b.calls - a.calls)
}
