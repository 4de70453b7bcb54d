import { AUDIT_ACTIONS, AUDIT_KINDS, type AuditEntry } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { atLeast } from '../lib/access'
import { query, queryClient } from '../lib/api'
import { ExportButton } from '../lib/csv-buttons'
import { likelyProvider } from '../lib/current-provider'
import { audit } from '../lib/endpoints'
import { type ListSearch, oneOf, paged } from '../lib/list-search'
import { NoMatch } from '../lib/no-match'
import { AccountFilter, useAccountName } from '../lib/pickers'
import { keysOf } from '../lib/records'
import { type Column, Table } from '../lib/table'
import { useCurrentProvider } from '../lib/use-provider'
import { type FilterProps, useSetSearch } from '../lib/use-set-search'
import { FilterBar, SearchInput } from '../ui/filter-bar'
import { PageHeader } from '../ui/page-header'
import { Select } from '../ui/select'
import { EmptyState } from '../ui/states'
import { Moment, timeHeader } from '../ui/time'
import { subjectOf } from './subject'

const Entry = lazy(async () => ({ default: (await import('./entry')).Entry }))
const route = getRouteApi('/internal/audit-log')
type Search = ListSearch & Partial<Record<FilterName, string>>
type FilterName = 'account_sid' | 'kind' | 'action' | 'from' | 'to' | 'sid'

const KINDS = keysOf(AUDIT_KINDS)
const ACTIONS = keysOf(AUDIT_ACTIONS)
const DAY = /^\d{4}-\d\d-\d\d$/

/** A URL may say anything; drops what the endpoint would reject. */
const filtersOf = (
  service_provider_sid: string,
  { kind, action, from, to, ...search }: Search,
) => ({
  ...search,
  kind: oneOf(KINDS, kind),
  action: oneOf(ACTIONS, action),
  from: from && DAY.test(from) ? from : undefined,
  to: to && DAY.test(to) ? to : undefined,
  // admins also see entries that belong to no provider
  ...(!atLeast('admin') && { service_provider_sid }),
})
const listOf = (provider: string, search: Search) =>
  query(audit.list, { query: paged(filtersOf(provider, search)) })

export async function load(search: Search) {
  void queryClient.prefetchQuery(listOf(await likelyProvider(), search))
}

const columns: Column<AuditEntry>[] = [
  { header: timeHeader(), sort: 'seq', cell: (e) => <Moment at={e.at} /> },
  { header: 'Actor', cell: (e) => e.actor },
  { header: 'Action', width: 120, cell: (e) => AUDIT_ACTIONS[e.action] },
  { header: 'Type', width: 160, cell: (e) => AUDIT_KINDS[e.kind] },
  {
    header: 'Name',
    cell: (e) => (
      <span className="clamped" title={e.name}>
        {subjectOf(e)}
      </span>
    ),
  },
  {
    header: 'From',
    width: 140,
    wideOnly: true,
    cell: (e) => e.ip ?? <span className="none">Hidden</span>,
  },
]

export function AuditLog() {
  const search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [opened, setOpened] = useState<AuditEntry>()
  const { page: _, page_size: __, sort: ___, ...filters } = search
  const { page: ____, page_size: _____, sort: ______, ...sent } = filtersOf(provider, search)
  return (
    <>
      <PageHeader title="Audit log" total={list.data?.total}>
        <ExportButton endpoint={audit.export} sent={{ query: sent }} />
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      <Table
        label="Audit log"
        columns={columns}
        query={list}
        search={search}
        rowKey={(e) => String(e.seq)}
        actions={(e) => [
          { label: 'Show entry', icon: <Eye />, onClick: () => setOpened(e), common: true },
        ]}
        empty={
          Object.keys(filters).length > 0 ? (
            <NoMatch what="entries" />
          ) : (
            <EmptyState text="No changes yet." />
          )
        }
      />
      <Suspense>{opened && <Entry entry={opened} onClose={() => setOpened(undefined)} />}</Suspense>
    </>
  )
}

function Filters({ search, setSearch }: FilterProps<Search>) {
  const account = useAccountName(search.account_sid ?? '')
  const kind = oneOf(KINDS, search.kind)
  const action = oneOf(ACTIONS, search.action)
  const chip = (label: string, filter: FilterName | 'filter', value: string | undefined) => ({
    name: label,
    value,
    onRemove: () => setSearch({ [filter]: undefined }),
  })
  const chips = [
    chip('Text', 'filter', search.filter),
    chip('Type', 'kind', kind && AUDIT_KINDS[kind]),
    chip('Action', 'action', action && AUDIT_ACTIONS[action]),
    chip('Account', 'account_sid', account),
    chip('SID', 'sid', search.sid),
    chip('Since', 'from', search.from),
    chip('Until', 'to', search.to),
  ]
  const options = (all: string, words: Record<string, string>) => [
    { value: '', label: all },
    ...Object.entries(words).map(([value, label]) => ({ value, label })),
  ]
  return (
    <FilterBar
      chips={chips}
      onClear={() =>
        setSearch({
          filter: undefined,
          kind: undefined,
          action: undefined,
          account_sid: undefined,
          sid: undefined,
          from: undefined,
          to: undefined,
        })
      }
    >
      <SearchInput
        label="Filter by name, actor or SID"
        value={search.filter ?? ''}
        onChange={(filter) => setSearch({ filter: filter || undefined })}
      />
      <Select
        aria-label="Type"
        compact
        options={options('All types', AUDIT_KINDS)}
        value={kind ?? ''}
        onChange={(v) => setSearch({ kind: v || undefined })}
      />
      <Select
        aria-label="Action"
        compact
        options={options('All actions', AUDIT_ACTIONS)}
        value={action ?? ''}
        onChange={(v) => setSearch({ action: v || undefined })}
      />
      <AccountFilter
        value={search.account_sid ?? ''}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
      {(['from', 'to'] as const).map((member) => (
        <input
          key={member}
          type="date"
          className="input audit-day"
          aria-label={member === 'from' ? 'Since (UTC)' : 'Until (UTC)'}
          value={search[member] ?? ''}
          onChange={(e) => setSearch({ [member]: e.target.value || undefined })}
        />
      ))}
    </FilterBar>
  )
}
