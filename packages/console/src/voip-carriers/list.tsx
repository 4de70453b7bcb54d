import { type VoipCarrierItem, voipCarriers } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ownAccount } from '../lib/access'
import { query, queryClient } from '../lib/api'
import { currentProvider, useCurrentProvider } from '../lib/current-provider'
import { type ListSearch, paged } from '../lib/list-search'
import { AccountFilter, useAccountName } from '../lib/pickers'
import { type Column, Table } from '../lib/table'
import { useSetSearch } from '../lib/use-set-search'
import { buttonClass } from '../ui/button'
import { FilterBar, SearchInput } from '../ui/filter-bar'
import { PageHeader } from '../ui/page-header'
import { EmptyState } from '../ui/states'
import { Status } from '../ui/status'
import { DeleteVoipCarrier } from './delete'
import { mayAdd, mayChange } from './may'
import { Registration } from './register-status'
import { trunkLabel } from './trunk'

const route = getRouteApi('/internal/carriers')
type Search = ListSearch & { account_sid?: string }

const listOf = (service_provider_sid: string, search: Search) =>
  query(voipCarriers.ofServiceProvider, {
    params: { service_provider_sid },
    query: paged(search),
  })

export async function load(search: Search) {
  void queryClient.prefetchQuery(listOf(await currentProvider(), search))
}

const hrefOf = (c: VoipCarrierItem) => `/internal/carriers/${c.voip_carrier_sid}/edit`
const add = (
  <Link to="/internal/carriers/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    Add carrier
  </Link>
)

const usedBy: Column<VoipCarrierItem> = {
  header: 'Used by',
  cell: (c) => c.account_name ?? 'All accounts',
}
const columnsFor = (ofAccount: boolean): Column<VoipCarrierItem>[] => [
  { header: 'Name', sort: 'name', cell: (c) => c.name },
  ...(ofAccount ? [] : [usedBy]),
  {
    header: 'Status',
    cell: (c) => (
      <Status tone={c.is_active ? 'ok' : 'off'}>{c.is_active ? 'Active' : 'Inactive'}</Status>
    ),
  },
  { header: 'Trunk type', cell: (c) => trunkLabel(c.trunk_type) },
  {
    header: 'Registration',
    cell: (c) => (c.requires_register ? <Registration carrier={c} /> : null),
  },
  { header: 'Inbound gateways', align: 'end', cell: (c) => c.inbound_gateways },
  { header: 'Outbound gateways', align: 'end', cell: (c) => c.outbound_gateways },
]

export function VoipCarriers() {
  const search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<VoipCarrierItem>()
  const columns = useMemo(() => columnsFor(ownAccount() !== undefined), [])
  return (
    <>
      <PageHeader title="Carriers" total={list.data?.total}>
        {mayAdd() && add}
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      <Table
        label="Carriers"
        columns={columns}
        query={list}
        search={search}
        rowKey={(c) => c.voip_carrier_sid}
        rowHref={(c) => (ownAccount() && !c.account_sid ? undefined : hrefOf(c))}
        actions={(c) =>
          mayChange(c)
            ? [
                { label: 'Edit carrier', icon: <Pencil />, href: hrefOf(c), common: true },
                {
                  label: 'Delete Carrier',
                  icon: <Trash2 />,
                  onClick: () => setDeleting(c),
                  danger: true,
                  common: true,
                },
              ]
            : []
        }
        empty={
          search.filter || search.account_sid ? (
            <EmptyState text="No carriers match these filters." />
          ) : (
            <EmptyState text="No Carriers.">{mayAdd() && add}</EmptyState>
          )
        }
      />
      {deleting && <DeleteVoipCarrier carrier={deleting} onClose={() => setDeleting(undefined)} />}
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
        label="Filter carriers"
        value={search.filter ?? ''}
        onChange={(filter) => setSearch({ filter: filter || undefined })}
      />
      {!ownAccount() && (
        <AccountFilter
          value={search.account_sid ?? ''}
          onChange={(sid) => setSearch({ account_sid: sid || undefined })}
        />
      )}
    </FilterBar>
  )
}
