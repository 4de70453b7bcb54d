import {
  type BrandedReport,
  busiestHour,
  busiestOf,
  causesByKind,
  durationText,
  numberText,
  plural,
  type ReportTotals,
  sipStatusText,
  t,
} from '@switchroom/contract'
import type { ReactNode } from 'react'
import { logoAddress } from '../../lib/brand'
import { Block } from '../../ui/block'
import { timeText } from '../../ui/dates'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { EmptyState } from '../../ui/states'
import { failureWord, ratioText } from '../call-text'
import { averageOf, countChange, durationChange, ratioChange } from '../dashboard/changes'
import dashboardSheet from '../dashboard/dashboard.css?url'
import { Bars, Figure } from '../dashboard/figures'
import { hourText } from '../hour-text'
import sheet from '../report.css?url'
import { ReportChart } from '../report-chart'
import { dateText, minutesText, zoneName } from '../report-text'
import { monthText, periodText, shortDateText } from './period-text'
import { type LoadCalls, ReportCalls } from './report-calls'
import '../../lib/table.css'

type Report = BrandedReport & { hides_numbers?: boolean }

/** The figures of an account in a period, its charts, and the list of its calls. */
export function CustomerReport({
  report,
  load,
  exports,
  foot,
}: {
  report: Report
  load: LoadCalls
  /** The button that downloads the list. */
  exports: ReactNode
  foot?: ReactNode
}) {
  const { total, kept_since, start, read_at, time_zone, hides_numbers = false } = report
  const isCut = kept_since !== null && kept_since > start
  const period = periodText(report)
  return (
    <>
      {isCut && (
        <Notice tone="info">
          {t('Calls before {time} are no longer kept, and not counted.', {
            time: timeText(kept_since),
          })}
        </Notice>
      )}
      {total.calls === 0 ? (
        <EmptyState text={t('No calls in {period}.', { period })} />
      ) : (
        <>
          <Totals report={report} />
          <Parts report={report} />
          <Block title={t('Calls')} action={exports}>
            <ReportCalls
              // another period begins at its first page
              key={`${report.from} ${report.until} ${time_zone} ${read_at}`}
              load={load}
              hides_numbers={hides_numbers}
            />
          </Block>
        </>
      )}
      <footer>
        {rich('All times in {zone}. Read {time}.', {
          zone: zoneName(time_zone),
          time: timeText(read_at),
        })}{' '}
        {foot}
      </footer>
    </>
  )
}

/** Style sheets of report pages, loaded only there. */
export const ReportSheets = () => (
  <>
    <link rel="stylesheet" href={dashboardSheet} precedence="page" />
    <link rel="stylesheet" href={sheet} precedence="page" />
  </>
)

/** Heading with the account, on paper only: the screen around it names it already. */
export const PrintedBrand = ({ brand }: Pick<BrandedReport, 'brand'>) => {
  const logo = brand && logoAddress(brand.logo_light ?? brand.logo_dark)
  return (
    <p className="report-printed report-brand">
      {logo ? <img src={logo} alt={brand.name ?? ''} /> : brand?.name}
    </p>
  )
}

function Totals({ report }: { report: Report }) {
  const { total, before, times, hours, unit } = report
  // without any calls before there is nothing to compare with
  const then = before && before.total.calls > 0 ? before.total : undefined
  const figure = (name: string, of: (totals: ReportTotals) => number) => (
    <Figure name={name} href={undefined} change={then && countChange(of(total), of(then))}>
      {numberText(of(total))}
    </Figure>
  )
  const average = averageOf(total)
  const most = busiestOf(times)
  const hour = busiestHour(hours)
  const callsText = (calls: number) => plural(calls, '1 call|{n} calls')
  return (
    <div>
      <dl className="figures">
        {figure(t('Calls'), ({ calls }) => calls)}
        {figure(t('Inbound'), ({ inbound }) => inbound)}
        {figure(t('Outbound'), ({ outbound }) => outbound)}
        <Figure
          name={t('Answered ratio')}
          href={undefined}
          change={then && ratioChange(total, then)}
        >
          {ratioText(total)}
        </Figure>
        <Figure
          name={t('Minutes')}
          href={undefined}
          change={then && countChange(total.seconds, then.seconds)}
        >
          {minutesText(total.seconds)}
        </Figure>
        <Figure
          name={t('Average duration')}
          href={undefined}
          change={then && durationChange(average, averageOf(then))}
        >
          {durationText(average) ?? t('Unknown')}
        </Figure>
        {most && (
          <Figure
            name={unit === 'day' ? t('Busiest day') : t('Busiest month')}
            href={undefined}
            hint={callsText(most.calls)}
          >
            {unit === 'day' ? shortDateText(most.date) : monthText(most.date)}
          </Figure>
        )}
        {hour && (
          <Figure name={t('Busiest hour')} href={undefined} hint={callsText(hour.calls)}>
            {hourText(hour.hour)}
          </Figure>
        )}
      </dl>
      <p className="dashboard-period">{comparedText(report)}</p>
    </div>
  )
}

