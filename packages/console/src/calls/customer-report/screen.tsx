import { addDays, isMonth, monthOf, type ReportPeriod, t, todayBy } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { query, queryClient, send } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { ExportButton } from '../../lib/csv-buttons'
import { customerReports } from '../../lib/endpoints'
import { useFollowProvider } from '../../lib/follow-provider'
import { INLINE } from '../../lib/inline'
import { LoadError } from '../../lib/load-error'
import { RoutePending } from '../../lib/route-states'
import { useSetSearch } from '../../lib/use-set-search'
import * as accounts from '../../tenants/accounts/queries'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { PageHeader } from '../../ui/page-header'
import { SelectField } from '../../ui/select'
import { localClock, timeZone, useChosenTimeZone } from '../../ui/time-zone'
import { MailState } from './mail-state'
import { periodText } from './period-text'
import { CustomerReport, PrintedBrand, ReportSheets } from './report'

const Links = lazy(async () => ({ default: (await import('./links')).CustomerReportLinks }))

const route = getRouteApi('/internal/accounts/$account_sid/report')
type Search = { from?: string; until?: string }

export const load = ({ account_sid }: { account_sid: string }) =>
  queryClient.ensureQueryData(accounts.viewOf(account_sid))

const PERIODS = [
  { value: 'month', label: t('This month') },
  { value: 'last', label: t('Last month') },
  { value: 'week', label: t('Last 7 days') },
  { value: 'custom', label: t('Custom range') },
] as const

/** The periods that have a name, today. */
const named = (today: string): Record<string, ReportPeriod> => ({
  month: monthOf(today),
  last: monthOf(today, -1),
  week: { from: addDays(today, -7), until: addDays(today, -1) },
})

/** The calls of an account in a period: to read, to print, and to give to the customer. */
export function CustomerReportScreen() {
  const { account_sid } = route.useParams()
  const account = useQuery(accounts.viewOf(account_sid)).data
  const search: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  useChosenTimeZone()
  const time_zone = timeZone()
  const today = todayBy(localClock, Date.now())
  const period =
    search.from && search.until ? { from: search.from, until: search.until } : monthOf(today)
  useFollowProvider(account ?? {})
  useCrumb(account?.name)
  const [linking, setLinking] = useState(false)
  const asked = { params: { account_sid }, query: { ...period, time_zone } }
  const report = useQuery({
    ...query(customerReports.view, asked),
    ...INLINE,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const name = account?.name ?? ''
  return (
    <div className="report-frame">
      <ReportSheets />
      {report.data && <PrintedBrand brand={report.data.brand} />}
      <PageHeader title={t('Report of {name}', { name })}>
        <Button look="quiet" onClick={() => print()}>
          {t('Print')}
        </Button>
        <Button onClick={() => setLinking(true)}>{t('Links')}</Button>
      </PageHeader>
      <p className="report-printed">{periodText(period)}</p>
      <Period period={period} today={today} onChange={setSearch} />
      <MailState account={{ account_sid, name }} />
      <div className="report-body">
        {report.error ? (
          <LoadError error={report.error} retry={report.refetch} />
        ) : report.data ? (
          <CustomerReport
            report={report.data}
            load={{
              key: [account_sid, period, time_zone],
              page: (page) =>
                send(customerReports.calls, { ...asked, query: { ...asked.query, ...page } }),
            }}
            exports={
              <ExportButton
                endpoint={customerReports.export}
                sent={asked}
                size="small"
                label={t('Download as CSV')}
              />
            }
          />
        ) : (
          <RoutePending />
        )}
      </div>
      <Suspense fallback={null}>
        {linking && (
          <Links
            account={{ account_sid, name }}
            period={period}
            time_zone={time_zone}
            onClose={() => setLinking(false)}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Picks the period of the report. Days are in the time zone on screen. */
function Period({
  period,
  today,
  onChange,
}: {
  period: ReportPeriod
  today: string
  onChange: (search: { from: string | undefined; until: string | undefined }) => void
}) {
  const periods = named(today)
  const known = Object.entries(periods).find(
    ([, { from, until }]) => from === period.from && until === period.until,
  )?.[0]
  const [isCustom, setCustom] = useState(known === undefined)
  const value = isCustom ? 'custom' : (known ?? 'custom')
  const choose = (next: string) => {
    setCustom(next === 'custom')
    if (next === 'month') onChange({ from: undefined, until: undefined })
    else if (periods[next]) onChange(periods[next])
  }
  const day = (label: string, date: string, change: (date: string) => void) => (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="date"
          className="input"
          value={date}
          max={today}
          required
          onChange={(e) => e.target.value && change(e.target.value)}
        />
      )}
    </Field>
  )
  const { from, until } = period
  return (
    <div className="report-period report-screen">
      <SelectField label={t('Period')} options={PERIODS} value={value} onChange={choose} />
      {value === 'custom' && (
        <>
          {day(t('First day'), from, (date) =>
            onChange({ from: date, until: date > until ? date : until }),
          )}
          {day(t('Last day'), isMonth(period) && until > today ? today : until, (date) =>
            onChange({ from: date < from ? date : from, until: date }),
          )}
        </>
      )}
    </div>
  )
}
