import {
  AUDIT_ACTIONS,
  AUDIT_KINDS,
  type AuditEntry,
  actionText,
  msg,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { atLeast } from '../lib/access'
import { query, queryClient } from '../lib/api'
import { ExportButton } from '../lib/csv-buttons'
import { likelyProvider } from '../lib/current-provider'
import { audit } from '../lib/endpoints'
import { defined, filtersIn, type ListSearch, oneOf, paged } from '../lib/list-search'
import { NoMatch } from '../lib/no-match'
import { AccountFilter, useAccountName } from '../lib/pickers'
import { keysOf } from '../lib/records'
import { type Column, Table } from '../lib/table'
import { useCurrentProvider } from '../lib/use-provider'
import { type FilterProps, useSetSearch } from '../lib/use-set-search'
import { zoneText } from '../ui/dates'
import { FilterBar, SearchInput } from '../ui/filter-bar'
import { PageHeader } from '../ui/page-header'
import { Select } from '../ui/select'
import { EmptyState } from '../ui/states'
import { Moment } from '../ui/time'
import { endsOfDay } from '../ui/time-zone'
import { subjectOf } from './subject'

const EntryAt = lazy(async () => ({ default: (await import('./entry-at')).EntryAt }))
const route = getRouteApi('/internal/audit-log')
/** `open`: the position of the entry that is open. */
type Search = ListSearch & Partial<Record<FilterName | 'open', string>>
type FilterName = 'account_sid' | 'kind' | 'action' | 'from' | 'to' | 'sid'

const KINDS = keysOf(AUDIT_KINDS)
const ACTIONS = keysOf(AUDIT_ACTIONS)

/** A URL may say anything; drops what the endpoint would reject. */
const filtersOf = (
  service_provider_sid: string,
  { kind, action, from, to, open: _, ...search }: Search,
) => ({
  ...search,
  kind: oneOf(KINDS, kind),
  action: oneOf(ACTIONS, action),
  from: from && endsOfDay(from)?.from.toISOString(),
  to: to && endsOfDay(to)?.to.toISOString(),
  // admins also see entries that belong to no provider
  ...(!atLeast('admin') && { service_provider_sid }),
})
const listOf = (provider: string, search: Search) =>
  query(audit.list, { query: paged(filtersOf(provider, search)) })

export async function load(search: Search) {
  void likelyProvider().then(
    (sid) => queryClient.prefetchQuery(listOf(sid, search)),
    () => undefined,
  )
}

const columns = (): Column<AuditEntry>[] => [
  {
    header: msg('Time'),
    note: zoneText(),
    fileColumns: ['at'],
    sort: 'seq',
    cell: (e) => <Moment at={e.at} />,
  },
  { header: msg('Actor'), fileColumns: ['actor'], cell: (e) => e.actor },
  { header: msg('Action'), fileColumns: ['action'], width: 120, cell: actionText },
  { header: msg('Type'), fileColumns: ['kind'], width: 160, cell: (e) => AUDIT_KINDS[e.kind] },
  {
    header: msg('Name'),
    fileColumns: ['name', 'sid'],
    cell: (e) => (
      <span className="clamped" title={e.name}>
        {subjectOf(e)}
      </span>
    ),
  },
  {
    header: msg('From'),
    fileColumns: ['ip'],
    width: 140,
    wideOnly: true,
    cell: (e) => e.ip ?? <span className="none">{t('Hidden')}</span>,
  },
]

/** Opens entries in the address; Back closes what was opened from the list. */
function useOpenEntry(open: string | undefined) {
  const navigate = useNavigate()
  const { history } = useRouter()
  const isFromList = useRef(false)
  useEffect(() => {
    if (!open) isFromList.current = false
  }, [open])
  const goTo = (open: string | undefined, replace: boolean) =>
    void navigate({
      to: '.',
      search: ((old: Search) => defined({ ...old, open })) as never,
      replace,
      resetScroll: false,
    })
  return {
    open: ({ seq }: AuditEntry) => {
      isFromList.current = true
      goTo(String(seq), false)
    },
    close: () => (isFromList.current ? history.back() : goTo(undefined, true)),
  }
}

export function AuditLog() {
  const { open, ...search }: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const opened = useOpenEntry(open)
  const shown = useMemo(() => columns(), [])
  const filters = filtersIn(search)
  const sent = filtersIn(filtersOf(provider, search))
  return (
    <>
      <PageHeader title={t('Audit log')} total={list.data?.total}>
        <ExportButton endpoint={audit.export} sent={{ query: sent }} />
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      <Table
        label={msg('Audit log')}
        columns={shown}
        query={list}
        search={search}
        fileExport={{ endpoint: audit.export, sent: { query: sent } }}
        rowKey={(e) => String(e.seq)}
        actions={(e) => [
          { label: t('Show entry'), icon: <Eye />, onClick: () => opened.open(e), common: true },
        ]}
        empty={
          Object.keys(filters).length > 0 ? (
            <NoMatch text={t('No entries match these filters.')} />
          ) : (
            <EmptyState text={t('No changes yet.')} />
          )
        }
      />
      <Suspense>
        {open && (
          <EntryAt
            seq={Number(open)}
            known={list.data?.data.find((e) => String(e.seq) === open)}
            onClose={opened.close}
          />
        )}
      </Suspense>
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
    chip(t('Text'), 'filter', search.filter),
    chip(t('Type'), 'kind', kind && AUDIT_KINDS[kind]),
    chip(t('Action'), 'action', action && AUDIT_ACTIONS[action]),
    chip(t('Account'), 'account_sid', account),
    chip('SID', 'sid', search.sid),
    chip(t('Since'), 'from', search.from),
    chip(t('Until'), 'to', search.to),
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
      search={
        <SearchInput
          label={t('Filter by name, actor or SID')}
          value={search.filter ?? ''}
          onChange={(filter) => setSearch({ filter: filter || undefined })}
        />
      }
      more={
        <>
          <Select
            aria-label={t('Type')}
            compact
            options={options(t('All types'), AUDIT_KINDS)}
            value={kind ?? ''}
            onChange={(v) => setSearch({ kind: v || undefined })}
          />
          <Select
            aria-label={t('Action')}
            compact
            options={options(t('All actions'), AUDIT_ACTIONS)}
            value={action ?? ''}
            onChange={(v) => setSearch({ action: v || undefined })}
          />
          {(['from', 'to'] as const).map((member) => (
            <input
              key={member}
              type="date"
              className="input audit-day"
              aria-label={member === 'from' ? t('Since') : t('Until')}
              value={search[member] ?? ''}
              onChange={(e) => setSearch({ [member]: e.target.value || undefined })}
            />
          ))}
        </>
      }
    >
      <AccountFilter
        value={search.account_sid ?? ''}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
    </FilterBar>
  )
}
