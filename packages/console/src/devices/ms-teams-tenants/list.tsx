import { type MsTeamsTenant, type MsTeamsTenantItem, msg, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { mayWrite } from '../../lib/access'
import { accountColumn } from '../../lib/account-column'
import { AccountFilters } from '../../lib/account-filters'
import { queryClient } from '../../lib/api'
import type { AccountSearch } from '../../lib/list-search'
import { EmptyList } from '../../lib/needs'
import { NEEDS_ACCOUNT } from '../../lib/needs-account'
import { NoMatch } from '../../lib/no-match'
import { deleteAction, editAction } from '../../lib/row-actions'
import { type Column, Table } from '../../lib/table'
import { thingCell } from '../../lib/thing-link'
import { useCurrentProvider } from '../../lib/use-provider'
import { buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { Sid } from '../../ui/sid'
import { DeleteMsTeamsTenant } from './delete'
import { requireTeamsDomain } from './guard'
import { listOf } from './queries'

const route = getRouteApi('/internal/ms-teams-tenants')

export async function load(search: AccountSearch) {
  void queryClient.prefetchQuery(listOf(await requireTeamsDomain(), search))
}

const hrefOf = (tenant: MsTeamsTenant) =>
  `/internal/ms-teams-tenants/${tenant.ms_teams_tenant_sid}/edit`
const add = (
  <Link to="/internal/ms-teams-tenants/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add Microsoft Teams tenant')}
  </Link>
)

type Item = MsTeamsTenantItem

const columns = (): Column<Item>[] => [
  { header: msg('Domain name'), sort: 'tenant_fqdn', cell: (tenant) => tenant.tenant_fqdn },
  ...accountColumn(),
  {
    header: msg('Application'),
    cell: (tenant) => thingCell('application', tenant.application_sid, tenant.application_name),
  },
  { header: 'SID', width: 120, cell: (tenant) => <Sid sid={tenant.ms_teams_tenant_sid} /> },
]

export function MsTeamsTenants() {
  const search = route.useSearch()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<MsTeamsTenant>()
  return (
    <>
      <PageHeader title={t('Microsoft Teams tenants')} total={list.data?.total}>
        {mayWrite() && add}
      </PageHeader>
      <AccountFilters search={search} label={t('Filter Microsoft Teams tenants')} />
      <Table
        label={msg('Microsoft Teams tenants')}
        columns={columns()}
        query={list}
        search={search}
        rowKey={(tenant) => tenant.ms_teams_tenant_sid}
        rowHref={hrefOf}
        actions={(tenant) =>
          mayWrite()
            ? [
                editAction(t('Edit Microsoft Teams tenant'), hrefOf(tenant)),
                deleteAction(t('Delete Microsoft Teams tenant'), () => setDeleting(tenant)),
              ]
            : []
        }
        empty={
          search.filter ? (
            <NoMatch text={t('No Microsoft Teams tenants match these filters.')} />
          ) : (
            <Empty account_sid={search.account_sid} />
          )
        }
      />
      {deleting && <DeleteMsTeamsTenant tenant={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

const Empty = ({ account_sid }: { account_sid: string | undefined }) => (
  <EmptyList
    account_sid={account_sid}
    text={t('No Microsoft Teams Tenant.')}
    add={add}
    mayAdd={mayWrite()}
    account={NEEDS_ACCOUNT.msTeamsTenant}
  />
)
