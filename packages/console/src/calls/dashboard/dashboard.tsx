import type { CallFigures } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { accountRecentCalls, providerRecentCalls } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { AccountFilter, useAccountName } from '../../lib/pickers'
import { RoutePending } from '../../lib/route-states'
import { useCurrentProvider } from '../../lib/use-provider'
import { type SetSearch, useSetSearch } from '../../lib/use-set-search'
import { Button } from '../../ui/button'
import { timeText, zonedText } from '../../ui/dates'
import { FilterBar, FilterSelect } from '../../ui/filter-bar'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { CALL_DATES, type CallDate, type Ends, endsOf, isCallDate, isoEnds } from '../call-span'
import { DashboardFigures } from './dashboard-figures'

const route = getRouteApi('/internal/dashboard')
type Search = { account_sid?: string; date?: string }

const figuresOf = (service_provider_sid: string, account_sid: string | undefined, ends: Ends) =>
  account_sid
    ? query(accountRecentCalls.figures, { params: { account_sid }, query: isoEnds(ends) })
    : query(providerRecentCalls.figures, { params: { service_provider_sid }, query: isoEnds(ends) })

export function Dashboard() {
  const search: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const account_sid = ownAccount() ?? search.account_sid
  const date: CallDate = isCallDate(search.date) ? search.date : '7'
  // figures and the lists behind them cover the same time until a refresh
  const [now, setNow] = useState(Date.now)
  const ends = endsOf(date, now)
  const figures = useQuery({
    ...figuresOf(provider, account_sid, ends),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { error, isPlaceholderData } = figures
  // if a refresh fails, the old figures stay on screen with their own time range
  const of = `${provider} ${account_sid} ${date}`
  const [last, setLast] = useState<{ of: string; ends: Ends; data: CallFigures }>()
  if (figures.data && !isPlaceholderData && last?.data !== figures.data)
    setLast({ of, ends, data: figures.data })
  const displayed = figures.data ? { data: figures.data, ends } : last?.of === of ? last : undefined
  return (
    <>
      <PageHeader title="Dashboard">
        <Button look="quiet" busy={figures.isFetching} onClick={() => setNow(Date.now())}>
          <RefreshCw aria-hidden />
          Refresh
        </Button>
      </PageHeader>
      <Filters account_sid={search.account_sid} date={date} setSearch={setSearch} />
      <p className="hint">
        {timeText((displayed ?? { ends }).ends.start)} to{' '}
        {zonedText((displayed ?? { ends }).ends.end)}
      </p>
      {error && displayed && (
        <div className="dashboard-old">
          <Notice tone="bad">
            {messageOf(error)}. The figures below may be out of date.{' '}
            <Button size="small" onClick={() => void figures.refetch()}>
              Try again
            </Button>
          </Notice>
        </div>
      )}
      {error && !displayed && <LoadError error={error} retry={figures.refetch} />}
      {!displayed && !error && <RoutePending />}
      {displayed && (
        <div aria-busy={isPlaceholderData}>
          <DashboardFigures {...displayed} account_sid={search.account_sid} provider={provider} />
        </div>
      )}
    </>
  )
}

function Filters({
  account_sid = '',
  date,
  setSearch,
}: {
  account_sid: string | undefined
  date: CallDate
  setSearch: SetSearch<Search>
}) {
  const name = useAccountName(account_sid)
  const noAccount = () => setSearch({ account_sid: undefined })
  return (
    <FilterBar chips={[{ name: 'Account', value: name, onRemove: noAccount }]} onClear={noAccount}>
      <AccountFilter
        value={account_sid}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
      <FilterSelect
        label="Date"
        options={CALL_DATES}
        value={date}
        onChange={(v) => setSearch({ date: v === '7' ? undefined : v })}
      />
    </FilterBar>
  )
}