/**
 * Names the period the figures are compared with. A running period is compared with the same length of the one
 * before.
 */
function comparedText({ before, is_running }: Report): string {
  if (!before)
    return t('The calls of the period before are no longer kept, so nothing is compared.')
  const period = periodText(before)
  if (before.total.calls === 0)
    return t('There were no calls in {period} to compare with.', { period })
  return is_running
    ? t('Compared with the same part of {period}.', { period })
    : t('Compared with {period}.', { period })
}

function Parts({ report }: { report: Report }) {
  const { times, unit, hours, causes, applications, callers, called } = report
  const nameOf = ({ date }: { date: string }) => (unit === 'day' ? dateText(date) : monthText(date))
  const unitName = unit === 'day' ? t('Day') : t('Month')
  const byHour = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    calls: hours.reduce((sum, calls, i) => (i % 24 === hour ? sum + calls : sum), 0),
  }))
  const numbers = (all: Report['callers']) =>
    all.map(({ number, calls, seconds }, i) => ({
      // shortened numbers may be the same
      key: `${i} ${number}`,
      name: number,
      calls,
      not_answered: 0,
      more: [minutesText(seconds)],
    }))
  const newest = report.are_numbers_of_newest && (
    <p className="hint">{t('Counted among the newest 100,000 calls.')}</p>
  )
  return (
    <>
      <Block title={unit === 'day' ? t('Calls per day') : t('Calls per month')}>
        <ReportChart times={times} nameOf={nameOf} />
        <details className="times-table">
          <summary>{t('Show as a table')}</summary>
          <Bars
            label={t('Calls by time')}
            head={unitName}
            more={[t('Answered ratio'), t('Minutes')]}
            all
            rows={times.map((time) => ({
              key: time.date,
              name: nameOf(time),
              calls: time.calls,
              not_answered: time.not_answered,
              more: [time.calls > 0 ? ratioText(time) : '–', minutesText(time.seconds)],
            }))}
          />
        </details>
      </Block>
      <Block title={t('Calls by hour of the day')}>
        <ReportChart times={byHour} nameOf={({ hour }) => hourText(hour)} />
      </Block>
      <div className="report-columns">
        <Block title={t('Not answered, by cause')}>
          <Bars
            label={t('Not answered, by cause')}
            head={t('Cause')}
            rows={causesByKind(causes).map(({ kind, calls, statuses }) => ({
              key: kind,
              name: (
                <span title={statuses.map(sipStatusText).join(', ')}>
                  {statuses[0] === undefined ? t('Unknown') : failureWord(statuses[0])}
                </span>
              ),
              calls,
              not_answered: calls,
            }))}
          />
        </Block>
        <Block title={t('By application')}>
          <Bars
            label={t('Calls by application')}
            head={t('Application')}
            more={[t('Answered ratio')]}
            rows={applications.map((a) => ({
              key: a.name ?? '',
              name: a.name ?? t('None or unknown'),
              calls: a.calls,
              not_answered: a.not_answered,
              more: [ratioText(a)],
            }))}
          />
        </Block>
        <Block title={t('Most frequent callers')}>
          <Bars
            label={t('Most frequent callers')}
            head={t('Number')}
            more={[t('Minutes')]}
            all
            rows={numbers(callers)}
          />
          {newest}
        </Block>
        <Block title={t('Most called numbers')}>
          <Bars
            label={t('Most called numbers')}
            head={t('Number')}
            more={[t('Minutes')]}
            all
            rows={numbers(called)}
          />
          {newest}
        </Block>
      </div>
    </>
  )
}
