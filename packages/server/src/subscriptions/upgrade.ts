import {
  type api,
  type CapacityIn,
  PRICE_CHANGED,
  type Received,
  type SubscriptionOutcome,
} from '@switchroom/contract'
import type Stripe from 'stripe'
import { conflict, Failure } from '../http/failure.ts'
import { capacityOf, chosen, monthly, requireSessions } from './capacities.ts'
import { keepCard, refuseTooMany } from './card.ts'
import { catalogue } from './catalogue.ts'
import { customerOf } from './customer.ts'
import { asked, finished, giveUp, type Held, noted, unfinished } from './held.ts'
import type { Intent } from './intents.ts'
import { outcomeOf } from './outcome.ts'
import { emailOf } from './person.ts'
import { lookUp, type Truth } from './truth.ts'

export type Body = Received<typeof api.subscriptions.change>['body']

export const priceChanged = () => new Failure('conflict', PRICE_CHANGED)

/**
 * Subscribes. Of two tries of the same, whatever became of the first, only one is paid: the second goes on with
 * the first one's idempotency key, and what the provider has already is not made again.
 */
export async function upgrade(held: Held, body: Body): Promise<SubscriptionOutcome> {
  const { ctx, stripe, account, lease } = held
  const products = body.products!
  const payment_method_id = body.payment_method_id!
  const all = chosen(products, await catalogue(stripe, ctx.db, account.account_sid))
  requireSessions(all)
  if (body.expected && body.expected.monthly_cost !== monthly(all)) throw priceChanged()

  const wish = { payment_method_id, prices: products.filter((p) => p.quantity > 0) }
  const known = await unfinished(held, 'upgrade-to-paid', wish)
  const customer = await customerOf(ctx, stripe, lease, await emailOf(held))
  const before = await held.ask(() => lookUp(stripe, ctx.db, customer))
  const isMine = before.subscription?.metadata.billing_intent === known?.billing_intent_sid
  if (known && before.subscription && isMine)
    return outcomeOf(await finished(held, customer, known))
  if (before.standing === 'paid' || before.standing === 'suspended')
    throw conflict('action', 'This account has a paid subscription already.')

  if (!known) await refuseTooMany(held)
  const intent =
    known ?? (await noted(held, 'upgrade-to-paid', wish, { customer, waiting: capacityOf(all) }))
  const refused = await keepCard(held, intent, customer, payment_method_id)
  if (refused) {
    await giveUp(ctx.db, [intent])
    return refused
  }
  await putAside(held, before)
  await asked(held, intent)
  await held.ask(() => create(stripe, held, intent, customer, wish.prices))
  return outcomeOf(await finished(held, customer, intent))
}

const create = (
  stripe: Stripe,
  { account }: Held,
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
 * An earlier try that was never paid for. Its invoice is voided first, which the provider refuses once it is
 * paid: nobody loses a payment that arrives in this moment.
 */
export async function putAside({ stripe, ask }: Held, { standing, subscription, invoice }: Truth) {
  if (standing !== 'incomplete' || !subscription) return
  if (invoice?.status === 'open') await ask(() => stripe.invoices.voidInvoice(invoice.id!))
  const now = await ask(() => stripe.subscriptions.retrieve(subscription.id))
  if (now.status === 'incomplete') await ask(() => stripe.subscriptions.cancel(subscription.id))
}
