import type { VoipCarrierItem } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ownAccount } from '../../lib/access'
import { AccountFilters } from '../../lib/account-filters'
import { NoMatch } from '../../lib/no-match'
import { deleteAction, editAction } from '../../lib/row-actions'
import { type Column, Table } from '../../lib/table'
import { useCurrentProvider } from '../../lib/use-provider'
import { buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { DeleteVoipCarrier } from './delete'
import { mayAddCarrier, mayChangeCarrier } from './may'
import { isOwnerless } from './owner'
import { OwnerlessFilters, OwnerlessHint, useSeesOwnerless } from './ownerless'
import { listOf, ownerlessList } from './queries'
import { Registration } from './registration'
import { trunkLabel } from './trunk-types'

const route = getRouteApi('/internal/carriers')

const hrefOf = (c: VoipCarrierItem) => `/internal/carriers/${c.voip_carrier_sid}/edit`
const add = (
  <Link to="/internal/carriers/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    Add carrier
  </Link>
)

const usedBy: Column<VoipCarrierItem> = {
  header: 'Used by',
  cell: (c) => c.account_name ?? (isOwnerless(c) ? 'No service provider' : 'All accounts'),
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
  { header: 'Inbound gateways', align: 'end', cell: (c) => c.inbound_gateways ?? 'Gateways error' },
  {
    header: 'Outbound gateways',
    align: 'end',
    cell: (c) => c.outbound_gateways ?? 'Gateways error',
  },
]

export function VoipCarriers() {
  const search = route.useSearch()
  const provider = useCurrentProvider()
  const seesOwnerless = useSeesOwnerless()
  const ownerless = seesOwnerless && search.provider === 'none'
  const list = useQuery({
    ...(ownerless ? ownerlessList(search) : listOf(provider, search)),
    placeholderData: keepPreviousData,
    enabled: seesOwnerless !== null,
  })
  const [deleting, setDeleting] = useState<VoipCarrierItem>()
  const columns = useMemo(() => columnsFor(ownAccount() !== undefined), [])
  return (
    <>
      <PageHeader title="Carriers" total={list.data?.total}>
        {mayAddCarrier() && add}
      </PageHeader>
      {ownerless ? (
        <OwnerlessFilters filter={search.filter} />
      ) : (
        <>
          <AccountFilters search={search} label="Filter carriers" text="Name" account="Used by" />
          {seesOwnerless && <OwnerlessHint />}
        </>
      )}
      <Table
        label="Carriers"
        columns={columns}
        query={list}
        search={search}
        rowKey={(c) => c.voip_carrier_sid}
        rowHref={(c) => (ownAccount() && !c.account_sid ? undefined : hrefOf(c))}
        actions={(c) =>
          mayChangeCarrier(c)
            ? [
                editAction('Edit carrier', hrefOf(c)),
                deleteAction('Delete carrier', () => setDeleting(c)),
              ]
            : []
        }
        empty={
          ownerless || search.filter || search.account_sid ? (
            <NoMatch what="carriers" />
          ) : (
            <EmptyState text="No Carriers.">{mayAddCarrier() && add}</EmptyState>
          )
        }
      />
      {deleting && <DeleteVoipCarrier carrier={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}
