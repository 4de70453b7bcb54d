import { type CapacityPreview, type SubscriptionOutcome, t } from '@switchroom/contract'
import type Stripe from 'stripe'
import { errorCode } from '../errors/members.ts'
import { Failure } from '../http/failure.ts'
import { chosen, itemsFor } from './capacities.ts'
import type { Body } from './card.ts'
import { catalogue } from './catalogue.ts'
import { requestOf } from './intents.ts'
import {
  findUnfinished,
  finishIntent,
  type LeasedRequest,
  markSent,
  recordIntent,
  type StripeRequest,
} from './lease.ts'
import { fetchSnapshot, wantsAction } from './stripe-snapshot.ts'
import { priceChanged } from './upgrade.ts'

/** How long an accepted preview stays valid, in seconds. */
const AGREED_S = 15 * 60

const nowInSeconds = () => Math.floor(Date.now() / 1000)

async function target({ ctx, stripe, account, ask }: StripeRequest, body: Body) {
  const customer = account.stripe_customer_id
  const snapshot = customer ? await ask(() => fetchSnapshot(stripe, ctx.db, customer)) : undefined
  if (!customer || !snapshot?.subscription || snapshot.status === 'incomplete')
    throw new Failure('invalid', t('This account has no paid subscription to change.'))
  const { subscription } = snapshot
  const now = subscription.items.data
  const offered = await catalogue(stripe, ctx.db, account.account_sid)
  const items = itemsFor(now, chosen(body.products!, offered, now))
  return { customer, subscription, items }
}
type Target = Awaited<ReturnType<typeof target>>

/** Cost of a change of quantities, calculated by Stripe. */
export async function previewQuantities(
  request: StripeRequest,
  body: Body,
): Promise<CapacityPreview> {
  return preview(request, await target(request, body), nowInSeconds())
}

async function preview(
  { stripe, ask }: StripeRequest,
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
    if (errorCode(e) !== 'invoice_upcoming_none') throw e
    throw new Failure('conflict', t('This subscription ends with its billing period.'))
  })
  const sumProrations = (prorated: boolean) =>
    invoice.lines.data
      .filter((line) => isProration(line) === prorated)
      .reduce((all, line) => all + line.amount, 0)
  const due = invoice.next_payment_attempt ?? subscription.items.data[0]?.current_period_end ?? 0
  return {
    currency: invoice.currency,
    prorated_cost: sumProrations(true),
    monthly_cost: sumProrations(false),
    next_invoice_date: dateText(new Date(due * 1000)),
    proration_date,
  }
}

/** Such as `Fri Jan 01 2027`, by UTC, in which the billing periods are. */
function dateText(at: Date) {
  const [weekday, day, month, year] = at.toUTCString().split(/,? /)
  return `${weekday} ${month} ${day} ${year}`
}

const isProration = ({ parent }: Stripe.InvoiceLineItem) =>
  parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false

/** The proration date that the user accepted, as long as the price is unchanged. Throws 409 otherwise. */
async function requireExpected(leased: LeasedRequest, to: Target, { expected }: Body) {
  if (!expected) return nowInSeconds()
  const { proration_date = nowInSeconds(), monthly_cost, prorated_cost } = expected
  const age = nowInSeconds() - proration_date
  if (age > AGREED_S || age < -60) throw priceChanged()
  const now = await preview(leased, to, proration_date)
  const same =
    now.monthly_cost === monthly_cost &&
    (prorated_cost === undefined || now.prorated_cost === prorated_cost)
  if (!same) throw priceChanged()
  return proration_date
}

/** Changes quantities. More capacity is granted once paid; less becomes a credit. */
export async function changeQuantities(
  leased: LeasedRequest,
  body: Body,
): Promise<SubscriptionOutcome> {
  const { stripe, ask } = leased
  const request = { prices: body.products! }
  const known = await findUnfinished(leased, 'update-quantities', request)
  const to = await target(leased, body)
  const { customer, subscription, items } = to
  if (items.length > 0 || known) {
    const proration_date = known
      ? requestOf(known).proration_date!
      : await requireExpected(leased, to, body)
    const intent =
      known ??
      (await recordIntent(
        leased,
        'update-quantities',
        { ...request, proration_date },
        { customer },
      ))
    await markSent(leased, intent)
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
    const snapshot = await finishIntent(leased, customer, intent)
    if (!snapshot.subscription?.pending_update) return { status: 'success' }
    const { payment } = snapshot
    const secret = payment?.client_secret ?? ''
    if (wantsAction(payment)) return { status: 'action required', client_secret: secret }
    return { status: 'failed', reason: t('payment required') }
  }
  await finishIntent(leased, customer)
  return { status: 'success' }
}
