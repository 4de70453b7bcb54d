import { type Lcr, type LcrItem, msg, plural, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, redirect } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { atLeast, mayWrite } from '../../lib/access'
import { AccountFilters } from '../../lib/account-filters'
import type { AccountSearch } from '../../lib/list-search'
import { ClearFilters, NoMatch } from '../../lib/no-match'
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
    setNotice(t('You do not have permissions to manage all outbound call routes'))
    throw redirect({ href: await ownTableHref(), replace: true })
  }
  await loadTables(search)
}

const hrefOf = (lcr: Lcr) => thingHref('lcr', lcr.lcr_sid)
const add = (
  <Link to={ADD} className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add routing table')}
  </Link>
)

type Item = LcrItem

const columnsFor = (provider: string): Column<Item>[] => [
  {
    header: msg('Name'),
    sort: 'name',
    cell: (lcr) => lcr.name ?? <span className="none">{t('None')}</span>,
  },
  {
    header: msg('Used by'),
    cell: (lcr) =>
      lcr.account_sid
        ? thingCell('account', lcr.account_sid, lcr.account_name)
        : (lcr.service_provider_name ?? (lcr.service_provider_sid ? provider : null)),
  },
  {
    header: msg('Status'),
    cell: (lcr) => (
      <Status tone={lcr.is_active ? 'ok' : 'off'}>
        {lcr.is_active ? t('Active') : t('Inactive')}
      </Status>
    ),
  },
  {
    header: msg('Routes'),
    align: 'end',
    // without the default route
    cell: (lcr) => {
      const n = Math.max(lcr.number_routes - 1, 0)
      return `${n} ${plural(n, 'route|routes')}`
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
      <PageHeader title={t('Outbound call routing')} total={list.data?.total}>
        {mayWrite() && add}
      </PageHeader>
      <AccountFilters
        search={search}
        label={t('Filter routing tables')}
        text={t('Name')}
        account={t('Used by')}
      />
      <Table
        label={msg('Outbound call routing')}
        columns={columns}
        query={list}
        search={search}
        rowKey={(lcr) => lcr.lcr_sid}
        rowHref={hrefOf}
        actions={(lcr) =>
          mayWrite()
            ? [
                editAction(t('Edit routing table'), editHref('lcr', lcr.lcr_sid)),
                deleteAction(t('Delete routing table'), () => setDeleting(lcr)),
              ]
            : []
        }
        empty={
          search.filter ? (
            <NoMatch text={t('No routing tables match these filters.')} />
          ) : (
            <EmptyState text={t('No outbound call routes.')}>
              {search.account_sid && <ClearFilters />}
              {mayWrite() && add}
            </EmptyState>
          )
        }
      />
      {deleting && (
        <DeleteLcr
          table={deleting}
          done={t('Deleted outbound call route')}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  )
}
