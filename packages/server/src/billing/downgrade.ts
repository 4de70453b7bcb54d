import { type SubscriptionOutcome, t } from '@switchroom/contract'
import { transaction } from '../db/transaction.ts'
import { conflict } from '../http/failure.ts'
import * as intents from './intents.ts'
import {
  findUnfinished,
  finishIntent,
  type LeasedRequest,
  markSent,
  recordIntent,
} from './lease.ts'
import * as periods from './periods.ts'
import { fetchSnapshot } from './stripe-snapshot.ts'
import { cancelUnpaid } from './upgrade.ts'

/** Returns to the free plan when the paid period ends, or at once when nothing is paid. */
export async function downgrade(leased: LeasedRequest): Promise<SubscriptionOutcome> {
  const { ctx, stripe, account, ask } = leased
  const customer = account.stripe_customer_id ?? undefined
  const intent =
    (await findUnfinished(leased, 'downgrade-to-free', {})) ??
    (await recordIntent(leased, 'downgrade-to-free', {}, customer ? { customer } : {}))
  if (!customer) {
    await transaction(ctx.db, async (tx) => {
      if (account.plan_type !== 'free')
        await periods.startPlan(tx, account.account_sid, 'free', 'downgraded to free plan')
      await intents.mark(tx, intent, { status: 'done' })
    })
    return { status: 'success' }
  }
  const snapshot = await ask(() => fetchSnapshot(stripe, ctx.db, customer))
  await markSent(leased, intent)
  const { subscription, status } = snapshot
  if (status === 'incomplete') await cancelUnpaid(leased, snapshot)
  if (subscription && status === 'suspended')
    await ask(() => stripe.subscriptions.cancel(subscription.id))
  if (subscription && status === 'paid')
    await ask(() => stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }))
  await finishIntent(leased, customer, intent)
  return { status: 'success' }
}

/** Cancels a downgrade that has not taken effect yet. */
export async function keepPaidPlan(leased: LeasedRequest): Promise<SubscriptionOutcome> {
  const { ctx, stripe, account, ask } = leased
  const customer = account.stripe_customer_id
  const snapshot = customer ? await ask(() => fetchSnapshot(stripe, ctx.db, customer)) : undefined
  const subscription = snapshot?.status === 'paid' ? snapshot.subscription : undefined
  if (!customer || !subscription) throw conflict('action', t('There is no paid plan to keep.'))
  const intent = await recordIntent(leased, 'keep-paid-plan', {}, { customer })
  await markSent(leased, intent)
  await ask(() => stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }))
  await finishIntent(leased, customer, intent)
  return { status: 'success' }
}
