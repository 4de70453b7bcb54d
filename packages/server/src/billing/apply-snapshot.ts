import { keysOf } from '@switchroom/contract'
import { type Db, timestamp } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import type { Context } from '../http/context.ts'
import { auditPlanChange, planOf } from './audit-plan-change.ts'
import * as intents from './intents.ts'
import * as periods from './periods.ts'
import { problemOf, type StripeSnapshot } from './stripe-snapshot.ts'

type Billing = Pick<Context, 'db' | 'box' | 'log'>

export const billingLock = (account_sid: string) => `billing:${account_sid}`

/** The first payment may still arrive; Stripe waits for it for a day. */
const WAITING_MS = 10 * 60_000
const AT_LEAST_EVERY_MS = 6 * 3_600_000
const AFTER_PERIOD_MS = 60_000

/** Time of the next reconciling of an account without an event, in milliseconds; null for never. */
function nextReconcileAt({ status, period_end }: StripeSnapshot, now: number): number | null {
  if (status === 'none') return null
  if (status === 'incomplete') return now + WAITING_MS
  const end = period_end === undefined ? Number.POSITIVE_INFINITY : period_end * 1000
  return Math.min(Math.max(end, now) + AFTER_PERIOD_MS, now + AT_LEAST_EVERY_MS)
}

/**
 * Writes a Stripe snapshot into the platform's tables. Idempotent. `markIntents` runs in the same
 * transaction. Resolves to false when the account no longer exists.
 */
export function applySnapshot(
  { db, box, log }: Billing,
  account_sid: string,
  snapshot: StripeSnapshot,
  now: number,
  markIntents: (tx: Db) => Promise<unknown>,
): Promise<boolean> {
  const write = async (tx: Db) => {
    await markIntents(tx)
    const account = await tx
      .selectFrom('accounts')
      .select(['account_sid', 'plan_type', 'is_active'])
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
    if (!account) return false
    const before = await planOf(tx, account_sid)
    const open = await periods.openPeriods(tx, account_sid)
    const { status, subscription, capacity } = snapshot
    const paying = status === 'paid' || status === 'suspended'
    if (paying) {
      const kept = await keepPeriod(tx, box, account_sid, snapshot, open)
      const others = open.filter((p) => p.account_subscription_sid !== kept.sid)
      const reason = account.plan_type === 'paid' ? 'change plan details' : 'upgrade to paid plan'
      await periods.endPeriods(
        tx,
        others.map((p) => p.account_subscription_sid),
        reason,
      )
      await periods.saveLimits(tx, account_sid, 'paid', status === 'paid' ? capacity : undefined)
      if (account.plan_type !== 'paid' || kept.activated)
        await tx
          .updateTable('accounts')
          .set({ plan_type: 'paid', is_active: 1, deactivated_reason: null })
          .where('account_sid', '=', account_sid)
          .execute()
      if (kept.activated) log.info({ account_sid, capacity }, 'paid subscription activated')
    } else await endUnpaid(tx, account, snapshot, open)
    const ends =
      subscription?.cancel_at ?? (subscription?.cancel_at_period_end ? snapshot.period_end : 0)
    await tx
      .updateTable('switchroom_billing_accounts')
      .set({
        ends_at: paying && ends ? ends * 1000 : null,
        problem: problemOf(snapshot)?.slice(0, 400) ?? null,
        next_at:
          (await intents.openIntents(tx, account_sid)).length > 0
            ? now + 15_000
            : nextReconcileAt(snapshot, now),
        failures: 0,
      })
      .where('account_sid', '=', account_sid)
      .execute()
    // no user made this change: a payment succeeded or failed
    await auditPlanChange(tx, 'Payment provider', account_sid, before)
    return true
  }
  return transaction(db, write, { lock: billingLock(account_sid) })
}

/**
 * The period for this subscription and capacity: the open one, a pending one that becomes active, or a new
 * one.
 */
async function keepPeriod(
  tx: Db,
  box: Context['box'],
  account_sid: string,
  { subscription, status, capacity, card, payment }: StripeSnapshot,
  open: periods.Period[],
) {
  const { id, metadata } = subscription!
  const charge = payment?.latest_charge
  const descriptor =
    typeof charge === 'object' ? (charge?.calculated_statement_descriptor ?? undefined) : undefined
  const suspended = status === 'suspended'
  const values = {
    pending: suspended ? (1 as const) : (0 as const),
    pending_reason: suspended ? 'payment failed' : null,
    stripe_subscription_id: id,
    ...(card && {
      stripe_payment_method_id: card.payment_method_id,
      card_type: card.brand.slice(0, 16),
      exp_month: card.exp_month,
      exp_year: card.exp_year,
    }),
    ...(descriptor && { stripe_statement_descriptor: descriptor.slice(0, 255) }),
  }
  const sealed = card && { last4: box.seal(card.last4) }
  for (const period of open) {
    const { account_subscription_sid: sid } = period
    const isCurrent =
      period.stripe_subscription_id === id ||
      (period.pending === 1 && sid === metadata.account_subscription_sid)
    if (!isCurrent || !periods.sameCapacity(await periods.capacityOf(tx, sid), capacity)) continue
    const waited = period.pending === 1 && !suspended
    const otherCard = card && box.open(period.last4 ?? '') !== card.last4
    const differs = waited || otherCard || keysOf(values).some((key) => period[key] !== values[key])
    if (differs)
      await tx
        .updateTable('account_subscriptions')
        .set({
          ...values,
          ...(otherCard && sealed),
          // a pending period starts with its first payment
          ...(waited && !period.stripe_subscription_id && { effective_start_date: timestamp() }),
        })
        .where('account_subscription_sid', '=', sid)
        .execute()
    return { sid, activated: waited }
  }
  const sid = await periods.beginPeriod(tx, { account_sid, ...values, ...sealed }, capacity)
  return { sid, activated: !suspended }
}

/** Nothing is paid: ends a paid plan, and keeps only pending periods that may still be paid. */
async function endUnpaid(
  tx: Db,
  account: { account_sid: string; plan_type: string },
  { status, subscription }: StripeSnapshot,
  open: periods.Period[],
) {
  const wasPaid = account.plan_type === 'paid'
  if (wasPaid) return periods.startPlan(tx, account.account_sid, 'free', 'downgraded to free plan')
  const waiting = open.filter((p) => p.pending === 1)
  const abandoned = waiting.filter(
    (p) =>
      status !== 'incomplete' ||
      p.account_subscription_sid !== subscription?.metadata.account_subscription_sid,
  )
  const requestedSids = (await intents.openIntents(tx, account.account_sid)).map(
    (i) => i.account_subscription_sid,
  )
  await periods.endPeriods(
    tx,
    abandoned.map((p) => p.account_subscription_sid).filter((sid) => !requestedSids.includes(sid)),
    'payment failed',
  )
}
