import type { SubscriptionOutcome } from '@switchroom/contract'
import { conflict } from '../http/failure.ts'
import { asked, finished, type Held, noted, unfinished } from './held.ts'
import * as intents from './intents.ts'
import * as periods from './periods.ts'
import { lookUp } from './truth.ts'
import { putAside } from './upgrade.ts'

/** Back to what costs nothing, when the period that is paid for ends; at once where none is. */
export async function downgrade(held: Held): Promise<SubscriptionOutcome> {
  const { ctx, stripe, account, ask } = held
  const customer = account.stripe_customer_id ?? undefined
  const intent =
    (await unfinished(held, 'downgrade-to-free', {})) ??
    (await noted(held, 'downgrade-to-free', {}, customer ? { customer } : {}))
  if (!customer) {
    await ctx.db.transaction().execute(async (tx) => {
      if (account.plan_type !== 'free') await periods.startPlan(tx, account.account_sid, 'free')
      await intents.mark(tx, intent, { status: 'done' })
    })
    return { status: 'success' }
  }
  const truth = await ask(() => lookUp(stripe, ctx.db, customer))
  await asked(held, intent)
  const { subscription, standing } = truth
  if (standing === 'incomplete') await putAside(held, truth)
  if (subscription && standing === 'suspended')
    await ask(() => stripe.subscriptions.cancel(subscription.id))
  if (subscription && standing === 'paid')
    await ask(() => stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }))
  await finished(held, customer, intent)
  return { status: 'success' }
}

/** A downgrade that has not taken effect yet is taken back. */
export async function keepPaidPlan(held: Held): Promise<SubscriptionOutcome> {
  const { ctx, stripe, account, ask } = held
  const customer = account.stripe_customer_id
  const truth = customer ? await ask(() => lookUp(stripe, ctx.db, customer)) : undefined
  const subscription = truth?.standing === 'paid' ? truth.subscription : undefined
  if (!customer || !subscription) throw conflict('action', 'There is no paid plan to keep.')
  const intent = await noted(held, 'keep-paid-plan', {}, { customer })
  await asked(held, intent)
  await ask(() => stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }))
  await finished(held, customer, intent)
  return { status: 'success' }
}
