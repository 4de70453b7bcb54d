import { msg, t, type UserItem } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { atLeast } from '../lib/access'
import { users } from '../lib/endpoints'
import { filtersIn } from '../lib/list-search'
import { ClearFilters, NoMatch } from '../lib/no-match'
import { AccountFilter, useAccountName } from '../lib/pickers'
import { editAction } from '../lib/row-actions'
import { type Column, Table } from '../lib/table'
import { editHref, thingHref } from '../lib/thing-href'
import { useCapabilities } from '../lib/use-capabilities'
import { useCurrentProvider } from '../lib/use-provider'
import { type FilterProps, useSetSearch } from '../lib/use-set-search'
import { buttonClass } from '../ui/button'
import { FilterBar, SearchInput } from '../ui/filter-bar'
import { PageHeader } from '../ui/page-header'
import { Select } from '../ui/select'
import { EmptyState } from '../ui/states'
import { Badge, Status } from '../ui/status'
import { UserCsv } from './csv'
import { DeleteUser } from './delete'
import { mayManageUser } from './may-manage'
import { listOf, type Search } from './queries'
import { roles, scopeOf } from './scope'

const Selection = lazy(async () => ({ default: (await import('./selection')).Selection }))

const route = getRouteApi('/internal/users')

const hrefOf = (u: UserItem) => thingHref('user', u.user_sid)
const columns: Column<UserItem>[] = [
  { header: msg('Username'), fileColumns: ['name'], sort: 'name', cell: (u) => u.name },
  { header: msg('Email'), fileColumns: ['email'], sort: 'email', cell: (u) => u.email },
  { header: msg('Scope'), fileColumns: ['scope', 'service_provider', 'account'], cell: scopeOf },
  {
    header: msg('Status'),
    fileColumns: ['is_active', 'is_view_only'],
    cell: (u) => (
      <span className="badges">
        <Status tone={u.is_active ? 'ok' : 'off'}>
          {u.is_active ? t('Active') : t('Inactive')}
        </Status>
        {u.is_view_only && <Badge>{t('View-only')}</Badge>}
      </span>
    ),
  },
]

export function Users() {
  const search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<UserItem>()
  const add = mayManageUser() && (
    <Link to="/internal/users/add" className={buttonClass('primary')}>
      <Plus aria-hidden />
      {t('Add user')}
    </Link>
  )
  const ours = !!useCapabilities()
  const { filter, scope, account_sid } = search
  return (
    <>
      <PageHeader title={t('Users')} total={list.data?.total}>
        <UserCsv search={search} />
        {add}
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      <Table
        label={msg('Users')}
        columns={columns}
        query={list}
        search={search}
        fileExport={{
          endpoint: users.export,
          sent: { query: { service_provider_sid: provider, ...filtersIn(search) } },
        }}
        rowKey={(u) => u.user_sid}
        rowHref={hrefOf}
        actions={(u) =>
          mayManageUser(u.user_sid)
            ? [
                editAction(t('Edit user'), editHref('user', u.user_sid)),
                {
                  label: t('Delete user'),
                  icon: <Trash2 />,
                  onClick: () => setDeleting(u),
                  danger: true,
                },
              ]
            : []
        }
        {...(mayManageUser() &&
          ours && {
            selectAll: true,
            selection: (selected, clear) => (
              <Suspense>
                <Selection
                  filters={{ service_provider_sid: provider, account_sid, scope, filter }}
                  selected={selected}
                  onDone={clear}
                />
              </Suspense>
            ),
          })}
        empty={
          filter || scope ? (
            <NoMatch text={t('No users match these filters.')} />
          ) : (
            <EmptyState text={t('No users.')}>
              {account_sid && <ClearFilters />}
              {add}
            </EmptyState>
          )
        }
      />
      {deleting && <DeleteUser user={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

function Filters({ search, setSearch }: FilterProps<Search>) {
  const account = useAccountName(search.account_sid ?? '')
  const scopes = roles()
  const scope = scopes.find((r) => r.value === search.scope)
  const chips = [
    { name: t('Text'), value: search.filter, onRemove: () => setSearch({ filter: undefined }) },
    { name: t('Scope'), value: scope?.label, onRemove: () => setSearch({ scope: undefined }) },
    { name: t('Account'), value: account, onRemove: () => setSearch({ account_sid: undefined }) },
  ]
  return (
    <FilterBar
      chips={chips}
      onClear={() => setSearch({ filter: undefined, scope: undefined, account_sid: undefined })}
      search={
        <SearchInput
          label={t('Filter users')}
          value={search.filter ?? ''}
          onChange={(filter) => setSearch({ filter: filter || undefined })}
        />
      }
    >
      {atLeast('service_provider') && (
        <Select
          aria-label={t('Scope')}
          compact
          options={[{ value: '', label: t('All scopes') }, ...scopes]}
          value={search.scope ?? ''}
          onChange={(v) => setSearch({ scope: scopes.find((r) => r.value === v)?.value })}
        />
      )}
      <AccountFilter
        value={search.account_sid ?? ''}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
    </FilterBar>
  )
}
