import type { CapacityPreview, SubscriptionOutcome } from '@switchroom/contract'
import type Stripe from 'stripe'
import { Failure } from '../http/failure.ts'
import { chosen, itemsFor } from './capacities.ts'
import { catalogue } from './catalogue.ts'
import { asked, finished, type Held, type Looked, noted, unfinished } from './held.ts'
import { wishOf } from './intents.ts'
import { lookUp, wantsAction } from './truth.ts'
import { type Body, priceChanged } from './upgrade.ts'

/** So old may be what a person agrees to. */
const AGREED_S = 15 * 60

const nowInSeconds = () => Math.floor(Date.now() / 1000)

async function target(held: Looked, body: Body) {
  const { ctx, stripe, account, ask } = held
  const customer = account.stripe_customer_id
  const truth = customer ? await ask(() => lookUp(stripe, ctx.db, customer)) : undefined
  if (!customer || !truth?.subscription || truth.standing === 'incomplete')
    throw new Failure('invalid', 'This account has no paid subscription to change.')
  const { subscription } = truth
  const now = subscription.items.data
  const offered = await catalogue(stripe, ctx.db, account.account_sid)
  const items = itemsFor(now, chosen(body.products!, offered, now))
  return { customer, subscription, items }
}
type Target = Awaited<ReturnType<typeof target>>

/** What the change would cost, as the provider counts it. */
export async function previewQuantities(held: Looked, body: Body): Promise<CapacityPreview> {
  return preview(held, await target(held, body), nowInSeconds())
}

async function preview(
  { stripe, ask }: Looked,
  { customer, subscription, items }: Target,
  proration_date: number,
): Promise<CapacityPreview> {
  const invoice = await ask(() =>
    stripe.invoices.createPreview({
      customer,
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'create_prorations', proration_date },
    }),
  ).catch((e: unknown) => {
    if ((e as { code?: string }).code !== 'invoice_upcoming_none') throw e
    throw new Failure('conflict', 'This subscription ends with its billing period.')
  })
  const sum = (prorated: boolean) =>
    invoice.lines.data
      .filter((line) => isProration(line) === prorated)
      .reduce((all, line) => all + line.amount, 0)
  const due = invoice.next_payment_attempt ?? subscription.items.data[0]?.current_period_end ?? 0
  return {
    currency: invoice.currency,
    prorated_cost: sum(true),
    monthly_cost: sum(false),
    next_invoice_date: new Date(due * 1000).toDateString(),
    proration_date,
  }
}

const isProration = ({ parent }: Stripe.InvoiceLineItem) =>
  parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false

/** The moment from which the change counts: the one that was shown, as long as it costs the same. */
async function agreed(held: Held, to: Target, { expected }: Body) {
  if (!expected) return nowInSeconds()
  const { proration_date = nowInSeconds(), monthly_cost, prorated_cost } = expected
  const age = nowInSeconds() - proration_date
  if (age > AGREED_S || age < -60) throw priceChanged()
  const now = await preview(held, to, proration_date)
  const same =
    now.monthly_cost === monthly_cost &&
    (prorated_cost === undefined || now.prorated_cost === prorated_cost)
  if (!same) throw priceChanged()
  return proration_date
}

/** Other quantities. More of it is granted when it is paid for; less becomes a credit. */
export async function changeQuantities(held: Held, body: Body): Promise<SubscriptionOutcome> {
  const { stripe, ask } = held
  const wish = { prices: body.products! }
  const known = await unfinished(held, 'update-quantities', wish)
  const to = await target(held, body)
  const { customer, subscription, items } = to
  if (items.length > 0 || known) {
    const proration_date = known ? wishOf(known).proration_date! : await agreed(held, to, body)
    const intent =
      known ?? (await noted(held, 'update-quantities', { ...wish, proration_date }, { customer }))
    await asked(held, intent)
    if (items.length > 0)
      await ask(() =>
        stripe.subscriptions.update(
          subscription.id,
          {
            items,
            proration_date,
            proration_behavior: 'always_invoice',
            payment_behavior: 'pending_if_incomplete',
          },
          { idempotencyKey: intent.billing_intent_sid },
        ),
      )
    const truth = await finished(held, customer, intent)
    if (!truth.subscription?.pending_update) return { status: 'success' }
    const { payment } = truth
    const secret = payment?.client_secret ?? ''
    if (wantsAction(payment)) return { status: 'action required', client_secret: secret }
    return { status: 'failed', reason: 'payment required' }
  }
  await finished(held, customer)
  return { status: 'success' }
}
