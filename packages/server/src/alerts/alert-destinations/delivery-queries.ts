import { randomUUID } from 'node:crypto'
import { type Alert, alertTypeOf } from '@switchroom/contract'
import type { Selectable } from 'kysely'
import { isOver } from '../../db/clock.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { SentAlert } from './message.ts'

/** At most one message per destination, account and alert type in this time. */
export const HOLD_MS = 3_600_000
const FORGET_MS = 24 * HOLD_MS
/** Time limit of an attempt, after which another process repeats it. */
const LEASE_MS = 60_000
/** Pauses before each retry; after the last one the delivery is given up. Less than an hour in total. */
const BACK_OFF_MS = [30_000, 120_000, 600_000]

export type Delivery = Selectable<Tables['switchroom_alert_deliveries']>
type Key = Pick<Delivery, 'alert_destination_sid' | 'account_sid' | 'alert_type'>

// components write messages of any length
const truncate = (text: string | null) => (text === null ? null : text.slice(0, 2_000))
const MAX_TYPE = 128

/** The key of a delivery: destination, account and alert type. */
export const keyOf = (alert_destination_sid: string, alert: Alert): Key => ({
  alert_destination_sid,
  account_sid: (alert.account_sid ?? '').slice(0, 36),
  alert_type: alertTypeOf(alert).slice(0, MAX_TYPE),
})

const updating = (db: Db, key: Key) =>
  db
    .updateTable('switchroom_alert_deliveries')
    .where('alert_destination_sid', '=', key.alert_destination_sid)
    .where('account_sid', '=', key.account_sid)
    .where('alert_type', '=', key.alert_type)

const fresh = (alert: SentAlert, now: number) => ({
  delivery_sid: randomUUID(),
  claimed_at: now,
  alert_at: Date.parse(alert.time),
  alert: JSON.stringify({
    ...alert,
    message: truncate(alert.message),
    detail: truncate(alert.detail),
  } satisfies SentAlert),
  attempts: 0,
  next_at: now,
})

/** Adds a delivery that nothing holds back, in place of an earlier one of the same key. */
export async function addDelivery(db: Db, key: Key, alert: SentAlert, now: number) {
  const values = fresh(alert, now)
  await db
    .insertInto('switchroom_alert_deliveries')
    .values({ ...key, ...values })
    .$call(skipExisting(db))
    .execute()
  await updating(db, key).set(values).execute()
}

/**
 * Claims an alert for this destination, unless there was a message in the last hour. Of several processes
 * only one succeeds, and an alert is claimed once, however often it is read.
 */
export async function claimDelivery(
  db: Db,
  sid: string,
  alert: Alert,
  now: number,
): Promise<boolean> {
  const key = keyOf(sid, alert)
  const values = fresh(alert, now)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('switchroom_alert_deliveries')
    .values({ ...key, ...values })
    .$call(skipExisting(db))
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) return true
  const { numUpdatedRows } = await updating(db, key)
    .set(values)
    .where(isOver('claimed_at', now - HOLD_MS, HOLD_MS))
    .where('alert_at', '<', values.alert_at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deliveries of alerts of these accounts to these destinations, with their times. */
export const findSent = (db: Db, sids: string[], accounts: string[]) =>
  db
    .selectFrom('switchroom_alert_deliveries')
    .select(['alert_destination_sid', 'account_sid', 'alert_type', 'claimed_at', 'alert_at'])
    .where('alert_destination_sid', 'in', sids)
    .where('account_sid', 'in', accounts)
    .execute()

/** Deletes deliveries that are no longer needed. */
export const deleteOld = (db: Db, now: number) =>
  db
    .deleteFrom('switchroom_alert_deliveries')
    .where('claimed_at', '<', now - FORGET_MS)
    .execute()

/** Leases due deliveries to this process. */
export async function takeDue(db: Db, now: number, limit: number): Promise<Delivery[]> {
  const due = await db
    .selectFrom('switchroom_alert_deliveries')
    .selectAll()
    .where(isOver('next_at', now, Math.max(LEASE_MS, ...BACK_OFF_MS)))
    .orderBy('next_at')
    .limit(limit)
    .execute()
  const taken: Delivery[] = []
  for (const row of due) {
    const lease = { attempts: row.attempts + 1, next_at: now + LEASE_MS }
    const { numUpdatedRows } = await updating(db, row)
      .set(lease)
      .where('delivery_sid', '=', row.delivery_sid)
      .where('attempts', '=', row.attempts)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) taken.push({ ...row, ...lease })
  }
  return taken
}

/** Records an attempt: delivered, to be retried, or given up. Resolves to whether it will be retried. */
export async function recordAttempt(db: Db, row: Delivery, again: boolean, now: number) {
  const pause = again ? BACK_OFF_MS[row.attempts - 1] : undefined
  await updating(db, row)
    .set({ next_at: pause === undefined ? null : now + pause })
    .where('delivery_sid', '=', row.delivery_sid)
    .execute()
  return pause !== undefined
}

/** Number of deliveries that should have been tried before this time. */
export const countOverdue = async (db: Db, before: number) =>
  Number(
    (
      await db
        .selectFrom('switchroom_alert_deliveries')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('next_at', '<', before)
        .executeTakeFirstOrThrow()
    ).n,
  )
