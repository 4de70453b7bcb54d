import { plural, t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../../lib/link-to'
import { zoneText } from '../../ui/dates'
import { rich } from '../../ui/rich'
import { TableHead } from '../../ui/table-head'
import type { Ends } from '../call-span'
import { hoursOfWeek } from '../call-span'
import { hourText } from '../hour-text'
import { callsHref } from './links'

const DAYS = [
  { name: t('Monday'), short: t('Mon') },
  { name: t('Tuesday'), short: t('Tue') },
  { name: t('Wednesday'), short: t('Wed') },
  { name: t('Thursday'), short: t('Thu') },
  { name: t('Friday'), short: t('Fri') },
  { name: t('Saturday'), short: t('Sat') },
  { name: t('Sunday'), short: t('Sun') },
] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const LEVELS = 5

const two = (n: number) => String(n).padStart(2, '0')

/** The busiest hour in words. */
function busiest(hours: readonly number[]): string {
  const most = Math.max(...hours)
  if (most === 0) return t('No calls in this period.')
  const at = hours.indexOf(most)
  return plural(
    most,
    'Busiest: {day}, {hour} {zone}, with 1 call.|Busiest: {day}, {hour} {zone}, with {n} calls.',
    { day: DAYS[Math.floor(at / 24)]?.name, hour: hourText(at % 24), zone: zoneText() },
  )
}

/** Calls by hour of the week: a table whose cells are shaded by the number of calls. */
export function HeatMap({
  hours,
  ends,
  account_sid,
}: {
  hours: readonly number[]
  ends: Ends
  account_sid: string | undefined
}) {
  const most = Math.max(...hours, 1)
  const cell = (day: number, hour: number) => {
    const n = hours[day * 24 + hour] ?? 0
    // over more than a week, a cell adds up several hours, which no single link can select
    const parts = n > 0 ? hoursOfWeek(ends, day * 24 + hour) : []
    const text = plural(n, '{day}, {hour}: 1 call|{day}, {hour}: {n} calls', {
      day: DAYS[day]?.name,
      hour: hourText(hour),
    })
    return (
      <td key={hour} data-level={Math.ceil((n / most) * LEVELS)} title={text}>
        {parts.length === 1 ? (
          <Link {...linkTo(callsHref(parts[0]!, { account_sid }))} aria-label={text}>
            {n}
          </Link>
        ) : (
          <span>{n}</span>
        )}
      </td>
    )
  }
  return (
    <>
      <p className="hint">{busiest(hours)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard */}
      <section className="heat-box" aria-label={t('Calls by hour of the week')} tabIndex={0}>
        <table className="heat">
          <caption className="visually-hidden">
            {rich('Calls by day and hour, {zone}', { zone: zoneText() })}
          </caption>
          <TableHead of={[{ hidden: t('Day') }, ...HOURS.map((hour) => two(hour))]} />
          <tbody>
            {DAYS.map(({ name, short }, day) => (
              <tr key={name}>
                <th scope="row">
                  <abbr title={name}>{short}</abbr>
                </th>
                {HOURS.map((hour) => cell(day, hour))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
