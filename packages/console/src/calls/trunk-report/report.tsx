import { numberText, sipStatusText, type TrunkReport, t } from '@switchroom/contract'
import { Block } from '../../ui/block'
import { Button } from '../../ui/button'
import { timeText } from '../../ui/dates'
import { Mark } from '../../ui/mark'
import { rich } from '../../ui/rich'
import { Select } from '../../ui/select'
import { TableHead } from '../../ui/table-head'
import { ratioText } from '../call-text'
import dashboardSheet from '../dashboard/dashboard.css?url'
import sheet from '../report.css?url'
import { ReportChart } from '../report-chart'
import { dateText, minutesText, secondsText, zoneName } from '../report-text'
import { FailedCalls } from './failed-calls'
import '../../lib/table.css'
import '../../ui/page-header.css'

type Props = {
  report: TrunkReport
  zones: string[]
  zone: string
  onZone: (zone: string) => void
}

/** The last 30 days of a trunk. */
export function Report({ report, zones, zone, onZone }: Props) {
  const { carrier, days, causes, ends_at, read_at } = report
  const [first, last] = [days[0]!, days.at(-1)!]
  return (
    <main className="report">
      {/* of this page alone: all others load theirs together */}
      <link rel="stylesheet" href={dashboardSheet} precedence="page" />
      <link rel="stylesheet" href={sheet} precedence="page" />
      <title>{t('{carrier} · Trunk report', { carrier })}</title>
      <header className="page-header">
        <Mark />
        <h1>{carrier}</h1>
        <p>
          {rich('Trunk report, {from} to {until}', {
            from: dateText(first.date),
            until: dateText(last.date),
          })}
        </p>
        <div className="page-actions">
          <Select
            aria-label={t('Time zone')}
            compact
            options={zones.map((value) => ({ value, label: zoneName(value) }))}
            value={zone}
            onChange={onZone}
          />
          <Button onClick={() => print()}>{t('Print')}</Button>
        </div>
      </header>
      <Totals total={report.total} />
      <Block title={t('Calls per day')}>
        <ReportChart times={days} nameOf={(day) => dateText(day.date)} />
        <Days days={days} />
      </Block>
      <Block title={t('Causes of failure')}>
        <Causes causes={causes} />
      </Block>
      <Block title={t('Failed calls')}>
        <FailedCalls calls={report.failed_calls} captures={report.captures} />
      </Block>
      <footer>
        {rich('All times in {zone}. Read {time}. This link works until {until}.', {
          zone: zoneName(zone),
          time: timeText(read_at),
          until: timeText(ends_at),
        })}
      </footer>
    </main>
  )
}

const HEADERS = [
  t('Calls'),
  t('Answered'),
  t('Answer rate'),
  t('Failed'),
  t('Minutes'),
  t('Time to answer'),
]
const cellsOf = (counts: TrunkReport['total']) => [
  numberText(counts.calls),
  numberText(counts.answered),
  counts.answered + counts.not_answered > 0 ? ratioText(counts) : '–',
  numberText(counts.not_answered),
  minutesText(counts.seconds),
  secondsText(counts.seconds_to_answer),
]

function Totals({ total }: { total: TrunkReport['total'] }) {
  const cells = cellsOf(total)
  return (
    <dl className="figures">
      {HEADERS.map((name, i) => (
        <div key={name} className="figure">
          <dt>{name}</dt>
          <dd className="numbers">{cells[i]}</dd>
        </div>
      ))}
    </dl>
  )
}

const Days = ({ days }: { days: TrunkReport['days'] }) => (
  <div className="table-box report-days">
    <table className="table" aria-label={t('Calls per day')}>
      <TableHead of={[t('Day'), ...HEADERS.map((name) => ({ end: name }))]} />
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.date}>
            <td>{dateText(day.date)}</td>
            {cellsOf(day).map((text, i) => (
              <td key={HEADERS[i]} data-label={HEADERS[i]} data-align="end">
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function Causes({ causes }: { causes: TrunkReport['causes'] }) {
  if (causes.length === 0) return <p className="block-empty">{t('No failed calls.')}</p>
  return (
    <div className="table-box">
      <table className="table" aria-label={t('Causes of failure')}>
        <TableHead of={[t('SIP status'), { end: t('Calls') }]} />
        <tbody>
          {causes.map(({ sip_status, calls }) => (
            <tr key={sip_status}>
              <td>{sip_status === null ? t('Unknown') : sipStatusText(sip_status)}</td>
              <td data-label={t('Calls')} data-align="end">
                {numberText(calls)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
