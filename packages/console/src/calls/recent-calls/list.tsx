import type { Call } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowDownLeft, ArrowUpRight, ExternalLink, RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { ownAccount } from '../../lib/access'
import { ExportButton } from '../../lib/csv-buttons'
import { linkTo } from '../../lib/link-to'
import { NoMatch } from '../../lib/no-match'
import { usePhoneFormat } from '../../lib/phone-format'
import { type Column, Table } from '../../lib/table'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Button } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Moment, timeHeader } from '../../ui/time'
import { useAccountNames } from '../account-names'
import { durationText, outcome } from '../call-text'
import { CallParts } from './call'
import { Filters } from './filters'
import { endpointsFor, filtersOf, isFiltered, listOf, type Search } from './search'
import './list.css'

const route = getRouteApi('/internal/recent-calls')

const unknown = <span className="none">Unknown</span>
const hrefOf = (c: Call) => {
  const id = c.call_sid ?? c.sip_callid
  return id ? `/internal/recent-calls/${encodeURIComponent(id)}` : undefined
}

const Direction = ({ direction }: { direction: string | null }) => (
  <span className="direction">
    {direction === 'inbound' && <ArrowDownLeft aria-hidden />}
    {direction === 'outbound' && <ArrowUpRight aria-hidden />}
    {direction ?? unknown}
  </span>
)

export function RecentCalls() {
  const search: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const rows = list.data?.data ?? []
  const numbers = rows.flatMap((c) => [c.from, c.to]).filter((n) => n !== null)
  const format = usePhoneFormat(numbers)
  const showsAccounts = !ownAccount() && !search.account_sid
  const names = useAccountNames(provider, showsAccounts && rows.length > 0)

  const columns = useMemo((): Column<Call>[] => {
    const number = (n: string | null) =>
      n ? (
        <span className="clamped numbers" title={n}>
          {format(n)}
        </span>
      ) : (
        unknown
      )
    const name = (n: string | null | undefined) =>
      n ? (
        <span className="clamped" title={n}>
          {n}
        </span>
      ) : (
        unknown
      )
    return [
      {
        header: timeHeader(),
        cell: (c) => <Moment at={c.attempted_at} />,
      },
      { header: 'Direction', cell: (c) => <Direction direction={c.direction} /> },
      { header: 'From', cell: (c) => number(c.from) },
      { header: 'To', cell: (c) => number(c.to) },
      { header: 'Duration', align: 'end', cell: (c) => durationText(c.duration) ?? unknown },
      {
        header: 'Outcome',
        cell: (c) => {
          const { tone, word } = outcome(c)
          return <Status tone={tone}>{word}</Status>
        },
      },
      { header: 'Carrier', wideOnly: true, cell: (c) => name(c.trunk) },
      ...(showsAccounts
        ? [
            {
              header: 'Account',
              wideOnly: true as const,
              cell: (c: Call) => name(c.account_sid && (names.get(c.account_sid) ?? c.account_sid)),
            },
          ]
        : []),
    ]
  }, [format, names, showsAccounts])

  const { endpoints, params } = endpointsFor(provider, search)
  const lastMonth = (search.date !== '30' || search.start || search.end) && (
    <Button onClick={() => setSearch({ date: '30', start: undefined, end: undefined })}>
      Show the last 30 days
    </Button>
  )
  return (
    <>
      <PageHeader title="Recent calls" total={list.data?.total}>
        <Button look="quiet" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden />
          Refresh
        </Button>
        <ExportButton endpoint={endpoints.export} sent={{ params, query: filtersOf(search) }} />
        <ExportButton
          endpoint={endpoints.export}
          sent={{ params, query: { ...filtersOf(search), format: 'ndjson' } }}
          label="Export JSON"
        />
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      <Table
        label="Recent calls"
        columns={columns}
        query={list}
        search={search}
        rowKey={(c) => `${c.call_sid} ${c.sip_callid} ${c.attempted_at}`}
        detail={(c) => {
          const href = hrefOf(c)
          return (
            <>
              <CallParts call={c} />
              {href && (
                <Link to={linkTo(href)} className="call-own-page">
                  <ExternalLink aria-hidden />
                  Open call
                </Link>
              )}
            </>
          )
        }}
        empty={
          isFiltered(search) ? (
            <NoMatch what="calls">{lastMonth}</NoMatch>
          ) : (
            <EmptyState text="No data.">{lastMonth}</EmptyState>
          )
        }
      />
    </>
  )
}
