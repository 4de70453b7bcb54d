import { Link } from '@tanstack/react-router'
import { linkTo } from '../../lib/link-to'
import type { Ends } from '../call-span'
import { hoursOfWeek } from '../call-span'
import { count } from './figures'
import { callsHref } from './links'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const LEVELS = 5

const two = (n: number) => String(n).padStart(2, '0')
const hourText = (hour: number) => `${two(hour)}:00 to ${two((hour + 1) % 24)}:00`
const calls = (n: number) => `${count(n)} ${n === 1 ? 'call' : 'calls'}`

/** The busiest hour in words. */
function busiest(hours: readonly number[]): string {
  const most = Math.max(...hours)
  if (most === 0) return 'No calls in this period.'
  const at = hours.indexOf(most)
  return `Busiest: ${DAYS[Math.floor(at / 24)]}, ${hourText(at % 24)} UTC, with ${calls(most)}.`
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
    const text = `${DAYS[day]}, ${hourText(hour)} UTC: ${calls(n)}`
    return (
      <td key={hour} data-level={Math.ceil((n / most) * LEVELS)} title={text}>
        {parts.length === 1 ? (
          <Link to={linkTo(callsHref(parts[0]!, { account_sid }))} aria-label={text}>
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
      <section className="heat-box" aria-label="Calls by hour of the week" tabIndex={0}>
        <table className="heat">
          <caption className="visually-hidden">Calls by day and hour, UTC</caption>
          <thead>
            <tr>
              <th scope="col">UTC</th>
              {HOURS.map((hour) => (
                <th key={hour} scope="col">
                  {two(hour)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {DAYS.map((name, day) => (
              <tr key={name}>
                <th scope="row">
                  <abbr title={name}>{name.slice(0, 3)}</abbr>
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
