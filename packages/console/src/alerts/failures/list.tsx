import {
  FAILURE_STATES,
  type Failure,
  type FailureState,
  failureText,
  msg,
  numberText,
  plural,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { AccountFilters } from '../../lib/account-filters'
import { defined } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { type Column, Table } from '../../lib/table'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Button, buttonClass } from '../../ui/button'
import { FilterSelect } from '../../ui/filter-bar'
import { Line } from '../../ui/line'
import { PageHeader } from '../../ui/page-header'
import { EmptyState, LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { listOf, type Search } from './search'
import '../issues.css'
import './failures.css'

const Details = lazy(async () => ({ default: (await import('./details')).Details }))

const route = getRouteApi('/internal/failures')

export const TONES = {
  open: 'bad',
  returned: 'bad',
  watched: 'info',
  muted: 'off',
  resolved: 'ok',
} as const satisfies Record<FailureState, string>

const STATES = [
  { value: 'open', label: t('Open') },
  { value: 'muted', label: t('Muted') },
  { value: 'resolved', label: t('Resolved') },
  { value: 'all', label: t('All states') },
] as const

/** Who is hit the most, and how many others are. */
function hitText({ account_sid, figures }: Failure) {
  const { accounts, applications } = figures
  const hits = account_sid === null ? accounts : applications
  const [most, ...others] = hits.map(({ name, sid }) => name ?? sid.slice(0, 8))
  if (most === undefined) return <span className="none">{t('None')}</span>
  return others.length === 0
    ? most
    : plural(others.length, '{most} and 1 more|{most} and {n} more', { most })
}

const columns: Column<Failure>[] = [
  {
    header: msg('Failure'),
    cell: (f) => <span className="issue-text">{failureText(f)}</span>,
  },
  {
    header: msg('State'),
    width: 144,
    cell: (f) => <Status tone={TONES[f.state]}>{FAILURE_STATES[f.state]}</Status>,
    sub: (f) => f.assignee,
  },
  {
    header: msg('Calls'),
    width: 80,
    align: 'end',
    sort: 'calls',
    cell: (f) => <span className="numbers">{numberText(f.figures.calls)}</span>,
  },
  {
    header: msg('Last 24 hours'),
    width: 136,
    wideOnly: true,
    cell: ({ figures: { hours } }) => (
      <span className="failure-spark">
        <Line values={hours} max={Math.max(...hours)} />
      </span>
    ),
  },
  { header: msg('Most affected'), width: 176, wideOnly: true, cell: hitText },
  {
    header: msg('Last call'),
    width: 128,
    sort: 'last_at',
    cell: (f) => <Time at={f.figures.last_at} />,
  },
]

export function Failures() {
  const search: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const navigate = useNavigate()
  const list = useQuery({
    ...listOf(useCurrentProvider(), search),
    placeholderData: keepPreviousData,
  })
  const state = STATES.find((s) => s.value === search.state)
  const isFiltered = !!(search.filter || search.account_sid || search.state || search.trunk)

  return (
    <>
      <PageHeader title={t('Failures')} total={list.data?.total}>
        <Button look="quiet" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
      </PageHeader>
      <AccountFilters
        search={search}
        label={t('Carrier, status or prefix')}
        more={{
          ...(search.trunk && { trunk: { name: t('Carrier'), value: search.trunk } }),
          ...(state && { state: { name: t('State'), value: state.label } }),
        }}
      >
        <FilterSelect
          label={t('State')}
          options={STATES}
          value={search.state ?? 'open'}
          onChange={(value) => {
            const next = STATES.find((s) => s.value === value)?.value
            setSearch({ state: next === 'open' ? undefined : next })
          }}
        />
      </AccountFilters>
      <Table<Failure>
        label={msg('Failures')}
        columns={columns}
        query={list}
        search={search}
        rowKey={(f) => f.failure_sid}
        openRow={{
          isOpen: (f) => f.failure_sid === search.open,
          onChange: (f, isOpen) =>
            void navigate({
              to: '.',
              search: ((old: Search) =>
                defined({ ...old, open: isOpen ? f.failure_sid : undefined })) as never,
              replace: true,
              resetScroll: false,
            }),
        }}
        detail={(f) => (
          <Suspense fallback={<LoadingState text={t('Loading')} />}>
            <Details failure={f} />
          </Suspense>
        )}
        empty={
          isFiltered ? (
            <NoMatch text={t('No failures match these filters.')} />
          ) : (
            <EmptyState
              text={t(
                'No open failures. Calls that fail by carrier, platform or application appear here within seconds.',
              )}
            >
              <Link to="." search={{ state: 'all' } as never} className={buttonClass()}>
                {t('Show all states')}
              </Link>
            </EmptyState>
          )
        }
      />
    </>
  )
}
