import { CAPACITIES, type CapacityCategory, type PricedProduct } from '@switchroom/contract'
import type Stripe from 'stripe'
import type { Db } from '../db/open.ts'

type Product = { product_sid: string; name: string; category: CapacityCategory }

/** The platform's own products, by category. */
export async function localProducts(db: Db): Promise<Product[]> {
  const rows = await db.selectFrom('products').selectAll().execute()
  return CAPACITIES.flatMap(({ category }) => {
    const row = rows.find((r) => r.category === category)
    return row ? [{ product_sid: row.product_sid, name: row.name, category }] : []
  })
}

/**
 * Products that this account can buy: those offered to it alone, and general ones in categories without an offer.
 * Sessions come first.
 */
export async function catalogue(
  stripe: Stripe,
  db: Db,
  account_sid: string | undefined,
): Promise<PricedProduct[]> {
  const local = await localProducts(db)
  const offers = account_sid
    ? await db
        .selectFrom('account_offers')
        .select(['product_sid', 'stripe_product_id'])
        .where('account_sid', '=', account_sid)
        .execute()
    : []
  const offered = new Map(offers.map((o) => [o.product_sid, o.stripe_product_id]))
  const general = local.every((p) => offered.has(p.product_sid)) ? [] : await listProducts(stripe)
  const priced = await Promise.all(
    local.map(async (product) => {
      const offer = offered.get(product.product_sid)
      const stripeProduct = offer
        ? await stripe.products.retrieve(offer)
        : general.find((p) => p.metadata.jambonz_category === product.category)
      if (!stripeProduct) return []
      const prices = await pricesOf(stripe, stripeProduct.id)
      return prices.length > 0 ? [planPrice(product, stripeProduct, prices)] : []
    }),
  )
  return priced.flat()
}

async function listProducts(stripe: Stripe) {
  const found: Stripe.Product[] = []
  for await (const product of stripe.products.list({ active: true, limit: 100 }))
    if (product.metadata.availability === 'general') found.push(product)
  return found
}

async function pricesOf(stripe: Stripe, product: string) {
  const found: Stripe.Price[] = []
  const query = { product, active: true, expand: ['data.tiers'], limit: 100 }
  for await (const price of stripe.prices.list(query))
    if (price.type === 'recurring') found.push(price)
  return found
}

const text = (decimal: unknown) => (decimal === null || decimal === undefined ? null : `${decimal}`)

const planPrice = (
  product: Product,
  stripeProduct: Stripe.Product,
  prices: Stripe.Price[],
): PricedProduct => ({
  ...product,
  stripe_product_id: stripeProduct.id,
  description: stripeProduct.description,
  unit_label: stripeProduct.unit_label ?? null,
  prices: prices.map((p) => ({
    stripe_price_id: p.id,
    billing_scheme: p.billing_scheme === 'tiered' ? 'tiered' : 'per_unit',
    currency: p.currency,
    recurring: p.recurring && {
      interval: p.recurring.interval,
      interval_count: p.recurring.interval_count,
    },
    tiers_mode: p.tiers_mode && (p.tiers_mode === 'graduated' ? 'graduated' : 'volume'),
    tiers:
      p.tiers?.map((t) => ({
        up_to: t.up_to,
        flat_amount: t.flat_amount,
        unit_amount: t.unit_amount,
        unit_amount_decimal: text(t.unit_amount_decimal),
      })) ?? null,
    type: p.type,
    unit_amount: p.unit_amount,
    unit_amount_decimal: text(p.unit_amount_decimal),
  })),
})
