import { type CallFigures, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { ownAccount } from '../../lib/access'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { AccountFilter, useAccountName } from '../../lib/pickers'
import { RoutePending } from '../../lib/route-states'
import { useCurrentProvider, useProvider } from '../../lib/use-provider'
import { type SetSearch, useSetSearch } from '../../lib/use-set-search'
import { Button } from '../../ui/button'
import { timeText, zonedText } from '../../ui/dates'
import { FilterBar, FilterSelect } from '../../ui/filter-bar'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { useChosenTimeZone } from '../../ui/time-zone'
import { CALL_DATES, type CallDate, type Ends, endsBefore, endsOf } from '../call-span'
import { visitTime } from '../visit-time'
import { Anomalies } from './anomalies'
import { CallsNow } from './calls-now'
import sheet from './dashboard.css?url'
import { DashboardFigures } from './dashboard-figures'
import { OpenAlerts } from './open-alerts'
import { dateOf, earlierOf, figuresOf, type Search } from './queries'
import { Troubles } from './troubles'
import { ZoneSelect } from './zone-select'

const route = getRouteApi('/internal/dashboard')

/** Which time the figures cover, and with which they are compared. `calls` are those of the earlier one, if known. */
function periodText({ start, end }: Ends, earlier: Ends, calls: number | undefined): string {
  const [from, to] = [timeText(start), zonedText(end)]
  if (calls === undefined) return t('{from} to {to}', { from, to })
  if (calls === 0)
    return t('{from} to {to}, without calls in the period before to compare with', { from, to })
  return t('{from} to {to}, compared with {before} to {until}', {
    from,
    to,
    before: timeText(earlier.start),
    until: timeText(earlier.end),
  })
}

export function Dashboard() {
  const search: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const account_sid = ownAccount() ?? search.account_sid
  const date = dateOf(search)
  // figures and the lists behind them cover the same time until a refresh
  const [now, setNow] = useState(visitTime)
  const zone = useChosenTimeZone()
  const ends = useMemo(() => endsOf(date, now), [date, now])
  const figures = useQuery({
    ...figuresOf(provider, account_sid, ends),
    placeholderData: keepPreviousData,
  })
  const { error, isPlaceholderData } = figures
  const earlier = endsBefore(date, ends)
  const before = useQuery(earlierOf(provider, account_sid, earlier))
  // if a refresh fails, the old figures stay on screen with their own time range
  const of = `${provider} ${account_sid} ${date} ${zone}`
  const [last, setLast] = useState<{ of: string; ends: Ends; data: CallFigures }>()
  const { data } = figures
  useEffect(() => {
    if (data && !isPlaceholderData) setLast({ of, ends, data })
  }, [of, ends, data, isPlaceholderData])
  const displayed = data ? { data, ends } : last?.of === of ? last : undefined
  const owner = { provider, account_sid, filtered: search.account_sid }
  // from which it follows whether anything is wrong; they do not wait for the figures
  const signs = (
    <div className="dashboard-signs" key={`${provider} ${account_sid}`}>
      <OpenAlerts {...owner} />
      <Anomalies {...owner} />
    </div>
  )
  return (
    <>
      {/* lists need none of it */}
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Dashboard')}>
        <Button look="quiet" busy={figures.isFetching} onClick={() => setNow(Date.now())}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
      </PageHeader>
      <Filters account_sid={search.account_sid} date={date} setSearch={setSearch}>
        <ZoneSelect />
      </Filters>
      <Troubles
        key={`troubles ${provider} ${account_sid}`}
        provider={provider}
        account_sid={account_sid}
      />
      <div className="dashboard-period">
        <p>
          <PrintedProvider />
          {periodText((displayed ?? { ends }).ends, earlier, before.data?.calls)}
        </p>
        <CallsNow {...owner} />
      </div>
      {error && displayed && (
        <div className="dashboard-old">
          <Notice tone="bad">
            {rich('{message}. The figures below may be out of date. {button}', {
              message: messageOf(error),
              button: (
                <Button size="small" onClick={() => void figures.refetch()}>
                  {t('Try again')}
                </Button>
              ),
            })}
          </Notice>
        </div>
      )}
      {error && !displayed && <LoadError error={error} retry={figures.refetch} />}
      {!displayed && !error && <RoutePending />}
      {displayed ? (
        <div aria-busy={isPlaceholderData}>
          <DashboardFigures
            key={zone}
            {...displayed}
            before={error || isPlaceholderData ? undefined : before.data}
            account_sid={search.account_sid}
            provider={provider}
            hasAccounts={!account_sid}
          >
            {signs}
          </DashboardFigures>
        </div>
      ) : (
        signs
      )}
    </>
  )
}

/** On paper nothing else says of which provider it is. */
const PrintedProvider = () => <span className="dashboard-provider">{useProvider()?.name} · </span>

function Filters({
  account_sid = '',
  date,
  setSearch,
  children,
}: {
  account_sid: string | undefined
  date: CallDate
  setSearch: SetSearch<Search>
  children: ReactNode
}) {
  const name = useAccountName(account_sid)
  const noAccount = () => setSearch({ account_sid: undefined })
  return (
    <FilterBar
      chips={[{ name: t('Account'), value: name, onRemove: noAccount }]}
      onClear={noAccount}
    >
      <AccountFilter
        value={account_sid}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
      <FilterSelect
        label={t('Date')}
        options={CALL_DATES}
        value={date}
        onChange={(v) => setSearch({ date: v === '7' ? undefined : v })}
      />
      {children}
    </FilterBar>
  )
}
