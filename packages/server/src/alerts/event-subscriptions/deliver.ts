import { randomUUID } from 'node:crypto'
import { t } from '@switchroom/contract'
import type { Selectable } from 'kysely'
import { ownersIn } from '../../audit/audited.ts'
import { record } from '../../audit/record.ts'
import { SWITCHROOM } from '../../audit/switchroom.ts'
import { databaseNow, isOver } from '../../db/clock.ts'
import type { Db, Tables } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { type Row as EventRow, sent } from '../events/queries.ts'
import type { Row } from './queries.ts'

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
/** Pauses before each retry of an event; after the last one it is given up, a day after the first attempt. */
export const BACK_OFF_MS = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR],
]
/** Longest pause of a receiver that fails. The pause grows with its failures in a row. */
const MAX_PAUSE_MS = 5 * MINUTE
/** Time after which a failing webhook is disabled. */
export const DISABLE_MS = 3 * 24 * HOUR
/** A process that does not renew it is taken for dead. Longer than a round may take. */
const LEASE_MS = 60_000
/** Webhooks of one pass, and events of one round: each is about another thing. */
const WEBHOOKS = 20
const AT_ONCE = 5
/** Rounds of one pass, for others to have their turn. */
const MAX_ROUNDS = 40
const CANDIDATES = 200

type Delivery = Selectable<Tables['switchroom_event_deliveries']>
type Delivering = Pick<Context, 'db' | 'box' | 'outbound' | 'log' | 'health' | 'stores'>

/**
 * Sends due events to each webhook, by one process at a time. Events of one subject go out one after another, and wait
 * while an earlier one is retried. Resolves to the number of attempts.
 */
export async function deliverEvents(ctx: Delivering, at?: number): Promise<number> {
  const now = at ?? (await databaseNow(ctx.db))
  const due = await dueWebhooks(ctx.db, now)
  const attempts = await Promise.all(due.map((sid) => deliverTo(ctx, sid, now, at)))
  return attempts.reduce((sum, n) => sum + n, 0)
}

const subscriptions = (db: Db, sid: string) =>
  db.updateTable('switchroom_event_subscriptions').where('event_subscription_sid', '=', sid)

async function dueWebhooks(db: Db, now: number) {
  const rows = await db
    .selectFrom('switchroom_event_deliveries as delivery')
    .innerJoin(
      'switchroom_event_subscriptions as subscription',
      'subscription.event_subscription_sid',
      'delivery.event_subscription_sid',
    )
    .select('delivery.event_subscription_sid as sid')
    .where('delivery.next_at', '<=', now)
    .where('subscription.is_active', '=', 1)
    .where(isOver('subscription.paused_until', now, MAX_PAUSE_MS))
    .where(isOver('subscription.leased_until', now, LEASE_MS))
    .groupBy('delivery.event_subscription_sid')
    .orderBy((eb) => eb.fn.min('delivery.next_at'))
    .limit(WEBHOOKS)
    .execute()
  return rows.map(({ sid }) => sid)
}

/** Takes the lease of a webhook; undefined if another process has it, or it is paused or disabled. */
async function take(db: Db, sid: string, holder: string, now: number): Promise<Row | undefined> {
  const { numUpdatedRows } = await subscriptions(db, sid)
    .set({ holder, leased_until: now + LEASE_MS })
    .where('is_active', '=', 1)
    .where(isOver('paused_until', now, MAX_PAUSE_MS))
    .where((eb) => eb.or([isOver('leased_until', now, LEASE_MS), eb('holder', '=', holder)]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  return db
    .selectFrom('switchroom_event_subscriptions')
    .selectAll()
    .where('event_subscription_sid', '=', sid)
    .executeTakeFirst()
}

async function deliverTo(ctx: Delivering, sid: string, began: number, at: number | undefined) {
  const { db } = ctx
  const holder = randomUUID()
  let attempts = 0
  let now = began
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      // read each time: somebody may have changed or disabled it
      const row = await take(db, sid, holder, now)
      const due = row ? await nextOf(db, sid, now) : []
      if (!row || due.length === 0) return attempts
      const done = await Promise.all(due.map((one) => attempt(ctx, row, one, now)))
      attempts += done.length
      if (!(await noteRound(ctx, row, holder, done, now))) return attempts
      now = at ?? (await databaseNow(db))
    }
    return attempts
  } finally {
    await subscriptions(db, sid).set({ leased_until: now }).where('holder', '=', holder).execute()
  }
}

type Due = { delivery: Delivery; event: EventRow | undefined }

