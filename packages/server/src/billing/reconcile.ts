import type Stripe from 'stripe'
import { databaseNow, isOver } from '../db/clock.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { errorCode, errorMessage, errorText } from '../errors/members.ts'
import type { Context } from '../http/context.ts'
import { applySnapshot, billingLock } from './apply-snapshot.ts'
import { auditPlanChange, planOf } from './audit-plan-change.ts'
import { localProducts } from './catalogue.ts'
import { finishCustomer } from './customer.ts'
import * as intents from './intents.ts'
import { isMissing, isRefusal } from './payment-failure.ts'
import * as periods from './periods.ts'
import { fetchSnapshot, type StripeSnapshot } from './stripe-snapshot.ts'

export type ReconcileContext = Pick<Context, 'db' | 'box' | 'log' | 'payments'>

/** How long an unanswered Stripe call may still be running. */
const UNDER_WAY_MS = 2 * 60_000
const AT_ONCE = 20
const EVENTS_KEPT_MS = 30 * 86_400_000
const INTENTS_KEPT_MS = 90 * 86_400_000

/**
 * The outcome of an intent, as far as the snapshot shows. Never repeats the request, because reconciling must
 * not charge anyone.
 */
async function intentStatus(tx: Db, intent: intents.Intent, snapshot: StripeSnapshot, now: number) {
  if (intent.status === 'noted') return 'failed'
  const { action, billing_intent_sid, asked_at } = intent
  const { subscription, capacity } = snapshot
  const late = now - (asked_at ?? 0) > UNDER_WAY_MS
  const statusIf = (seen: boolean) => (seen ? 'done' : late ? 'failed' : 'asked')
  if (action === 'upgrade-to-paid')
    return statusIf(subscription?.metadata.billing_intent === billing_intent_sid)
  if (action === 'update-quantities') {
    const requested = await capacityOf(tx, intents.requestOf(intent), capacity)
    return statusIf(
      periods.sameCapacity(requested, capacity) || Boolean(subscription?.pending_update),
    )
  }
  // the remaining actions are visible in Stripe, and harmless when they arrive late
  return 'done'
}

async function capacityOf(
  db: Db,
  { prices = [] }: intents.IntentRequest,
  before: StripeSnapshot['capacity'],
) {
  const local = await localProducts(db)
  const requested = { ...before }
  for (const { product_sid, quantity } of prices) {
    const category = local.find((p) => p.product_sid === product_sid)?.category
    if (category) requested[category] = quantity
  }
  return requested
}

/** Fetches a snapshot and updates our tables and intents by it. The caller holds the lease. */
export async function reconcileLeased(ctx: ReconcileContext, lease: intents.Lease, now: number) {
  const { db, log, payments } = ctx
  const { account_sid } = lease
  const stripe = await payments!.client()
  const account = await db
    .selectFrom('accounts')
    .select('stripe_customer_id')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  if (!account) return close(ctx, stripe, lease)
  const customer = account.stripe_customer_id ?? (await finishCustomer(ctx, stripe, lease, now))
  const snapshot = customer ? await fetchSnapshot(stripe, db, customer) : undefined
  // the operator has to choose: nothing tells which one was intended
  if (snapshot && snapshot.others.length > 0)
    log.error(
      { account_sid, others: snapshot.others },
      'account has more than one paid subscription',
    )
  if (!snapshot) {
    for (const intent of await intents.openIntents(db, account_sid))
      await intents.mark(db, intent, { status: 'failed' })
    await db
      .updateTable('switchroom_billing_accounts')
      .set({ next_at: null, failures: 0 })
      .where('account_sid', '=', account_sid)
      .execute()
    return
  }
  await applySnapshot(ctx, account_sid, snapshot, now, async (tx) => {
    for (const intent of await intents.openIntents(tx, account_sid)) {
      const status = await intentStatus(tx, intent, snapshot, now)
      if (status === intent.status) continue
      await intents.mark(tx, intent, { status })
      log.info({ account_sid, action: intent.action, status }, 'billing intent resolved')
    }
  })
}

