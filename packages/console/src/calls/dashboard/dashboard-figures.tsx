import {
  type CallFigures,
  decimalText,
  durationText,
  HOURLY_MAX_MS,
  t,
  trunkText,
} from '@switchroom/contract'
import type { ReactNode } from 'react'
import { useAccountNames } from '../account-names'
import { useApplicationNames } from '../application-names'
import type { Ends } from '../call-span'
import { failureWord, ratioText } from '../call-text'
import { averageOf, countChange, durationChange, ratioChange, secondsChange } from './changes'
import { Bars, count, Figure } from './figures'
import { HeatMap } from './heat-map'
import { callsHref, type FigureFilter } from './links'
import { TimesChart } from './times-chart'
import '../../lib/table.css'

const UNKNOWN = t('Unknown')
const unknown = <span className="none">{UNKNOWN}</span>

const secondsText = (seconds: number | null) =>
  seconds === null ? UNKNOWN : `${decimalText(seconds)} s`

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="dashboard-part">
    <h2>{title}</h2>
    {children}
  </section>
)

type Props = {
  data: CallFigures
  /** The period of the same length before, once it is known. */
  before: CallFigures | undefined
  ends: Ends
  account_sid: string | undefined
  provider: string
  /** True if calls of several accounts are counted. */
  hasAccounts: boolean
  /** Shown below how the calls went over time. */
  children: ReactNode
}

/** Figures for a time span, the three that say most first; each links to its calls. */
export function DashboardFigures({
  data,
  before,
  ends,
  account_sid,
  provider,
  hasAccounts,
  children,
}: Props) {
  const hrefOf = (filter: FigureFilter, span = ends) => callsHref(span, { account_sid, ...filter })
  // without any calls before there is nothing to compare with, or no records of them
  const totals = { data, earlier: before && before.calls > 0 ? before : undefined, hrefOf }
  const applications = useApplicationNames(
    provider,
    data.applications.some((a) => a.application_sid),
  )
  const accounts = useAccountNames(provider, hasAccounts && data.accounts.length > 0)
  const hourly = ends.end + 1 - ends.start <= HOURLY_MAX_MS
  const ratio = (counts: Parameters<typeof ratioText>[0], filter: FigureFilter) => ({
    text: ratioText(counts),
    href: hrefOf({ ...filter, answered: 'known' }),
  })
  return (
    <>
      <Totals {...totals} />
      <Part title={hourly ? t('By hour') : t('By day')}>
        <TimesChart times={data.times} hourly={hourly} ends={ends} hrefOf={hrefOf} />
      </Part>
      {children}
      <Part title={t('More figures')}>
        <FurtherTotals {...totals} />
      </Part>
      <div className="dashboard-columns">
        <Part title={t('Not answered, by SIP status')}>
          <Bars
            label={t('Not answered, by SIP status')}
            head={t('SIP status')}
            rows={data.failures.map(({ sip_status, calls }) => ({
              key: String(sip_status),
              name: sip_status === null ? unknown : `${sip_status} ${failureWord(sip_status)}`,
              calls,
              not_answered: calls,
              href: hrefOf({
                answered: 'false',
                ...(sip_status === null ? { missing: 'sip_status' } : { sip_status }),
              }),
            }))}
          />
        </Part>
        <Part title={t('By carrier')}>
          <Bars
            label={t('Calls by carrier')}
            head={t('Carrier')}
            more={[t('Answered ratio'), t('Time to answer')]}
            rows={data.trunks.map((t) => {
              const filter: FigureFilter =
                t.trunk === null ? { missing: 'trunk' } : { trunk: t.trunk }
              return {
                key: String(t.trunk),
                name: t.trunk === null ? unknown : trunkText(t.trunk),
                calls: t.calls,
                not_answered: t.not_answered,
                href: hrefOf(filter),
                more: [
                  ratio(t, filter),
                  {
                    text: secondsText(t.seconds_to_answer),
                    href: hrefOf({ ...filter, answered: 'true' }),
                  },
                ],
              }
            })}
          />
        </Part>
        <Part title={t('By application')}>
          <Bars
            label={t('Calls by application')}
            head={t('Application')}
            more={[t('Answered ratio')]}
            rows={data.applications.map((a) => {
              const sid = a.application_sid
              const filter: FigureFilter = sid
                ? { application_sid: sid }
                : { missing: 'application_sid' }
              return {
                key: String(sid),
                name: sid ? (applications.get(sid) ?? sid) : t('None or unknown'),
                calls: a.calls,
                not_answered: a.not_answered,
                href: hrefOf(filter),
                more: [ratio(a, filter)],
              }
            })}
          />
        </Part>
        {hasAccounts && (
          <Part title={t('By account')}>
            <Bars
              label={t('Calls by account')}
              head={t('Account')}
              more={[t('Answered ratio')]}
              rows={data.accounts.map((a) => {
                const sid = a.account_sid
                const filter: FigureFilter = sid ? { account_sid: sid } : { missing: 'account_sid' }
                return {
                  key: String(sid),
                  name: sid ? (accounts.get(sid) ?? sid) : unknown,
                  calls: a.calls,
                  not_answered: a.not_answered,
                  href: hrefOf(filter),
                  more: [ratio(a, filter)],
                }
              })}
            />
          </Part>
        )}
      </div>
      <Part title={t('Busiest hours')}>
        <HeatMap hours={data.hours} ends={ends} account_sid={account_sid} />
      </Part>
    </>
  )
}

type Totals = {
  data: CallFigures
  /** Figures of the period before, for comparison. */
  earlier: CallFigures | undefined
  hrefOf: (filter: FigureFilter) => string
}

function Totals({ data, earlier, hrefOf }: Totals) {
  const seconds = data.seconds_to_answer
  return (
    <dl className="figures">
      <Figure
        name={t('Calls')}
        href={hrefOf({})}
        change={earlier && countChange(data.calls, earlier.calls)}
      >
        {count(data.calls)}
      </Figure>
      <Figure
        name={t('Answered ratio')}
        href={hrefOf({ answered: 'known' })}
        change={earlier && ratioChange(data, earlier)}
      >
        {ratioText(data)}
      </Figure>
      <Figure
        name={t('Time to answer')}
        hint={t('Post-dial delay and ringing')}
        href={hrefOf({ answered: 'true' })}
        change={earlier && secondsChange(seconds, earlier.seconds_to_answer)}
      >
        {secondsText(seconds)}
      </Figure>
    </dl>
  )
}

function FurtherTotals({ data, earlier, hrefOf }: Totals) {
  const undecided = data.calls - data.answered - data.not_answered
  const average = averageOf(data)
  return (
    <dl className="figures">
      <Figure
        name={t('Answered')}
        href={hrefOf({ answered: 'true' })}
        change={earlier && countChange(data.answered, earlier.answered)}
      >
        {count(data.answered)}
      </Figure>
      <Figure
        name={t('Not answered')}
        href={hrefOf({ answered: 'false' })}
        change={earlier && countChange(data.not_answered, earlier.not_answered)}
      >
        {count(data.not_answered)}
      </Figure>
      {undecided > 0 && (
        <Figure name={t('Outcome unknown')} href={hrefOf({ answered: 'unknown' })}>
          {count(undecided)}
        </Figure>
      )}
      <Figure
        name={t('Average duration')}
        href={hrefOf({ answered: 'true' })}
        change={earlier && durationChange(average, averageOf(earlier))}
      >
        {durationText(average) ?? UNKNOWN}
      </Figure>
    </dl>
  )
}
