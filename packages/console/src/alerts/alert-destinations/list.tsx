import {
  type AlertDestination,
  type AlertDestinationItem,
  alertTypeText,
  DESTINATION_NAMES,
  fromServer,
  msg,
  plural,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { AccountFilters } from '../../lib/account-filters'
import type { AccountSearch } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { deleteAction, editAction } from '../../lib/row-actions'
import { type Column, Table } from '../../lib/table'
import { thingCell } from '../../lib/thing-link'
import { useCurrentProvider } from '../../lib/use-provider'
import { buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { DeleteAlertDestination } from './delete'
import { listOf } from './queries'
import './destinations.css'

const route = getRouteApi('/internal/alerts/destinations')

const hrefOf = (d: AlertDestination) =>
  `/internal/alerts/destinations/${d.alert_destination_sid}/edit`
const add = (
  <Link to="/internal/alerts/destinations/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add destination')}
  </Link>
)

function typesText({ alert_types }: AlertDestination) {
  const [first, ...rest] = alert_types
  if (first === undefined) return t('All alerts')
  return rest.length === 0
    ? alertTypeText(first).name
    : plural(alert_types.length, '1 alert type|{n} alert types')
}

function State({ destination: d }: { destination: AlertDestination }) {
  if (!d.is_active) return <Status tone="off">{t('Inactive')}</Status>
  return (
    <span className="two-lines">
      <span>
        <Status tone={d.last_error ? 'bad' : 'ok'}>
          {d.last_error ? t('Failing') : t('Active')}
        </Status>{' '}
        <span className="none">
          <Time at={d.last_tried_at} none={t('Nothing sent yet')} />
        </span>
      </span>
      {d.last_error && <span className="destination-error">{fromServer(d.last_error)}</span>}
    </span>
  )
}

const columns = (): Column<AlertDestinationItem>[] => [
  { header: msg('Name'), sort: 'name', cell: (d) => d.name },
  {
    header: msg('Destination'),
    cell: (d) => DESTINATION_NAMES[d.kind],
    sub: (d) => d.kind !== 'pagerduty' && d.address && <span className="none">{d.address}</span>,
  },
  { header: msg('Alert types'), wideOnly: true, cell: typesText },
  { header: msg('Status'), cell: (d) => <State destination={d} /> },
  ...(ownAccount()
    ? []
    : [
        {
          header: msg('Scope'),
          wideOnly: true as const,
          cell: (d: AlertDestinationItem) =>
            d.account_sid ? thingCell('account', d.account_sid, d.account_name) : t('All accounts'),
        },
      ]),
]

export function AlertDestinations() {
  const search: AccountSearch = route.useSearch()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<AlertDestination>()
  return (
    <>
      <PageHeader title={t('Destinations')} total={list.data?.total}>
        {mayWrite() && add}
      </PageHeader>
      <AccountFilters search={search} label={t('Filter destinations')} />
      <Table
        label={msg('Alert destinations')}
        columns={columns()}
        query={list}
        search={search}
        rowKey={(d) => d.alert_destination_sid}
        rowHref={hrefOf}
        actions={(d) =>
          mayWrite()
            ? [
                editAction(t('Edit destination'), hrefOf(d)),
                deleteAction(t('Delete destination'), () => setDeleting(d)),
              ]
            : []
        }
        empty={
          search.filter || search.account_sid ? (
            <NoMatch text={t('No destinations match these filters.')} />
          ) : (
            <EmptyState text={t('No alert destinations.')}>{mayWrite() && add}</EmptyState>
          )
        }
      />
      {deleting && (
        <DeleteAlertDestination destination={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  )
}
