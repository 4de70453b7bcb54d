import {
  type EventDelivery,
  type EventSubscriptionView,
  fromServer,
  msg,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { queryClient, send } from '../../lib/api'
import { eventSubscriptions } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { NoMatch } from '../../lib/no-match'
import { type Column, Table } from '../../lib/table'
import { thingCell } from '../../lib/thing-link'
import { useSetSearch } from '../../lib/use-set-search'
import { Button, buttonClass } from '../../ui/button'
import { zoneText } from '../../ui/dates'
import { Fact, Facts } from '../../ui/facts'
import { FilterBar, FilterSelect } from '../../ui/filter-bar'
import { PageHeader } from '../../ui/page-header'
import { Sid } from '../../ui/sid'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Moment, Time } from '../../ui/time'
import { toastError, toastSuccess } from '../../ui/toast'
import { TestDelivery } from '../alert-destinations/test'
import { type DeliverySearch, deliveriesOf, STATES, viewOf } from './queries'
import { Replay } from './replay'
import { Rotate } from './rotate'
import { WebhookState } from './state'
import { eventName, typesText } from './types-text'
import './event-webhooks.css'

const route = getRouteApi('/internal/alerts/webhooks/$event_subscription_sid/')

export const load = ({ event_subscription_sid }: { event_subscription_sid: string }) =>
  queryClient.ensureQueryData(viewOf(event_subscription_sid))

const STATE_TEXTS = {
  waiting: t('Waiting'),
  delivered: t('Delivered'),
  failed: t('Given up'),
} as const
const TONES = { waiting: 'info', delivered: 'ok', failed: 'bad' } as const

/** A webhook for events: how it does, what was sent, and what can be done. */
export function EventWebhook() {
  const { event_subscription_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(event_subscription_sid))
  return <Page key={event_subscription_sid} webhook={data} />
}

function Page({ webhook: w }: { webhook: EventSubscriptionView }) {
  const { event_subscription_sid } = w
  const [open, setOpen] = useState<'rotate' | 'replay'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHeader title={w.name}>
        {mayWrite() && (
          <>
            <Button look="quiet" onClick={() => setOpen('replay')}>
              {t('Send again…')}
            </Button>
            <Button onClick={() => setOpen('rotate')}>{t('Rotate secret…')}</Button>
            <Link
              to="/internal/alerts/webhooks/$event_subscription_sid/edit"
              params={{ event_subscription_sid }}
              className={buttonClass('primary')}
            >
              {t('Edit')}
            </Link>
          </>
        )}
      </PageHeader>
      <Facts inline>
        <Fact name={t('Status')}>
          <WebhookState webhook={w} />
        </Fact>
        <Fact name={t('URL')}>
          <code className="event-url">{w.url}</code>
        </Fact>
        <Fact name={t('Events')}>{typesText(w.types)}</Fact>
        {!ownAccount() && (
          <Fact name={t('Scope')}>
            {w.account_sid
              ? thingCell('account', w.account_sid, t('One account'))
              : t('All accounts')}
          </Fact>
        )}
        {w.rotating_until && (
          <Fact name={t('The old secret signs until')}>
            <Time at={w.rotating_until} />
          </Fact>
        )}
        <Fact name={t('Webhook SID')}>
          <Sid sid={event_subscription_sid} />
        </Fact>
      </Facts>
      {mayWrite() && (
        <TestDelivery
          about={t('Sends a test event with the saved settings, even if the webhook is inactive.')}
          button={t('Send test event')}
          test={() => send(eventSubscriptions.test, { params: { event_subscription_sid } })}
        />
      )}
      <Deliveries event_subscription_sid={event_subscription_sid} />
      {open === 'rotate' && (
        <Rotate event_subscription_sid={event_subscription_sid} onClose={close} />
      )}
      {open === 'replay' && (
        <Replay event_subscription_sid={event_subscription_sid} onClose={close} />
      )}
    </>
  )
}

const columns = (): Column<EventDelivery>[] => [
  {
    header: msg('Time'),
    note: zoneText(),
    width: 190,
    cell: (d) => <Moment at={d.event.timestamp} />,
  },
  {
    header: msg('Event'),
    cell: (d) => eventName(d.event.type),
    sub: (d) => <code className="none">{d.event.id}</code>,
  },
  {
    header: msg('Outcome'),
    cell: (d) => <Status tone={TONES[d.state]}>{STATE_TEXTS[d.state]}</Status>,
    sub: (d) => d.error && <span className="clamped none">{fromServer(d.error)}</span>,
  },
  {
    header: msg('Attempts'),
    align: 'end',
    width: 96,
    wideOnly: true,
    cell: (d) => d.attempts,
  },
]

function Deliveries({ event_subscription_sid }: { event_subscription_sid: string }) {
  const search: DeliverySearch = route.useSearch()
  const setSearch = useSetSearch<DeliverySearch>()
  const list = useQuery({
    ...deliveriesOf(event_subscription_sid, search),
    placeholderData: keepPreviousData,
  })
  return (
    <section className="event-deliveries" aria-labelledby="event-deliveries">
      <h2 id="event-deliveries">{t('Deliveries')}</h2>
      <FilterBar
        chips={
          search.state
            ? [
                {
                  name: t('Outcome'),
                  value: STATE_TEXTS[search.state],
                  onRemove: () => setSearch({ state: undefined }),
                },
              ]
            : []
        }
        onClear={() => setSearch({ state: undefined })}
      >
        <FilterSelect
          label={t('Outcome')}
          options={[
            { value: '', label: t('All outcomes') },
            ...STATES.map((value) => ({ value, label: STATE_TEXTS[value] })),
          ]}
          value={search.state ?? ''}
          onChange={(value) => setSearch({ state: STATES.find((s) => s === value) })}
        />
        <Button look="quiet" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
      </FilterBar>
      <Table
        label={msg('Event deliveries')}
        columns={columns()}
        query={list}
        search={search}
        rowKey={(d) => d.event.id}
        detail={(d) => <Detail delivery={d} event_subscription_sid={event_subscription_sid} />}
        empty={
          search.state ? (
            <NoMatch text={t('No deliveries match these filters.')} />
          ) : (
            <EmptyState text={t('Nothing was sent yet. Events of the last 7 days appear here.')} />
          )
        }
      />
    </section>
  )
}

function Detail({
  delivery: d,
  event_subscription_sid,
}: {
  delivery: EventDelivery
  event_subscription_sid: string
}) {
  const again = useMutation({
    mutationFn: () =>
      send(eventSubscriptions.replay, {
        params: { event_subscription_sid },
        body: { event_id: d.event.id },
      }),
    onSuccess: () => toastSuccess(t('The event is sent again')),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <div className="event-detail">
      <Facts inline>
        <Fact name={t('Last attempt')}>
          <Time at={d.tried_at} none={t('None')} />
        </Fact>
        {d.next_at && (
          <Fact name={t('Next attempt')}>
            <Time at={d.next_at} />
          </Fact>
        )}
        {d.status !== null && <Fact name={t('HTTP status')}>{d.status}</Fact>}
        {d.duration_ms !== null && (
          <Fact name={t('Duration')}>
            {t('{milliseconds} ms', { milliseconds: d.duration_ms })}
          </Fact>
        )}
      </Facts>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard as well */}
      <pre tabIndex={0}>{JSON.stringify(d.event, null, 2)}</pre>
      {mayWrite() && (
        <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
          {t('Send again')}
        </Button>
      )}
    </div>
  )
}
