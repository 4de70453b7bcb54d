import type Stripe from 'stripe'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { apply, lockOf } from './apply.ts'
import { localProducts } from './catalogue.ts'
import { finishCustomer } from './customer.ts'
import * as intents from './intents.ts'
import * as periods from './periods.ts'
import { logged, planOf } from './plan-log.ts'
import { isMissing, isRefusal } from './stripe.ts'
import { lookUp, type Truth } from './truth.ts'

export type Settling = Pick<Context, 'db' | 'box' | 'log' | 'payments'>

/** A call that was not answered may still be under way at the provider for so long. */
const UNDER_WAY_MS = 2 * 60_000
const AT_ONCE = 20
const EVENTS_KEPT_MS = 30 * 86_400_000
const INTENTS_KEPT_MS = 90 * 86_400_000

/**
 * What became of what was asked for, as far as the provider's state tells. Never asks for it again: nobody is
 * charged by a process that clears up after another.
 */
async function judge(tx: Db, intent: intents.Intent, truth: Truth, now: number) {
  if (intent.status === 'noted') return 'failed'
  const { action, billing_intent_sid, asked_at } = intent
  const { subscription, capacity } = truth
  const late = now - (asked_at ?? 0) > UNDER_WAY_MS
  const unless = (seen: boolean) => (seen ? 'done' : late ? 'failed' : 'asked')
  if (action === 'upgrade-to-paid')
    return unless(subscription?.metadata.billing_intent === billing_intent_sid)
  if (action === 'update-quantities') {
    const wished = await capacityOf(tx, intents.wishOf(intent), capacity)
    return unless(periods.same(wished, capacity) || Boolean(subscription?.pending_update))
  }
  // the rest can be seen, and does no harm when it comes late
  return 'done'
}

async function capacityOf(db: Db, { prices = [] }: intents.Wish, before: Truth['capacity']) {
  const local = await localProducts(db)
  const wished = { ...before }
  for (const { product_sid, quantity } of prices) {
    const category = local.find((p) => p.product_sid === product_sid)?.category
    if (category) wished[category] = quantity
  }
  return wished
}

/** Looks at the provider, and makes our tables and what is noted agree with it. The caller holds the lease. */
export async function settleHeld(ctx: Settling, lease: intents.Lease, now: number) {
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
  const truth = customer ? await lookUp(stripe, db, customer) : undefined
  // an operator has to choose: which one was meant cannot be told from here
  if (truth && truth.others.length > 0)
    log.error({ account_sid, others: truth.others }, 'more than one subscription is paid for')
  if (!truth) {
    for (const intent of await intents.open(db, account_sid))
      await intents.mark(db, intent, { status: 'failed' })
    await db
      .updateTable('switchroom_billing_accounts')
      .set({ next_at: null, failures: 0 })
      .where('account_sid', '=', account_sid)
      .execute()
    return
  }
  await apply(ctx, account_sid, truth, now, async (tx) => {
    for (const intent of await intents.open(tx, account_sid)) {
      const status = await judge(tx, intent, truth, now)
      if (status === intent.status) continue
      await intents.mark(tx, intent, { status })
      log.info({ account_sid, action: intent.action, status }, 'what became of a change is known')
    }
  })
}

/** The account is gone: so goes its customer, and with it whatever is still paid for. */
async function close({ db, log }: Settling, stripe: Stripe, lease: intents.Lease) {
  const { account_sid } = lease
  const open = await intents.open(db, account_sid)
  const customers = new Set(open.flatMap((i) => i.stripe_customer_id ?? []))
  for (const customer of customers) {
    await intents.renew(db, lease)
    await stripe.customers.del(customer).catch((e: unknown) => {
      if (!isMissing(e)) throw e
    })
    log.info({ account_sid }, 'customer of a deleted account removed')
  }
  for (const intent of open) await intents.mark(db, intent, { status: 'done' })
  await db
    .deleteFrom('switchroom_billing_accounts')
    .where('account_sid', '=', account_sid)
    .execute()
}

/** The same for one account, where nobody has it in hand. What fails is tried again, later each time. */
export async function settle(ctx: Settling, account_sid: string, now = Date.now()) {
  const { db, log } = ctx
  const lease = await intents.take(db, account_sid, now)
  if (!lease) return false
  try {
    await settleHeld(ctx, lease, now)
    return true
  } catch (e) {
    if (e instanceof intents.LeaseLost) return false
    const { type, code, message } = e as { type?: string; code?: string; message: string }
    log.warn({ account_sid, type, code, said: message }, 'a subscription cannot be settled yet')
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
    await intents.release(db, lease)
  }
}

/** Settles what is due. Several processes may do so: each account is in one hand. */
export async function settleDue(ctx: Settling, now = Date.now()): Promise<number> {
  const due = await ctx.db
    .selectFrom('switchroom_billing_accounts')
    .select('account_sid')
    .where('next_at', '<=', now)
    .where('leased_until', '<=', now)
    .orderBy('next_at')
    .limit(AT_ONCE)
    .execute()
  for (const { account_sid } of due) await settle(ctx, account_sid, now)
  return due.length
}

/** Accounts that another server has signed up, and what is over: looked for once in a while. */
export async function sweep({ db }: Settling, now = Date.now()) {
  const unknown = await db
    .selectFrom('accounts')
    .leftJoin('switchroom_billing_accounts as known', 'known.account_sid', 'accounts.account_sid')
    .select('accounts.account_sid')
    .where('accounts.stripe_customer_id', 'is not', null)
    .where('known.account_sid', 'is', null)
    .limit(1_000)
    .execute()
  for (const { account_sid } of unknown) await intents.lookAt(db, account_sid, now)
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

/** A trial that is over is the free plan. */
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
        await logged(tx, 'Switchroom', account_sid, before)
      },
      { lock: lockOf(account_sid) },
    )
}
