import { type CallCounts, type CallFigures, HOURLY_MAX_MS } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { utcDayText } from '../../ui/dates'
import { Moment } from '../../ui/time'
import { useApplicationNames } from '../application-names'
import { type Ends, partOf } from '../call-span'
import { durationText, failureWord, ratioText } from '../call-text'
import { Bars, count, Figure } from './figures'
import { HeatMap } from './heat-map'
import { callsHref, type FigureFilter } from './links'
import '../../lib/table.css'
import './dashboard.css'

const HOUR = 3_600_000
const UNKNOWN = 'Unknown'

const average = ({ seconds, timed }: CallCounts) =>
  (timed > 0 ? durationText(seconds / timed) : undefined) ?? UNKNOWN

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="dashboard-part">
    <h2>{title}</h2>
    {children}
  </section>
)

/** Figures for a time span; each links to its calls. */
export function DashboardFigures({
  data,
  ends,
  account_sid,
  provider,
}: {
  data: CallFigures
  ends: Ends
  account_sid: string | undefined
  provider: string
}) {
  const hrefOf = (filter: FigureFilter, span = ends) => callsHref(span, { account_sid, ...filter })
  const names = useApplicationNames(
    provider,
    data.applications.some((a) => a.application_sid),
  )
  const undecided = data.calls - data.answered - data.not_answered
  const hourly = ends.end + 1 - ends.start <= HOURLY_MAX_MS
  const unknown = <span className="none">{UNKNOWN}</span>
  return (
    <>
      <dl className="figures">
        <Figure name="Calls" href={hrefOf({})}>
          {count(data.calls)}
        </Figure>
        <Figure name="Answered" href={hrefOf({ answered: 'true' })}>
          {count(data.answered)}
        </Figure>
        <Figure name="Not answered" href={hrefOf({ answered: 'false' })}>
          {count(data.not_answered)}
        </Figure>
        {undecided > 0 && <Figure name="Outcome unknown">{count(undecided)}</Figure>}
        <Figure name="Answered ratio">{ratioText(data)}</Figure>
        <Figure name="Average duration">{average(data)}</Figure>
      </dl>
      <Part title={hourly ? 'By hour' : 'By day (UTC)'}>
        <Bars
          label="Calls by time"
          head={hourly ? 'Hour' : 'Day'}
          more="Answered ratio"
          rows={data.times.map((t) => {
            const from = Date.parse(t.time)
            return {
              key: t.time,
              name: hourly ? <Moment at={t.time} /> : utcDayText(t.time),
              calls: t.calls,
              href: hrefOf({}, partOf(ends, from, hourly ? HOUR : 24 * HOUR)),
              more: ratioText(t),
            }
          })}
        />
      </Part>
      <Part title="Busiest hours">
        <HeatMap hours={data.hours} ends={ends} account_sid={account_sid} />
      </Part>
      <div className="dashboard-columns">
        <Part title="Not answered, by SIP status">
          <Bars
            label="Not answered, by SIP status"
            head="SIP status"
            rows={data.failures.map(({ sip_status, calls }) => ({
              key: String(sip_status),
              name: sip_status === null ? unknown : `${sip_status} ${failureWord(sip_status)}`,
              calls,
              href: sip_status === null ? undefined : hrefOf({ answered: 'false', sip_status }),
            }))}
          />
        </Part>
        <Part title="By carrier">
          <Bars
            label="Calls by carrier"
            head="Carrier"
            more="Answered ratio"
            rows={data.trunks.map((t) => ({
              key: String(t.trunk),
              name: t.trunk ?? unknown,
              calls: t.calls,
              href: t.trunk === null ? undefined : hrefOf({ trunk: t.trunk }),
              more: ratioText(t),
            }))}
          />
        </Part>
        <Part title="By application">
          <Bars
            label="Calls by application"
            head="Application"
            more="Answered ratio"
            rows={data.applications.map((a) => ({
              key: String(a.application_sid),
              name: a.application_sid
                ? (names.get(a.application_sid) ?? a.application_sid)
                : 'None or unknown',
              calls: a.calls,
              href: a.application_sid ? hrefOf({ application_sid: a.application_sid }) : undefined,
              more: ratioText(a),
            }))}
          />
        </Part>
      </div>
    </>
  )
}