/** The first event of each thing that is due, of a few things. */
async function nextOf(db: Db, sid: string, now: number): Promise<Due[]> {
  const waiting = db
    .selectFrom('switchroom_event_deliveries')
    .where('event_subscription_sid', '=', sid)
    .where('state', '=', 'waiting')
  const rows = await waiting
    .selectAll()
    .where('next_at', '<=', now)
    .where('thing', 'not in', waiting.select('thing').where('next_at', '>', now))
    .orderBy('seq')
    .limit(CANDIDATES)
    .execute()
  const first = new Map<string, Delivery>()
  for (const row of rows) if (!first.has(row.thing)) first.set(row.thing, row)
  const deliveries = [...first.values()].slice(0, AT_ONCE)
  const events = await db
    .selectFrom('switchroom_events')
    .selectAll()
    .where('seq', 'in', [...deliveries.map(({ seq }) => seq), 0])
    .execute()
  const bySeq = new Map(events.map((event) => [Number(event.seq), event]))
  return deliveries.map((delivery) => ({ delivery, event: bySeq.get(Number(delivery.seq)) }))
}

type Done = { ok: boolean; message: string }

async function attempt(
  ctx: Delivering,
  row: Row,
  { delivery, event }: Due,
  now: number,
): Promise<Done> {
  const { event_delivery_sid, event_subscription_sid, seq } = delivery
  const stored = ctx.db
    .updateTable('switchroom_event_deliveries')
    .where('event_delivery_sid', '=', event_delivery_sid)
  // too old: the event was deleted before its turn
  if (!event) {
    await stored.set({ state: 'failed', next_at: null }).execute()
    return { ok: true, message: '' }
  }
  const { sendEvent } = await import('./send-event.ts')
  const { ok, message, status, duration_ms } = await sendEvent(ctx, row, sent(event), now)
  const pause = ok ? undefined : BACK_OFF_MS[delivery.attempts]
  const attempts = delivery.attempts + 1
  await stored
    .set({
      ...{ attempts, status, duration_ms, tried_at: new Date(now).toISOString() },
      state: ok ? 'delivered' : pause === undefined ? 'failed' : 'waiting',
      next_at: pause === undefined ? null : now + pause,
      error: ok ? null : message.slice(0, 400),
    })
    .execute()
  ctx.health.count('event_deliveries_total', ok ? 'delivered' : 'failed')
  const about = { event_subscription_sid, seq, attempts }
  if (ok) ctx.log.debug(about, 'event delivered')
  else ctx.log.warn({ ...about, reason: message }, 'event not delivered')
  return { ok, message }
}

/** Stores the result of a round. Resolves to true if the next one may begin. */
async function noteRound(ctx: Delivering, row: Row, holder: string, done: Done[], now: number) {
  const failure = done.find(({ ok }) => !ok)
  const hasSucceeded = done.some(({ ok }) => ok)
  const failures = failure ? (hasSucceeded ? 1 : row.failures + 1) : 0
  const since = failure && !hasSucceeded ? Number(row.failing_since ?? now) : null
  const isOut = since !== null && since <= now - DISABLE_MS
  const pause = failure
    ? Math.min(BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length) - 1]!, MAX_PAUSE_MS)
    : 0
  const change = {
    ...{ failures, failing_since: since, paused_until: failure ? now + pause : 0 },
    last_tried_at: new Date(now).toISOString(),
    last_error: failure ? failure.message.slice(0, 400) : null,
  }
  const note = (db: Db, more: object = {}) =>
    subscriptions(db, row.event_subscription_sid)
      .set({ ...change, ...more })
      .where('holder', '=', holder)
      .where('is_active', '=', 1)
      .executeTakeFirst()
  if (isOut) {
    const isDone = await transaction(ctx.db, async (tx) => {
      const { numUpdatedRows } = await note(tx, { is_active: 0, disabled_reason: DISABLED })
      if (numUpdatedRows > 0n) await recordDisabled(tx, row)
      return numUpdatedRows > 0n
    })
    if (isDone) await tellOwner(ctx, row, failure!)
    return false
  }
  const { numUpdatedRows } = await note(ctx.db)
  return !failure && numUpdatedRows > 0n
}

async function recordDisabled(tx: Db, row: Row) {
  const { event_subscription_sid: sid, name } = row
  const owners = await ownersIn(tx)(row)
  const values = { before: { is_active: 1 }, after: { is_active: 0 } }
  await record(tx, SWITCHROOM, [
    { action: 'update', kind: 'event_subscription', sid, name, ...owners, ...values },
  ])
}

export const DISABLED = t('No event could be delivered for three days.')

/** An alert, which is in the inbox and goes to the owner's alert destinations. */
async function tellOwner({ stores, log }: Delivering, row: Row, failure: Done) {
  const { account_sid, service_provider_sid, name, event_subscription_sid } = row
  log.warn({ event_subscription_sid }, 'webhook for events disabled')
  await stores.alerts
    .write({
      ...{ account_sid, service_provider_sid, alert_type: 'event-webhook-disabled' },
      message: `${name}: ${failure.message}`,
      ...{ detail: null, target_sid: null, vendor: null },
    })
    .catch((err: unknown) => log.error({ err }, 'a disabled webhook could not be told of'))
}
