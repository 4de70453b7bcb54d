import { type CapacityCategory, t } from '@switchroom/contract'
import type Stripe from 'stripe'
import type { Db } from '../db/open.ts'
import { localProducts } from './catalogue.ts'

export type Card = {
  payment_method_id: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
}

/** The state of a customer at Stripe, fetched at one moment. */
export type StripeSnapshot = {
  card: Card | undefined
  /** The one subscription that counts; undefined when all have ended. */
  subscription: Stripe.Subscription | undefined
  /** `incomplete`: the first payment is missing. `suspended`: a later payment is missing. */
  status: 'paid' | 'suspended' | 'incomplete' | 'none'
  capacity: Record<CapacityCategory, number>
  invoice: Stripe.Invoice | undefined
  /** The payment of `invoice`. */
  payment: Stripe.PaymentIntent | undefined
  /** Unix seconds. */
  period_end: number | undefined
  /** Ids of further paid subscriptions, which this server never creates. */
  others: string[]
}

const NOTHING: StripeSnapshot = {
  card: undefined,
  subscription: undefined,
  status: 'none',
  capacity: { voice_call_session: 0, device: 0 },
  invoice: undefined,
  payment: undefined,
  period_end: undefined,
  others: [],
}

const STATUS: Record<string, StripeSnapshot['status']> = {
  active: 'paid',
  trialing: 'paid',
  past_due: 'suspended',
  unpaid: 'suspended',
  paused: 'suspended',
  incomplete: 'incomplete',
}
const RANK: StripeSnapshot['status'][] = ['paid', 'suspended', 'incomplete']

export const statusOf = ({ status }: Stripe.Subscription) => STATUS[status] ?? 'none'

/**
 * Fetches a customer's snapshot. Throws for an unknown customer: with a wrong key every account would seem
 * to pay nothing.
 */
export async function fetchSnapshot(
  stripe: Stripe,
  db: Db,
  customer_id: string,
): Promise<StripeSnapshot> {
  const customer = await stripe.customers.retrieve(customer_id, {
    expand: ['invoice_settings.default_payment_method'],
  })
  if (customer.deleted) return NOTHING
  const { data } = await stripe.subscriptions.list({
    customer: customer_id,
    status: 'all',
    limit: 100,
    expand: ['data.latest_invoice', 'data.latest_invoice.payments'],
  })
  // the oldest one of the paid or suspended, the newest one of the incomplete
  const [subscription, ...more] = RANK.flatMap((status) => {
    const newestFirst = data.filter((s) => statusOf(s) === status)
    return status === 'incomplete' ? newestFirst : newestFirst.reverse()
  })
  const card = cardIn(customer.invoice_settings.default_payment_method)
  if (!subscription) return { ...NOTHING, card }
  const invoice = expanded(subscription.latest_invoice)
  return {
    card,
    subscription,
    status: statusOf(subscription),
    capacity: await capacityOf(stripe, db, subscription.items.data),
    invoice,
    payment: invoice && (await paymentOf(stripe, invoice)),
    period_end: subscription.items.data[0]?.current_period_end,
    others: more.filter((s) => statusOf(s) === 'paid').map((s) => s.id),
  }
}

const expanded = <T extends object>(thing: string | T | null) =>
  thing !== null && typeof thing === 'object' ? thing : undefined

function cardIn(method: string | Stripe.PaymentMethod | null): Card | undefined {
  const found = expanded(method)
  if (!found?.card) return undefined
  const { brand, last4, exp_month, exp_year } = found.card
  return { payment_method_id: found.id, brand, last4, exp_month, exp_year }
}

/** The payment that Stripe made for an invoice. */
export async function paymentOf(stripe: Stripe, invoice: Stripe.Invoice) {
  const { data = [] } = invoice.payments ?? {}
  const { payment } = data.find((p) => p.is_default) ?? data[0] ?? {}
  const intent = payment?.payment_intent
  if (!intent) return undefined
  const id = typeof intent === 'string' ? intent : intent.id
  return stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
}

/**
 * The capacity of subscription items: by our product in the item's metadata, else by the Stripe product's
 * category.
 */
async function capacityOf(stripe: Stripe, db: Db, items: Stripe.SubscriptionItem[]) {
  const local = await localProducts(db)
  const capacity = { voice_call_session: 0, device: 0 }
  for (const { metadata, price, quantity } of items) {
    const named = local.find((p) => p.product_sid === metadata.product_sid)
    const category = named?.category ?? (await categoryOf(stripe, price.product))
    if (category === 'voice_call_session' || category === 'device')
      capacity[category] += quantity ?? 0
  }
  return capacity
}

async function categoryOf(stripe: Stripe, product: Stripe.Price['product']) {
  const id = typeof product === 'string' ? product : product.id
  return (await stripe.products.retrieve(id)).metadata.jambonz_category
}

/** True if the bank wants the user to confirm the payment. */
export const wantsAction = (payment: Stripe.PaymentIntent | undefined) =>
  payment?.status === 'requires_action'

/** Why a payment has not gone through, in words for the user. */
export function problemOf({ invoice, payment, status }: StripeSnapshot): string | null {
  if (status === 'none' || invoice?.status !== 'open') return null
  if (wantsAction(payment)) return t('Your bank asks you to confirm the payment.')
  return payment?.last_payment_error?.message ?? t('The payment failed.')
}
