import { type CapacityIn, PRICE_CHANGED, type SubscriptionOutcome, t } from '@switchroom/contract'
import type Stripe from 'stripe'
import { conflict, Failure } from '../http/failure.ts'
import { emailOf } from './billing-email.ts'
import { capacityOf, chosen, monthly, requireValidOrder } from './capacities.ts'
import { type Body, keepCard, refuseTooMany } from './card.ts'
import { catalogue } from './catalogue.ts'
import { customerOf } from './customer.ts'
import type { Intent } from './intents.ts'
import {
  failIntents,
  findUnfinished,
  finishIntent,
  type LeasedRequest,
  markSent,
  recordIntent,
} from './lease.ts'
import { outcomeOf } from './outcome.ts'
import { fetchSnapshot, type StripeSnapshot } from './stripe-snapshot.ts'

export const priceChanged = () => new Failure('conflict', PRICE_CHANGED)

/** Subscribes. A repeated request continues with the first one's idempotency key, so only one is charged. */
export async function upgrade(leased: LeasedRequest, body: Body): Promise<SubscriptionOutcome> {
  const { ctx, stripe, account, lease } = leased
  const products = body.products!
  const payment_method_id = body.payment_method_id!
  const all = chosen(products, await catalogue(stripe, ctx.db, account.account_sid))
  requireValidOrder(all)
  if (body.expected && body.expected.monthly_cost !== monthly(all)) throw priceChanged()

  const request = { payment_method_id, prices: products.filter((p) => p.quantity > 0) }
  const known = await findUnfinished(leased, 'upgrade-to-paid', request)
  const customer = await customerOf(ctx, stripe, lease, await emailOf(leased))
  const before = await leased.ask(() => fetchSnapshot(stripe, ctx.db, customer))
  const isMine = before.subscription?.metadata.billing_intent === known?.billing_intent_sid
  if (known && before.subscription && isMine)
    return outcomeOf(await finishIntent(leased, customer, known))
  if (before.status === 'paid' || before.status === 'suspended')
    throw conflict('action', t('This account already has a paid subscription.'))

  if (!known) await refuseTooMany(leased)
  const intent =
    known ??
    (await recordIntent(leased, 'upgrade-to-paid', request, { customer, waiting: capacityOf(all) }))
  const refused = await keepCard(leased, intent, customer, payment_method_id)
  if (refused) {
    await failIntents(ctx.db, [intent])
    return refused
  }
  await cancelUnpaid(leased, before)
  await markSent(leased, intent)
  await leased.ask(() => create(stripe, leased, intent, customer, request.prices))
  return outcomeOf(await finishIntent(leased, customer, intent))
}

const create = (
  stripe: Stripe,
  { account }: LeasedRequest,
  intent: Intent,
  customer: string,
  prices: CapacityIn[],
) =>
  stripe.subscriptions.create(
    {
      customer,
      items: prices.map(({ price_id, product_sid, quantity }) => ({
        price: price_id,
        quantity,
        metadata: { product_sid },
      })),
      metadata: {
        account_sid: account.account_sid,
        account_subscription_sid: intent.account_subscription_sid ?? '',
        billing_intent: intent.billing_intent_sid,
      },
      payment_behavior: 'allow_incomplete',
      payment_settings: { payment_method_types: ['card'] },
    },
    { idempotencyKey: intent.billing_intent_sid },
  )

/**
 * Cancels a subscription whose first payment never arrived. Voids its invoice first, which Stripe refuses
 * once paid, so no late payment is lost.
 */
export async function cancelUnpaid(
  { stripe, ask }: LeasedRequest,
  { status, subscription, invoice }: StripeSnapshot,
) {
  if (status !== 'incomplete' || !subscription) return
  if (invoice?.status === 'open') await ask(() => stripe.invoices.voidInvoice(invoice.id!))
  const now = await ask(() => stripe.subscriptions.retrieve(subscription.id))
  if (now.status === 'incomplete') await ask(() => stripe.subscriptions.cancel(subscription.id))
}
