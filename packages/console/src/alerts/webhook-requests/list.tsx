import { fromServer, msg, REQUEST_KINDS, t, type WebhookRequestItem } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { accountColumn } from '../../lib/account-column'
import { AccountFilters } from '../../lib/account-filters'
import { useApplicationName } from '../../lib/application-name'
import { filtersIn } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { type Column, Table } from '../../lib/table'
import { thingCell } from '../../lib/thing-link'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Button } from '../../ui/button'
import { zoneText } from '../../ui/dates'
import { FilterSelect } from '../../ui/filter-bar'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { Moment } from '../../ui/time'
import { listOf, OUTCOMES, type Search } from './queries'
import { kindText, RequestStatus } from './request-status'
import './webhook-log.css'

const route = getRouteApi('/internal/webhook-log')

const DATES = { today: t('Today'), yesterday: t('Yesterday') }

const columns = (): Column<WebhookRequestItem>[] => [
  {
    header: msg('Time'),
    note: zoneText(),
    sort: 'at',
    width: 190,
    cell: (r) => <Moment at={r.at} />,
  },
  {
    header: msg('Request'),
    cell: (r) => (
      <code className="clamped" title={r.url}>
        {r.method} {r.url}
      </code>
    ),
    sub: (r) => <span className="none">{kindText(r)}</span>,
  },
  {
    header: msg('Outcome'),
    width: 190,
    cell: (r) => <RequestStatus request={r} />,
    sub: (r) => r.error && <span className="clamped none">{fromServer(r.error)}</span>,
  },
  {
    header: msg('Duration'),
    align: 'end',
    width: 96,
    wideOnly: true,
    cell: (r) => t('{milliseconds} ms', { milliseconds: r.duration_ms }),
  },
  ...accountColumn<WebhookRequestItem>({
    wideOnly: true,
    cell: (r) =>
      r.account_sid
        ? thingCell('account', r.account_sid, r.account_name)
        : r.service_provider_sid
          ? t('Provider (no account)')
          : t('None'),
  }),
]

const options = (all: string, texts: Record<string, string>) => [
  { value: '', label: all },
  ...Object.entries(texts).map(([value, label]) => ({ value, label })),
]

/** The label of an option; empty for an unknown value, which is not sent. */
const labelIn = (texts: Record<string, string>, value: string | undefined) =>
  (value && Object.hasOwn(texts, value) && texts[value]) || ''

export function WebhookLog() {
  const search: Search = route.useSearch()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  return (
    <>
      <PageHeader title={t('Webhook log')} total={list.data?.total}>
        <Button look="quiet" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
      </PageHeader>
      <Filters search={search} />
      <Table
        label={msg('Webhook log')}
        columns={columns()}
        query={list}
        search={search}
        rowKey={(r) => r.webhook_request_sid}
        rowHref={(r) => `/internal/webhook-log/${r.webhook_request_sid}`}
        empty={
          Object.keys(filtersIn(search)).length > 0 ? (
            <NoMatch text={t('No requests match these filters.')} />
          ) : (
            <EmptyState
              text={t(
                'No requests in the last 7 days. Alert deliveries, requests for environment variables and test requests appear here.',
              )}
            />
          )
        }
      />
    </>
  )
}

function Filters({ search }: { search: Search }) {
  const setSearch = useSetSearch<Search>()
  const application = useApplicationName(search.application_sid ?? '')
  const kind = labelIn(REQUEST_KINDS, search.kind)
  const outcome = labelIn(OUTCOMES, search.outcome)
  const date = labelIn(DATES, search.date)
  return (
    <AccountFilters
      search={search}
      label={t('Filter by URL')}
      more={{
        kind: { name: t('Type'), value: kind },
        outcome: { name: t('Outcome'), value: outcome },
        date: { name: t('Date'), value: date },
        application_sid: { name: t('Application'), value: application },
      }}
      moreFilters={
        <>
          <FilterSelect
            label={t('Type')}
            options={options(t('All types'), REQUEST_KINDS)}
            value={kind && (search.kind ?? '')}
            onChange={(v) => setSearch({ kind: v || undefined })}
          />
          <FilterSelect
            label={t('Outcome')}
            options={options(t('All outcomes'), OUTCOMES)}
            value={outcome && (search.outcome ?? '')}
            onChange={(v) => setSearch({ outcome: v || undefined })}
          />
        </>
      }
    >
      <FilterSelect
        label={t('Date')}
        options={options(t('Last 7d'), DATES)}
        value={date && (search.date ?? '')}
        onChange={(v) => setSearch({ date: v || undefined })}
      />
    </AccountFilters>
  )
}
