import { CLIENT_COLUMNS, type Client, type ClientItem, msg, plural, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { accountColumn } from '../../lib/account-column'
import { AccountFilters } from '../../lib/account-filters'
import { CsvButtons } from '../../lib/csv-buttons'
import { clients } from '../../lib/endpoints'
import { callColumns, UnusedFilter, unusedChip } from '../../lib/latest-calls'
import { filtersIn } from '../../lib/list-search'
import { EmptyList } from '../../lib/needs'
import { NEEDS_ACCOUNT } from '../../lib/needs-account'
import { NoMatch } from '../../lib/no-match'
import { deleteAction, editAction } from '../../lib/row-actions'
import { type Column, Table } from '../../lib/table'
import { editHref, thingHref } from '../../lib/thing-href'
import { useCapabilities } from '../../lib/use-capabilities'
import { useCurrentProvider } from '../../lib/use-provider'
import { buttonClass } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { Sid } from '../../ui/sid'
import { Status } from '../../ui/status'
import { DeleteClient } from './delete'
import { listOf } from './queries'
import { useSipRealm } from './realm'

const Selection = lazy(async () => ({ default: (await import('./selection')).Selection }))

const route = getRouteApi('/internal/clients')

const hrefOf = (c: Client) => thingHref('client', c.client_sid)
const add = (
  <Link to="/internal/clients/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add SIP client')}
  </Link>
)

type Item = ClientItem

const columns = (isOurs: boolean): Column<Item>[] => [
  {
    header: msg('Username'),
    fileColumns: ['username', ...(ownAccount() ? [] : ['sip_realm'])],
    sort: 'username',
    cell: (c) => c.username,
    ...(!ownAccount() && {
      sub: (c: Item) => <span className="none clamped">{c.sip_realm || t('No sip realm')}</span>,
    }),
  },
  {
    header: msg('Status'),
    fileColumns: ['is_active'],
    cell: (c) => (
      <Status tone={c.is_active ? 'ok' : 'off'}>{c.is_active ? t('Active') : t('Inactive')}</Status>
    ),
  },
  ...accountColumn({ fileColumns: ['account'] }),
  ...callColumns(isOurs),
  {
    header: 'SID',
    fileColumns: ['client_sid'],
    width: 120,
    cell: (c) => <Sid sid={c.client_sid} />,
  },
]

export function Clients() {
  const search = route.useSearch()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<Client>()
  const ours = !!useCapabilities()
  const { filter, account_sid, unused } = search
  return (
    <>
      <PageHeader title={t('SIP clients')} total={list.data?.total}>
        <CsvButtons
          endpoints={clients}
          title={t('Import SIP clients')}
          imported={(n) => plural(n, 'Imported 1 SIP client|Imported {n} SIP clients')}
          columns={CLIENT_COLUMNS}
          search={search}
          mayImport={mayWrite()}
        />
        {mayWrite() && add}
      </PageHeader>
      <Realm account_sid={ownAccount() ?? search.account_sid ?? ''} />
      <AccountFilters search={search} label={t('Filter SIP clients')} more={unusedChip(search)}>
        <UnusedFilter search={search} />
      </AccountFilters>
      <Table<Item>
        label={msg('SIP clients')}
        columns={columns(ours)}
        query={list}
        search={search}
        fileExport={{
          endpoint: clients.export,
          sent: { query: { service_provider_sid: provider, ...filtersIn(search) } },
        }}
        rowKey={(c) => c.client_sid}
        rowHref={hrefOf}
        actions={(c) =>
          mayWrite()
            ? [
                editAction(t('Edit SIP client'), editHref('client', c.client_sid)),
                deleteAction(t('Delete SIP client'), () => setDeleting(c)),
              ]
            : []
        }
        {...(mayWrite() &&
          ours && {
            selectAll: true,
            selection: (selected, clear) => (
              <Suspense>
                <Selection
                  filters={{ service_provider_sid: provider, account_sid, filter, unused }}
                  selected={selected}
                  onDone={clear}
                />
              </Suspense>
            ),
          })}
        empty={
          filter || unused ? (
            <NoMatch text={t('No SIP clients match these filters.')} />
          ) : (
            <Empty account_sid={account_sid} />
          )
        }
      />
      {deleting && <DeleteClient client={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

const Empty = ({ account_sid }: { account_sid: string | undefined }) => (
  <EmptyList
    account_sid={account_sid}
    text={t('No sip clients.')}
    add={add}
    mayAdd={mayWrite()}
    account={NEEDS_ACCOUNT.client}
  />
)

/** The SIP realm where clients of the account register. */
function Realm({ account_sid }: { account_sid: string }) {
  const realm = useSipRealm(account_sid)
  if (realm === undefined) return null
  if (realm === null)
    return (
      <Notice tone="warn">
        {t('You need to associate a sip realm to this account in order to add sip credentials.')}
      </Notice>
    )
  return (
    <Notice tone="info">
      {rich('Your sip realm is {strong}', { strong: <strong>{realm}</strong> })}
      {mayWrite() &&
        rich(
          '{br}You can add sip credentials below to allow sip devices to register to this realm and make calls.',
          { br: <br /> },
        )}
    </Notice>
  )
}
