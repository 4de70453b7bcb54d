import { randomUUID } from 'node:crypto'
import { type Db, kindOf } from '../db/open.ts'
import type { BillingAction, OwnTables } from '../db/own.ts'

export type Intent = OwnTables['switchroom_billing_intents']
/** What somebody wanted, as far as it is needed to find out what became of it. */
export type Wish = {
  /** Of a customer. */
  name?: string
  email?: string
  payment_method_id?: string | undefined
  /** Ids of the provider's prices, and how many of each. */
  prices?: { price_id: string; product_sid: string; quantity: number }[] | undefined
  /** From when a change of capacity counts, in seconds. */
  proration_date?: number
}

/** As long as a step may take, retries included; whoever holds it longer has died. */
export const LEASE_MS = 60_000
/** When an account that somebody has in hand is looked at, should that process die. */
const LOOK_AGAIN_MS = LEASE_MS + 5_000

/** Another process has taken the account over: this one must not go on. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

export type Lease = { account_sid: string; until: number }

/** That nobody else changes the subscription of this account meanwhile. Undefined while somebody does. */
export async function take(db: Db, account_sid: string, now: number): Promise<Lease | undefined> {
  await know(db, account_sid)
  const until = now + LEASE_MS
  const { numUpdatedRows } = await db
    .updateTable('switchroom_billing_accounts')
    .set({ leased_until: until })
    .where('account_sid', '=', account_sid)
    .where('leased_until', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows === 0n ? undefined : { account_sid, until }
}

/** Before every step: it is still ours, and for longer. Throws `LeaseLost`. */
export async function renew(db: Db, lease: Lease) {
  const until = Math.max(Date.now() + LEASE_MS, lease.until + 1)
  const { numUpdatedRows } = await db
    .updateTable('switchroom_billing_accounts')
    .set({ leased_until: until })
    .where('account_sid', '=', lease.account_sid)
    .where('leased_until', '=', lease.until)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost('Another process has this subscription in hand')
  lease.until = until
}

export const release = (db: Db, lease: Lease) =>
  db
    .updateTable('switchroom_billing_accounts')
    .set({ leased_until: 0 })
    .where('account_sid', '=', lease.account_sid)
    .where('leased_until', '=', lease.until)
    .execute()

async function know(db: Db, account_sid: string) {
  // added again it would be locked as by a reader, and two of those who then write stop each other
  const known = await db
    .selectFrom('switchroom_billing_accounts')
    .select('account_sid')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  if (known) return
  await db
    .insertInto('switchroom_billing_accounts')
    .values({ account_sid, leased_until: 0, failures: 0 })
    .$call((insert) =>
      kindOf(db) === 'mysql' ? insert.ignore() : insert.onConflict((c) => c.doNothing()),
    )
    .execute()
}

/** That an account is looked at, at the latest then. */
export async function lookAt(db: Db, account_sid: string, at: number) {
  await know(db, account_sid)
  await db
    .updateTable('switchroom_billing_accounts')
    .set({ next_at: at })
    .where('account_sid', '=', account_sid)
    .where((eb) => eb.or([eb('next_at', 'is', null), eb('next_at', '>', at)]))
    .execute()
}

/** Notes what is going to be asked of the provider, before it is asked. */
export async function note(
  db: Db,
  intent: {
    account_sid: string
    action: BillingAction
    wish: Wish
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
    ...intent,
    wish: JSON.stringify(intent.wish),
  }
  await db.insertInto('switchroom_billing_intents').values(row).execute()
  await lookAt(db, intent.account_sid, now + LOOK_AGAIN_MS)
  return row
}

export const wishOf = ({ wish }: Intent) => JSON.parse(wish) as Wish

/** What is not known to have been done, or not to have been: the oldest first. */
export const open = (db: Db, account_sid: string): Promise<Intent[]> =>
  db
    .selectFrom('switchroom_billing_intents')
    .selectAll()
    .where('account_sid', '=', account_sid)
    .where('status', 'in', ['noted', 'asked'])
    .orderBy('created_at')
    .execute()

/** How many cards were tried for an account since then. */
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
