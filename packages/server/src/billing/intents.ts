import { randomUUID } from 'node:crypto'
import { t } from '@switchroom/contract'
import { z } from 'zod'
import { databaseNow, isOver } from '../db/clock.ts'
import { skipExisting } from '../db/dialect.ts'
import type { Db } from '../db/open.ts'
import type { BillingAction } from '../db/own/billing.ts'
import type { OwnTables } from '../db/own.ts'

export type Intent = OwnTables['switchroom_billing_intents']
/** Request of a billing action, as far as reconciling needs it. Stored as JSON in the column `wish`. */
const IntentRequest = z.object({
  /** The name and email of a customer to create. */
  name: z.string().optional(),
  email: z.string().optional(),
  payment_method_id: z.string().optional(),
  /** Stripe price ids and quantities. */
  prices: z
    .array(z.object({ price_id: z.string(), product_sid: z.string(), quantity: z.number() }))
    .optional(),
  /** When a capacity change takes effect, in Unix seconds. */
  proration_date: z.number().optional(),
})
export type IntentRequest = z.infer<typeof IntentRequest>

/** Longer than any step takes, retries included: an older lease belongs to a dead process. */
export const LEASE_MS = 60_000
/** When to reconcile an account whose process may have died. */
const RECONCILE_AFTER_MS = LEASE_MS + 5_000

/** Thrown when another process has taken over the account: this one must stop. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

export type Lease = { account_sid: string; until: number }

/** Takes the account's billing lease. Undefined while another process holds it. */
export async function takeLease(
  db: Db,
  account_sid: string,
  at?: number,
): Promise<Lease | undefined> {
  await ensureRow(db, account_sid)
  const now = at ?? (await databaseNow(db))
  const until = now + LEASE_MS
  const { numUpdatedRows } = await db
    .updateTable('switchroom_billing_accounts')
    .set({ leased_until: until })
    .where('account_sid', '=', account_sid)
    .where(isOver('leased_until', now, LEASE_MS))
    .executeTakeFirst()
  return numUpdatedRows === 0n ? undefined : { account_sid, until }
}

/** Extends the lease before every step. Throws `LeaseLost`. */
export async function renewLease(db: Db, lease: Lease) {
  const until = Math.max((await databaseNow(db)) + LEASE_MS, lease.until + 1)
  const { numUpdatedRows } = await db
    .updateTable('switchroom_billing_accounts')
    .set({ leased_until: until })
    .where('account_sid', '=', lease.account_sid)
    .where('leased_until', '=', lease.until)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost(t('Another process is changing this subscription'))
  lease.until = until
}

export const releaseLease = (db: Db, lease: Lease) =>
  db
    .updateTable('switchroom_billing_accounts')
    .set({ leased_until: 0 })
    .where('account_sid', '=', lease.account_sid)
    .where('leased_until', '=', lease.until)
    .execute()

async function ensureRow(db: Db, account_sid: string) {
  // a repeated insert takes a shared lock, and two such writers deadlock
  const known = await db
    .selectFrom('switchroom_billing_accounts')
    .select('account_sid')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  if (known) return
  await db
    .insertInto('switchroom_billing_accounts')
    .values({ account_sid, leased_until: 0, failures: 0 })
    .$call(skipExisting(db))
    .execute()
}

/** Schedules a reconcile of the account at `at` (ms) or earlier. */
export async function reconcileAt(db: Db, account_sid: string, at: number) {
  await ensureRow(db, account_sid)
  await db
    .updateTable('switchroom_billing_accounts')
    .set({ next_at: at })
    .where('account_sid', '=', account_sid)
    .where((eb) => eb.or([eb('next_at', 'is', null), eb('next_at', '>', at)]))
    .execute()
}

/** Schedules a reconcile of the account after this time or earlier. */
export const reconcileAfter = async (db: Db, account_sid: string, ms: number) =>
  reconcileAt(db, account_sid, (await databaseNow(db)) + ms)

/** Records an intent before Stripe is called. */
export async function insert(
  db: Db,
  {
    request,
    ...rest
  }: {
    account_sid: string
    action: BillingAction
    request: IntentRequest
    stripe_customer_id?: string | null
    account_subscription_sid?: string
  },
): Promise<Intent> {
  const now = Date.now()
  const row: Intent = {
    billing_intent_sid: randomUUID(),
    stripe_customer_id: null,
    account_subscription_sid: null,
    status: 'noted',
    created_at: now,
    asked_at: null,
    ...rest,
    wish: JSON.stringify(request),
  }
  await db.insertInto('switchroom_billing_intents').values(row).execute()
  await reconcileAfter(db, rest.account_sid, RECONCILE_AFTER_MS)
  return row
}

export const requestOf = ({ wish }: Intent) => IntentRequest.parse(JSON.parse(wish))

/** Intents whose outcome is unknown, oldest first. */
export const openIntents = (db: Db, account_sid: string): Promise<Intent[]> =>
  db
    .selectFrom('switchroom_billing_intents')
    .selectAll()
    .where('account_sid', '=', account_sid)
    .where('status', 'in', ['noted', 'asked'])
    .orderBy('created_at')
    .execute()

/** Number of cards tried for an account since `since` (ms). */
export const cardsSince = async (db: Db, account_sid: string, since: number) =>
  (
    await db
      .selectFrom('switchroom_billing_intents')
      .select((eb) => eb.fn.countAll().as('tries'))
      .where('account_sid', '=', account_sid)
      .where('action', 'in', ['upgrade-to-paid', 'update-payment-method'])
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow()
  ).tries

export async function mark(
  db: Db,
  intent: Intent,
  change: Partial<Pick<Intent, 'status' | 'stripe_customer_id' | 'asked_at'>>,
) {
  Object.assign(intent, change)
  await db
    .updateTable('switchroom_billing_intents')
    .set(change)
    .where('billing_intent_sid', '=', intent.billing_intent_sid)
    .execute()
}
