import { type EventDelivery, REPLAY_MAX, t } from '@switchroom/contract'
import type { Selectable } from 'kysely'
import { insertMany } from '../../db/insert-many.ts'
import type { Db, Tables } from '../../db/open.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { typesIn } from '../events/demand.ts'
import { newDelivery } from '../events/outbox.ts'
import { type Row as EventRow, sent, visible } from '../events/queries.ts'
import type { Row } from './queries.ts'

type Delivery = Selectable<Tables['switchroom_event_deliveries']>

const BATCH = 500

/** Scope of a webhook's owner, which limits the events it is sent. */
export const scopeOf = ({ account_sid, service_provider_sid }: Row): Scope => {
  const caller = { view_only: true, force_change: false }
  return account_sid
    ? { ...caller, role: 'account', account_sid, service_provider_sid: '' }
    : { ...caller, role: 'service_provider', service_provider_sid: service_provider_sid ?? '' }
}

/** A page of a webhook's past and pending events, the newest first. Expects a webhook that the caller may see. */
export async function list(
  db: Db,
  row: Row,
  {
    page,
    page_size,
    state,
  }: { page: number; page_size: number; state?: Delivery['state'] | undefined },
) {
  let matching = db
    .selectFrom('switchroom_event_deliveries as delivery')
    .innerJoin('switchroom_events as event', 'event.seq', 'delivery.seq')
    .where('delivery.event_subscription_sid', '=', row.event_subscription_sid)
  if (state) matching = matching.where('delivery.state', '=', state)
  const { n } = await matching.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll('event')
    .select(['delivery.state', 'delivery.attempts', 'delivery.next_at', 'delivery.tried_at'])
    .select(['delivery.status', 'delivery.error', 'delivery.duration_ms'])
    .orderBy('delivery.seq', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const data = rows.map(
    ({
      state,
      attempts,
      next_at,
      tried_at,
      status,
      error,
      duration_ms,
      ...event
    }): EventDelivery => ({
      event: sent(event),
      ...{ state, attempts, tried_at, status, error, duration_ms },
      next_at: next_at === null ? null : new Date(Number(next_at)).toISOString(),
    }),
  )
  return { data, total: Number(n), page, page_size }
}

export type Which = {
  seq?: number | undefined
  from?: number | undefined
  to?: number | undefined
  failed_only: boolean
}

/**
 * Has events sent again, or for the first time: those that the webhook's owner may see, of the types that it wants.
 * Throws 422 for too many. Call in a transaction. Resolves to how many there are.
 */
export async function replay(tx: Db, row: Row, which: Which, now: number): Promise<number> {
  const { event_subscription_sid } = row
  const events = await wanted(tx, row, which)
  if (events.length > REPLAY_MAX)
    throw new Failure(
      'conflict',
      t('At most {most} events at once. Choose a shorter time.', { most: REPLAY_MAX }),
    )
  for (let i = 0; i < events.length; i += BATCH) {
    const batch = events.slice(i, i + BATCH)
    await tx
      .deleteFrom('switchroom_event_deliveries')
      .where('event_subscription_sid', '=', event_subscription_sid)
      .where(
        'seq',
        'in',
        batch.map(({ seq }) => seq),
      )
      .execute()
    const fresh = batch.map((event) => newDelivery(event_subscription_sid, event, now))
    await insertMany(tx, 'switchroom_event_deliveries', fresh)
  }
  return events.length
}

async function wanted(
  tx: Db,
  row: Row,
  { seq, from, to, failed_only }: Which,
): Promise<Pick<EventRow, 'seq' | 'thing'>[]> {
  let events = visible(tx, scopeOf(row))
    .select(['seq', 'thing'])
    .where('kind', 'in', typesIn(row))
    .orderBy('seq')
    .limit(REPLAY_MAX + 1)
  if (seq !== undefined) events = events.where('seq', '=', seq)
  if (from !== undefined) events = events.where('added_at', '>=', from)
  if (to !== undefined) events = events.where('added_at', '<=', to)
  if (failed_only)
    events = events.where(
      'seq',
      'in',
      tx
        .selectFrom('switchroom_event_deliveries')
        .select('seq')
        .where('event_subscription_sid', '=', row.event_subscription_sid)
        .where('state', '=', 'failed'),
    )
  return events.execute()
}
