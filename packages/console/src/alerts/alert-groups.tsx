import {
  type AlertGroup,
  alertTypeOf,
  alertTypeText,
  fromServer,
  GATHERED_MAX,
  ISSUE_STATES,
  msg,
  numberText,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { accountColumn } from '../lib/account-column'
import { AlertMark } from '../lib/alert-mark'
import { inboxOf } from '../lib/issue-count'
import { ClearFilters, NoMatch } from '../lib/no-match'
import { PAGE_SIZE } from '../lib/page-sizes'
import { PlainLink } from '../lib/plain-link'
import { type Column, Table } from '../lib/table'
import { useCurrentProvider } from '../lib/use-provider'
import { useSetSearch } from '../lib/use-set-search'
import { Button } from '../ui/button'
import { PageHeader } from '../ui/page-header'
import { rich } from '../ui/rich'
import { EmptyState } from '../ui/states'
import { Status } from '../ui/status'
import { Time } from '../ui/time'
import { Details } from './details'
import { Filters } from './filters'
import { ISSUE_TONES } from './issue-tones'
import { groupsOf, type Search } from './search'

/** Link to the alerts of a group. */
function hrefOf({ account_sid, latest }: AlertGroup, { date }: Search) {
  const filters = Object.entries({ date, account_sid, alert_type: alertTypeOf(latest) })
  const set = filters.filter((f): f is [string, string] => !!f[1])
  return `/internal/alerts?${new URLSearchParams(set)}`
}

const columnsOf = (search: Search): Column<AlertGroup>[] => [
  { header: msg('Type'), width: 176, cell: (g) => alertTypeText(alertTypeOf(g.latest)).name },
  ...accountColumn(),
  {
    header: msg('Status'),
    width: 112,
    cell: (g) => <Status tone={ISSUE_TONES[g.state]}>{ISSUE_STATES[g.state]}</Status>,
  },
  {
    header: msg('Alerts'),
    width: 96,
    align: 'end',
    cell: (g) => (
      <PlainLink href={hrefOf(g, search)} className="numbers">
        {numberText(g.alerts)}
      </PlainLink>
    ),
  },
  { header: msg('First'), width: 128, wideOnly: true, cell: (g) => <Time at={g.first_at} /> },
  { header: msg('Last'), width: 128, cell: (g) => <Time at={g.last_at} /> },
  {
    header: msg('Latest message'),
    wideOnly: true,
    cell: (g) =>
      g.latest.message ? (
        <span className="alert-message">{fromServer(g.latest.message)}</span>
      ) : (
        <span className="none">{t('Unknown')}</span>
      ),
  },
]

/** Alerts grouped by type and account. */
export function AlertGroups({ search }: { search: Search }) {
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const start = ((search.page ?? 1) - 1) * (search.page_size ?? PAGE_SIZE)
  const all = useQuery({ ...groupsOf(provider, search), placeholderData: keepPreviousData })
  const rows = all.data && {
    data: all.data.data.slice(start, start + (search.page_size ?? PAGE_SIZE)),
    total: all.data.data.length,
  }
  const isFiltered = !!(search.filter || search.alert_type || search.date)
  return (
    <>
      <PageHeader title={t('Alerts')} total={rows?.total}>
        <Button look="quiet" busy={all.isFetching} onClick={() => void all.refetch()}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      {all.data && all.data.total > GATHERED_MAX && (
        <p className="hint">
          {rich(
            'Only the newest {counted} of {total} alerts are counted. Choose a shorter time to count them all.',
            { counted: numberText(GATHERED_MAX), total: numberText(all.data.total) },
          )}
        </p>
      )}
      <Table<AlertGroup>
        label={msg('Alerts by type')}
        columns={columnsOf(search)}
        query={{ ...all, data: rows }}
        search={search}
        rowKey={(g) => `${g.account_sid} ${g.service_provider_sid} ${g.alert_type}`}
        detail={(g) => (
          <>
            <AlertMark group={g} of={inboxOf(provider, search.account_sid)} />
            <Details alert={g.latest} />
          </>
        )}
        empty={
          isFiltered ? (
            <NoMatch text={t('No alerts match these filters.')} />
          ) : (
            <EmptyState text={t('No data.')}>{search.account_sid && <ClearFilters />}</EmptyState>
          )
        }
      />
    </>
  )
}
