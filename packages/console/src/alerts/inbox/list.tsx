import {
  type InboxIssue,
  ISSUE_KINDS,
  ISSUE_STATES,
  keysOf,
  msg,
  numberText,
  SEVERITIES,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { ownAccount } from '../../lib/access'
import { AccountFilters } from '../../lib/account-filters'
import { inboxOf } from '../../lib/issue-count'
import { defined } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { type Column, Table } from '../../lib/table'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Button, buttonClass } from '../../ui/button'
import { FilterSelect } from '../../ui/filter-bar'
import { PageHeader } from '../../ui/page-header'
import { EmptyState, LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { ISSUE_TONES, SEVERITY_TONES } from '../issue-tones'
import { issueText } from './issue-text'
import { listOf, type Search } from './search'
import '../issues.css'

const Details = lazy(async () => ({ default: (await import('./details')).Details }))

const route = getRouteApi('/internal/inbox')

const optionsOf = (labels: Record<string, string>) =>
  keysOf(labels).map((value) => ({ value, label: labels[value]! }))

/** The first of each is what the list shows without the filter. */
const FILTERS = {
  severity: {
    name: t('Severity'),
    options: [{ value: '', label: t('All severities') }, ...optionsOf(SEVERITIES)],
  },
  state: {
    name: t('State'),
    options: [
      { value: '', label: t('Open') },
      ...optionsOf({
        muted: ISSUE_STATES.muted,
        resolved: ISSUE_STATES.resolved,
        quiet: ISSUE_STATES.quiet,
        all: t('All states'),
      }),
    ],
  },
  kind: {
    name: t('Kind'),
    options: [{ value: '', label: t('All kinds') }, ...optionsOf(ISSUE_KINDS)],
  },
  assigned: {
    name: t('Assigned to'),
    options: [
      { value: '', label: t('Anybody') },
      { value: 'me', label: t('Me') },
      { value: 'nobody', label: t('Nobody') },
    ],
  },
}

const keyOf = ({ kind, account_sid, key }: InboxIssue) => [kind, account_sid, key].join(' ')

const columns: Column<InboxIssue>[] = [
  {
    header: msg('Severity'),
    width: 112,
    cell: ({ severity }) => (
      <span data-severity={severity}>
        <Status tone={SEVERITY_TONES[severity]}>{SEVERITIES[severity]}</Status>
      </span>
    ),
  },
  {
    header: msg('Issue'),
    cell: (issue) => <span className="issue-text">{issueText(issue)}</span>,
    sub: ({ account_name }) =>
      account_name && !ownAccount() ? <span className="none">{account_name}</span> : undefined,
  },
  { header: msg('Kind'), width: 96, wideOnly: true, cell: ({ kind }) => ISSUE_KINDS[kind] },
  {
    header: msg('State'),
    width: 136,
    // how much it matters is in the first column
    cell: ({ state }) => (
      <Status tone={state === 'open' ? 'off' : ISSUE_TONES[state]}>{ISSUE_STATES[state]}</Status>
    ),
    sub: ({ assignee }) => (assignee ? <span className="none">{assignee}</span> : undefined),
  },
  {
    header: msg('Count'),
    width: 80,
    align: 'end',
    wideOnly: true,
    cell: ({ count }) => count !== null && <span className="numbers">{numberText(count)}</span>,
  },
  {
    header: msg('Since'),
    width: 128,
    wideOnly: true,
    cell: ({ first_at }) =>
      first_at ? <Time at={first_at} /> : <span className="none">{t('Unknown')}</span>,
  },
  { header: msg('Last'), width: 128, cell: ({ last_at }) => <Time at={last_at} /> },
]

/** The inbox: a row for each cause of trouble, with its assignee. */
export function Inbox() {
  const search: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const set = keysOf(FILTERS).filter((name) => search[name])
  const labelOf = (name: keyof typeof FILTERS) =>
    FILTERS[name].options.find(({ value }) => value === search[name])?.label ?? ''
  const isFiltered = set.length > 0 || !!(search.filter || search.account_sid)
  return (
    <>
      <PageHeader title={t('Inbox')} total={list.data?.total}>
        <Button look="quiet" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
      </PageHeader>
      <AccountFilters
        search={search}
        label={t('Filter issues')}
        more={Object.fromEntries(
          set.map((name) => [name, { name: FILTERS[name].name, value: labelOf(name) }]),
        )}
        moreFilters={keysOf(FILTERS).map((name) => (
          <FilterSelect
            key={name}
            label={FILTERS[name].name}
            options={FILTERS[name].options}
            value={search[name] ?? ''}
            onChange={(value) => setSearch({ [name]: value || undefined })}
          />
        ))}
      />
      <Table<InboxIssue>
        label={msg('Issues')}
        columns={columns}
        query={list}
        search={search}
        rowKey={keyOf}
        openRow={{
          isOpen: (issue) => keyOf(issue) === search.open,
          onChange: (issue, isOpen) =>
            void navigate({
              to: '.',
              search: ((old: Search) =>
                defined({ ...old, open: isOpen ? keyOf(issue) : undefined })) as never,
              replace: true,
              resetScroll: false,
            }),
        }}
        detail={(issue) => (
          <Suspense fallback={<LoadingState text={t('Loading')} />}>
            <Details issue={issue} of={inboxOf(provider, search.account_sid)} />
          </Suspense>
        )}
        empty={
          isFiltered ? (
            <NoMatch text={t('No issues match these filters.')} />
          ) : (
            <EmptyState
              text={t(
                'No open issues. Carriers in trouble, failed calls, alerts and anomalies appear here.',
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