/** Deletes the Stripe customer of a deleted account, which also ends its subscriptions. */
async function close({ db, log }: ReconcileContext, stripe: Stripe, lease: intents.Lease) {
  const { account_sid } = lease
  const open = await intents.openIntents(db, account_sid)
  const customers = new Set(open.flatMap((i) => i.stripe_customer_id ?? []))
  for (const customer of customers) {
    await intents.renewLease(db, lease)
    await stripe.customers.del(customer).catch((e: unknown) => {
      if (!isMissing(e)) throw e
    })
    log.info({ account_sid }, 'customer of deleted account removed')
  }
  for (const intent of open) await intents.mark(db, intent, { status: 'done' })
  await db
    .deleteFrom('switchroom_billing_accounts')
    .where('account_sid', '=', account_sid)
    .execute()
}

/**
 * Reconciles one account unless another process holds its lease. Failures are retried with increasing
 * pauses.
 */
export async function reconcile(ctx: ReconcileContext, account_sid: string, at?: number) {
  const { db, log } = ctx
  const now = at ?? (await databaseNow(db))
  const lease = await intents.takeLease(db, account_sid, now)
  if (!lease) return false
  try {
    await reconcileLeased(ctx, lease, now)
    return true
  } catch (e) {
    if (e instanceof intents.LeaseLost) return false
    log.warn(
      { account_sid, type: errorText(e, 'type'), code: errorCode(e), said: errorMessage(e) },
      'subscription could not be reconciled, will be retried',
    )
    const row = await db
      .selectFrom('switchroom_billing_accounts')
      .select('failures')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
    const failures = (row?.failures ?? 0) + 1
    const pause = isRefusal(e)
      ? 3_600_000
      : Math.min(3_600_000, 5_000 * 2 ** Math.min(failures, 10))
    await db
      .updateTable('switchroom_billing_accounts')
      .set({ failures, next_at: now + pause })
      .where('account_sid', '=', account_sid)
      .execute()
    return false
  } finally {
    await intents.releaseLease(db, lease)
  }
}

/** Reconciles all due accounts. Safe in several processes: each account is leased. */
export async function reconcileDue(ctx: ReconcileContext, at?: number): Promise<number> {
  const now = at ?? (await databaseNow(ctx.db))
  const due = await ctx.db
    .selectFrom('switchroom_billing_accounts')
    .select('account_sid')
    .where('next_at', '<=', now)
    .where(isOver('leased_until', now, intents.LEASE_MS))
    .orderBy('next_at')
    .limit(AT_ONCE)
    .execute()
  for (const { account_sid } of due) await reconcile(ctx, account_sid, now)
  return due.length
}

/** Schedules accounts that another server signed up, deletes old records, and ends trials. */
export async function scheduleReconciles({ db }: ReconcileContext, at?: number) {
  const now = at ?? (await databaseNow(db))
  const unknown = await db
    .selectFrom('accounts')
    .leftJoin('switchroom_billing_accounts as known', 'known.account_sid', 'accounts.account_sid')
    .select('accounts.account_sid')
    .where('accounts.stripe_customer_id', 'is not', null)
    .where('known.account_sid', 'is', null)
    .limit(1_000)
    .execute()
  for (const { account_sid } of unknown) await intents.reconcileAt(db, account_sid, now)
  await db
    .deleteFrom('switchroom_billing_events')
    .where('received_at', '<', now - EVENTS_KEPT_MS)
    .execute()
  await db
    .deleteFrom('switchroom_billing_intents')
    .where('status', 'in', ['done', 'failed'])
    .where('created_at', '<', now - INTENTS_KEPT_MS)
    .execute()
  await endTrials(db, now)
}

/** Moves expired trials to the free plan. */
async function endTrials(db: Db, now: number) {
  const over = await db
    .selectFrom('accounts')
    .select('account_sid')
    .where('plan_type', '=', 'trial')
    .where('trial_end_date', '<', new Date(now).toISOString().slice(0, 19).replace('T', ' '))
    .limit(1_000)
    .execute()
  for (const { account_sid } of over)
    await transaction(
      db,
      async (tx) => {
        const still = await tx
          .selectFrom('accounts')
          .select('account_sid')
          .where('account_sid', '=', account_sid)
          .where('plan_type', '=', 'trial')
          .executeTakeFirst()
        if (!still) return
        const before = await planOf(tx, account_sid)
        await periods.startPlan(tx, account_sid, 'free', 'trial ended')
        await auditPlanChange(tx, 'Switchroom', account_sid, before)
      },
      { lock: billingLock(account_sid) },
    )
}
