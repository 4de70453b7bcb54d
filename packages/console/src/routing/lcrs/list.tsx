import type { Lcr, LcrItem } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, redirect } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { atLeast, mayWrite } from '../../lib/access'
import { AccountFilters } from '../../lib/account-filters'
import type { AccountSearch } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { setNotice } from '../../lib/notice'
import { deleteAction, editAction } from '../../lib/row-actions'
import { type Column, Table } from '../../lib/table'
import { editHref, thingHref } from '../../lib/thing-href'
import { thingCell } from '../../lib/thing-link'
import { useCurrentProvider, useProvider } from '../../lib/use-provider'
import { buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { DeleteLcr } from './delete'
import { ADD, ownTableHref } from './own-table'
import { listOf, load as loadTables } from './queries'

const route = getRouteApi('/internal/least-cost-routing')

export async function load(search: AccountSearch) {
  if (!atLeast('admin')) {
    setNotice('You do not have permissions to manage all outbound call routes')
    throw redirect({ href: await ownTableHref(), replace: true })
  }
  await loadTables(search)
}

const hrefOf = (t: Lcr) => thingHref('lcr', t.lcr_sid)
const add = (
  <Link to={ADD} className={buttonClass('primary')}>
    <Plus aria-hidden />
    Add routing table
  </Link>
)

type Item = LcrItem

const columnsFor = (provider: string): Column<Item>[] => [
  { header: 'Name', sort: 'name', cell: (t) => t.name ?? <span className="none">None</span> },
  {
    header: 'Used by',
    cell: (t) =>
      t.account_sid
        ? thingCell('account', t.account_sid, t.account_name)
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
    // without the default route
    cell: (t) => {
      const n = Math.max(t.number_routes - 1, 0)
      return `${n} ${n === 1 ? 'route' : 'routes'}`
    },
  },
]

export function Lcrs() {
  const search = route.useSearch()
  const provider = useCurrentProvider()
  const columns = columnsFor(useProvider()?.name ?? provider)
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<Lcr>()
  return (
    <>
      <PageHeader title="Outbound call routing" total={list.data?.total}>
        {mayWrite() && add}
      </PageHeader>
      <AccountFilters search={search} label="Filter lcrs" text="Name" account="Used by" />
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
                editAction('Edit routing table', editHref('lcr', t.lcr_sid)),
                deleteAction('Delete routing table', () => setDeleting(t)),
              ]
            : []
        }
        empty={
          search.filter || search.account_sid ? (
            <NoMatch what="routing tables" />
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
