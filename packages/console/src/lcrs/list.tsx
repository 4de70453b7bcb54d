import { type Lcr, type LcrItem, lcrs } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, redirect } from '@tanstack/react-router'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { atLeast, mayWrite } from '../lib/access'
import { query, queryClient } from '../lib/api'
import { currentProvider, useCurrentProvider, useProvider } from '../lib/current-provider'
import { type ListSearch, paged } from '../lib/list-search'
import { leaveNotice } from '../lib/notice'
import { AccountFilter, useAccountName } from '../lib/pickers'
import { type Column, Table } from '../lib/table'
import { useSetSearch } from '../lib/use-set-search'
import { buttonClass } from '../ui/button'
import { FilterBar, SearchInput } from '../ui/filter-bar'
import { PageHeader } from '../ui/page-header'
import { EmptyState } from '../ui/states'
import { Status } from '../ui/status'
import { DeleteLcr } from './delete'
import { ADD, ownPlace } from './own'

const route = getRouteApi('/internal/least-cost-routing')
type Search = ListSearch & { account_sid?: string }

const listOf = (service_provider_sid: string, search: Search) =>
  query(lcrs.list, { query: { service_provider_sid, ...paged(search) } })

export async function load(search: Search) {
  if (!atLeast('admin')) {
    leaveNotice('You do not have permissions to manage all outbound call routes')
    throw redirect({ href: await ownPlace(), replace: true })
  }
  void queryClient.prefetchQuery(listOf(await currentProvider(), search))
}

const hrefOf = (t: Lcr) => `/internal/least-cost-routing/${t.lcr_sid}/edit`
const add = (
  <Link to={ADD} className={buttonClass('primary')}>
    <Plus aria-hidden />
    Add outbound call routes
  </Link>
)

// a stock API server says only the sids
type Item = Lcr & Partial<LcrItem>

const columnsFor = (provider: string): Column<Item>[] => [
  { header: 'Name', sort: 'name', cell: (t) => t.name ?? <span className="none">None</span> },
  {
    header: 'Used by',
    cell: (t) =>
      t.account_sid
        ? (t.account_name ?? t.account_sid)
        : (t.service_provider_name ?? (t.service_provider_sid ? provider : null)),
  },
  {
    header: 'Status',
    cell: (t) => (
      <Status tone={t.is_active ? 'ok' : 'off'}>{t.is_active ? 'Active' : 'Inactive'}</Status>
    ),
  },
  {
    header: 'Routes',
    align: 'end',
    // the default one is not counted
    cell: (t) => {
      const n = Math.max(t.number_routes - 1, 0)
      return `${n} ${n === 1 ? 'route' : 'routes'}`
    },
  },
]

export function Lcrs() {
  const search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const columns = columnsFor(useProvider()?.name ?? provider)
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<Lcr>()
  return (
    <>
      <PageHeader title="Outbound call routing" total={list.data?.total}>
        {mayWrite() && add}
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      <Table
        label="Outbound call routing"
        columns={columns}
        query={list}
        search={search}
        rowKey={(t) => t.lcr_sid}
        rowHref={hrefOf}
        actions={(t) =>
          mayWrite()
            ? [
                {
                  label: 'Edit outbound call routes',
                  icon: <Pencil />,
                  href: hrefOf(t),
                  common: true,
                },
                {
                  label: 'Delete outbound call route',
                  icon: <Trash2 />,
                  onClick: () => setDeleting(t),
                  danger: true,
                  common: true,
                },
              ]
            : []
        }
        empty={
          search.filter || search.account_sid ? (
            <EmptyState text="No outbound call routes match these filters." />
          ) : (
            <EmptyState text="No outbound call routes.">{mayWrite() && add}</EmptyState>
          )
        }
      />
      {deleting && (
        <DeleteLcr
          table={deleting}
          done="Deleted outbound call route"
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  )
}

function Filters({
  search,
  setSearch,
}: {
  search: Search
  setSearch: ReturnType<typeof useSetSearch<Search>>
}) {
  const account = useAccountName(search.account_sid ?? '')
  const chips = [
    ...(search.filter
      ? [{ name: 'Name', value: search.filter, onRemove: () => setSearch({ filter: undefined }) }]
      : []),
    ...(search.account_sid
      ? [{ name: 'Used by', value: account, onRemove: () => setSearch({ account_sid: undefined }) }]
      : []),
  ]
  return (
    <FilterBar
      chips={chips}
      onClear={() => setSearch({ filter: undefined, account_sid: undefined })}
    >
      <SearchInput
        label="Filter lcrs"
        value={search.filter ?? ''}
        onChange={(filter) => setSearch({ filter: filter || undefined })}
      />
      <AccountFilter
        label="Used by"
        value={search.account_sid ?? ''}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
    </FilterBar>
  )
}
