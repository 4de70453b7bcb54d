import { ACCOUNT_COLUMNS, type Account, msg, plural, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { atLeast, mayWrite } from '../../lib/access'
import { isSwitchroom } from '../../lib/config'
import { ExportButton, ImportButton } from '../../lib/csv-buttons'
import { accounts } from '../../lib/endpoints'
import { filtersIn, type ListSearch } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { deleteAction, editAction } from '../../lib/row-actions'
import { withTrouble } from '../../lib/state/state'
import { useTroubles } from '../../lib/state/use-troubles'
import { type Column, Table } from '../../lib/table'
import { editHref, thingHref } from '../../lib/thing-href'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Button, buttonClass } from '../../ui/button'
import { FilterBar, SearchInput } from '../../ui/filter-bar'
import { PageHeader } from '../../ui/page-header'
import { Sid } from '../../ui/sid'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { DeleteAccount } from './delete'
import { listOf } from './queries'

const route = getRouteApi('/internal/accounts')
const NewCustomer = lazy(async () => ({ default: (await import('./new-customer')).NewCustomer }))
/** In the address, so that it opens from elsewhere and Back closes it. */
const NEW_CUSTOMER = 'new-customer'
const PATH = '/internal/accounts'
const hashOf = ({ hash }: { hash: string }): string => hash

const hrefOf = (a: Account) => thingHref('account', a.account_sid)
const columnsFor = (troubles: ReturnType<typeof useTroubles>): Column<Account>[] => [
  {
    header: msg('Name'),
    fileColumns: ['name'],
    sort: 'name',
    cell: (a) => withTrouble(a.name, troubles.get(a.account_sid)),
  },
  {
    header: msg('SIP realm'),
    fileColumns: ['sip_realm'],
    cell: (a) =>
      a.sip_realm ? <code>{a.sip_realm}</code> : <span className="none">{t('None')}</span>,
  },
  {
    header: msg('Status'),
    fileColumns: ['is_active'],
    cell: (a) => (
      <Status tone={a.is_active ? 'ok' : 'off'}>{a.is_active ? t('Active') : t('Inactive')}</Status>
    ),
  },
  {
    header: msg('Created'),
    fileColumns: ['created_at'],
    sort: 'created_at',
    wideOnly: true,
    cell: (a) => <Time at={a.created_at} none={t('Unknown')} />,
  },
  {
    header: 'SID',
    fileColumns: ['account_sid'],
    width: 120,
    cell: (a) => <Sid sid={a.account_sid} />,
  },
]

export function Accounts() {
  const search = route.useSearch()
  const setSearch = useSetSearch<ListSearch>()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const sids = useMemo(() => list.data?.data.map((a) => a.account_sid) ?? [], [list.data])
  const troubles = useTroubles('account', sids)
  const columns = useMemo(() => columnsFor(troubles), [troubles])
  const [deleting, setDeleting] = useState<Account>()
  const add = mayWrite() && (
    <Link to="/internal/accounts/add" className={buttonClass('primary')}>
      <Plus aria-hidden />
      {t('Add account')}
    </Link>
  )
  const navigate = useNavigate()
  const hash: string = useLocation({ select: hashOf })
  const mayAddCustomer = mayWrite() && atLeast('service_provider') && isSwitchroom()
  const chips = search.filter
    ? [{ name: t('Text'), value: search.filter, onRemove: () => setSearch({ filter: undefined }) }]
    : []
  return (
    <>
      <PageHeader title={t('Accounts')} total={list.data?.total}>
        <ExportButton
          endpoint={accounts.export}
          sent={{ query: { service_provider_sid: provider, filter: search.filter } }}
        />
        {mayWrite() && (
          <ImportButton
            endpoint={accounts.import}
            title={t('Import accounts')}
            imported={(n) => plural(n, 'Imported 1 account|Imported {n} accounts')}
            columns={ACCOUNT_COLUMNS}
            query={{ service_provider_sid: provider }}
          />
        )}
        {mayAddCustomer && (
          <Button
            onClick={() => void navigate({ href: `${PATH}${location.search}#${NEW_CUSTOMER}` })}
          >
            {t('New customer')}
          </Button>
        )}
        {add}
      </PageHeader>
      <FilterBar
        chips={chips}
        onClear={() => setSearch({ filter: undefined })}
        search={
          <SearchInput
            label={t('Filter accounts')}
            value={search.filter ?? ''}
            onChange={(filter) => setSearch({ filter: filter || undefined })}
          />
        }
      />
      <Table
        label={msg('Accounts')}
        columns={columns}
        query={list}
        search={search}
        fileExport={{
          endpoint: accounts.export,
          sent: { query: { service_provider_sid: provider, ...filtersIn(search) } },
        }}
        rowKey={(a) => a.account_sid}
        rowHref={hrefOf}
        actions={(a) =>
          mayWrite()
            ? [
                editAction(t('Edit account'), editHref('account', a.account_sid)),
                deleteAction(t('Delete account'), () => setDeleting(a)),
              ]
            : []
        }
        empty={
          search.filter ? (
            <NoMatch text={t('No accounts match these filters.')} />
          ) : (
            <EmptyState text={t('No Accounts.')}>{add}</EmptyState>
          )
        }
      />
      {mayAddCustomer && hash === NEW_CUSTOMER && (
        <Suspense>
          <NewCustomer
            onClose={() => void navigate({ href: PATH + location.search, replace: true })}
          />
        </Suspense>
      )}
      {deleting && <DeleteAccount account={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}
