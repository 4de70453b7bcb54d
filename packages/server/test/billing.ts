import { api, type CapacityIn, type PricedProduct } from '@switchroom/contract'
import { testApp } from './app.ts'
import { stripeStandIn } from './stand-ins/stripe.ts'

/** A server with a payment provider that sells sessions at 10 dollars and devices in tiers. */
export async function testBilling() {
  const stripe = await stripeStandIn()
  const t = await testApp(stripe.environment)
  const { billing } = stripe
  const general = { metadata: { jambonz_category: '', availability: 'general' } }
  const sell = (category: string, name: string) =>
    billing.addProduct(category, name, {
      metadata: { ...general.metadata, jambonz_category: category },
    })
  const sessions = billing.addPrice(sell('voice_call_session', 'session'), { unit_amount: 1000 })
  const devices = billing.addPrice(sell('device', 'device'), {
    tiers_mode: 'volume',
    tiers: [
      { up_to: 10, flat_amount: 500, unit_amount: null },
      { up_to: null, flat_amount: null, unit_amount: 40 },
    ],
  })
  const as = (who: string) => t.as(who)
  const products = await as('a1')(api.subscriptions.prices, {})
  const sidOf = (category: PricedProduct['category']) =>
    products.find((p) => p.category === category)!.product_sid
  /** The products in a request body for this many sessions and devices. */
  const capacity = (sessionCount: number, deviceCount = 0): CapacityIn[] => [
    { price_id: sessions, product_sid: sidOf('voice_call_session'), quantity: sessionCount },
    { price_id: devices, product_sid: sidOf('device'), quantity: deviceCount },
  ]
  const change = (who: string, body: object) => t.request(who, 'POST', '/Subscriptions', body)
  const upgrade = (who = 'a1', payment_method_id = 'pm_card_visa', count = 5, more: object = {}) =>
    change(who, {
      action: 'upgrade-to-paid',
      payment_method_id,
      products: capacity(count),
      ...more,
    })
  const account = (account_sid = t.sids.a1) =>
    t.db
      .selectFrom('accounts')
      .selectAll()
      .where('account_sid', '=', account_sid)
      .executeTakeFirstOrThrow()
  /** The open billing periods with their products, and the limits. */
  const state = async (account_sid = t.sids.a1) => {
    const { plan_type, is_active, stripe_customer_id } = await account(account_sid)
    const rows = await t.db
      .selectFrom('account_subscriptions')
      .selectAll()
      .where('account_sid', '=', account_sid)
      .where('effective_end_date', 'is', null)
      .execute()
    const bought = await t.db
      .selectFrom('account_products')
      .innerJoin('products', 'products.product_sid', 'account_products.product_sid')
      .select(['account_subscription_sid', 'category', 'quantity'])
      .execute()
    const limits = await t.db
      .selectFrom('account_limits')
      .select(['category', 'quantity'])
      .where('account_sid', '=', account_sid)
      .execute()
    return {
      plan_type,
      is_active,
      stripe_customer_id,
      periods: rows.map((r) => ({
        ...r,
        ...Object.fromEntries(
          bought
            .filter((b) => b.account_subscription_sid === r.account_subscription_sid)
            .map((b) => [b.category, b.quantity]),
        ),
      })),
      limits: Object.fromEntries(limits.map((l) => [l.category, l.quantity])),
    }
  }
  /** Delivers the payment provider's events to the server. */
  const sendEvent = (event: unknown, how?: { secret?: string; at?: number }) => {
    const { payload, header } = stripe.signed(event, how)
    return t.app.inject({
      method: 'POST',
      url: '/stripe/webhook',
      headers: { 'content-type': 'application/json', 'stripe-signature': header },
      payload,
    })
  }
  return {
    ...t,
    stripe,
    billing,
    prices: { sessions, devices },
    capacity,
    change,
    upgrade,
    state,
    tell: sendEvent,
    charged: () => billing.charges.map((c) => c.amount),
    close: async () => {
      await stripe.close()
      await t.close()
    },
  }
}
export type TestBilling = Awaited<ReturnType<typeof testBilling>>
