import type { CapacityCategory } from '@switchroom/contract'
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

/** How things stand at the payment provider, asked of it just now. */
export type Truth = {
  card: Card | undefined
  /** The one subscription that counts, where there is one that has not ended. */
  subscription: Stripe.Subscription | undefined
  /** `incomplete`: never paid for. `suspended`: not paid for any more. */
  standing: 'paid' | 'suspended' | 'incomplete' | 'none'
  capacity: Record<CapacityCategory, number>
  invoice: Stripe.Invoice | undefined
  /** Of that invoice. */
  payment: Stripe.PaymentIntent | undefined
  /** In seconds. */
  period_end: number | undefined
  /** Ids of more that are paid for; nothing here makes any. */
  others: string[]
}

const NOTHING: Truth = {
  card: undefined,
  subscription: undefined,
  standing: 'none',
  capacity: { voice_call_session: 0, device: 0 },
  invoice: undefined,
  payment: undefined,
  period_end: undefined,
  others: [],
}

const STANDING: Record<string, Truth['standing']> = {
  active: 'paid',
  trialing: 'paid',
  past_due: 'suspended',
  unpaid: 'suspended',
  paused: 'suspended',
  incomplete: 'incomplete',
}
const RANK: Truth['standing'][] = ['paid', 'suspended', 'incomplete']

export const standingOf = ({ status }: Stripe.Subscription) => STANDING[status] ?? 'none'

/** Throws for a customer the provider has never had: under the wrong key every account would seem to pay nothing. */
export async function lookUp(stripe: Stripe, db: Db, customer_id: string): Promise<Truth> {
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
  // of those that are paid for the first one counts, of those that were tried the last one
  const [subscription, ...more] = RANK.flatMap((standing) => {
    const newestFirst = data.filter((s) => standingOf(s) === standing)
    return standing === 'incomplete' ? newestFirst : newestFirst.reverse()
  })
  const card = cardIn(customer.invoice_settings.default_payment_method)
  if (!subscription) return { ...NOTHING, card }
  const invoice = whole(subscription.latest_invoice)
  return {
    card,
    subscription,
    standing: standingOf(subscription),
    capacity: await capacityOf(stripe, db, subscription.items.data),
    invoice,
    payment: invoice && (await paymentOf(stripe, invoice)),
    period_end: subscription.items.data[0]?.current_period_end,
    others: more.filter((s) => standingOf(s) === 'paid').map((s) => s.id),
  }
}

const whole = <T extends object>(thing: string | T | null) =>
  thing !== null && typeof thing === 'object' ? thing : undefined

function cardIn(method: string | Stripe.PaymentMethod | null): Card | undefined {
  const found = whole(method)
  if (!found?.card) return undefined
  const { brand, last4, exp_month, exp_year } = found.card
  return { payment_method_id: found.id, brand, last4, exp_month, exp_year }
}

/** The payment that the provider makes of an invoice. */
export async function paymentOf(stripe: Stripe, invoice: Stripe.Invoice) {
  const { data = [] } = invoice.payments ?? {}
  const { payment } = data.find((p) => p.is_default) ?? data[0] ?? {}
  const intent = payment?.payment_intent
  if (!intent) return undefined
  const id = typeof intent === 'string' ? intent : intent.id
  return stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
}

/** How many of what. An item says which product of ours it is, or the provider's product does. */
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

/** The bank wants to hear from the person before it pays. */
export const wantsAction = (payment: Stripe.PaymentIntent | undefined) =>
  payment?.status === 'requires_action'

/** What stands between an account and what it asked for, in words for the person. */
export function problemOf({ invoice, payment, standing }: Truth): string | null {
  if (standing === 'none' || invoice?.status !== 'open') return null
  if (wantsAction(payment)) return 'Your bank asks you to confirm the payment.'
  return payment?.last_payment_error?.message ?? 'The payment failed.'
}
