import { type EventSubscriptionItem, msg, t } from '@switchroom/contract'
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
import { DeleteEventWebhook } from './delete'
import { hrefOf, listOf } from './queries'
import { WebhookState } from './state'
import { typesText } from './types-text'

const route = getRouteApi('/internal/alerts/webhooks')

const add = (
  <Link to="/internal/alerts/webhooks/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add webhook')}
  </Link>
)

const columns = (): Column<EventSubscriptionItem>[] => [
  {
    header: msg('Name'),
    sort: 'name',
    cell: (w) => w.name,
    sub: (w) => <span className="none clamped">{w.url}</span>,
  },
  { header: msg('Events'), cell: (w) => typesText(w.types) },
  { header: msg('Status'), cell: (w) => <WebhookState webhook={w} /> },
  ...(ownAccount()
    ? []
    : [
        {
          header: msg('Scope'),
          wideOnly: true as const,
          cell: (w: EventSubscriptionItem) =>
            w.account_sid ? thingCell('account', w.account_sid, w.account_name) : t('All accounts'),
        },
      ]),
]

/** Webhooks of programs that are told what happens. */
export function EventWebhooks() {
  const search: AccountSearch = route.useSearch()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<EventSubscriptionItem>()
  return (
    <>
      <PageHeader title={t('Event webhooks')} total={list.data?.total}>
        {mayWrite() && add}
      </PageHeader>
      <AccountFilters search={search} label={t('Filter event webhooks')} />
      <Table
        label={msg('Event webhooks')}
        columns={columns()}
        query={list}
        search={search}
        rowKey={(w) => w.event_subscription_sid}
        rowHref={(w) => hrefOf(w.event_subscription_sid)}
        actions={(w) =>
          mayWrite()
            ? [
                editAction(t('Edit webhook'), `${hrefOf(w.event_subscription_sid)}/edit`),
                deleteAction(t('Delete webhook'), () => setDeleting(w)),
              ]
            : []
        }
        empty={
          search.filter || search.account_sid ? (
            <NoMatch text={t('No event webhooks match these filters.')} />
          ) : (
            <EmptyState
              text={t(
                'No event webhooks. They tell your programs what happens, such as calls that ended and numbers that changed.',
              )}
            >
              {mayWrite() && add}
            </EmptyState>
          )
        }
      />
      {deleting && <DeleteEventWebhook webhook={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}
