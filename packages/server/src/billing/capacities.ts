import {
  CAPACITIES,
  type CapacityIn,
  type Price,
  type PricedProduct,
  quote,
  t,
} from '@switchroom/contract'
import type Stripe from 'stripe'
import { Failure, invalid } from '../http/failure.ts'

export type Chosen = CapacityIn & {
  category: PricedProduct['category']
  stripe_product_id: string
  price: Price | undefined
}

const refusal = (i: number, field: string, message: string) =>
  invalid({ path: ['products', i, field], message })

/**
 * Matches the requested products with prices offered to this account, or already on its subscription.
 * Throws 400 for products or prices it is not offered, duplicates, and quantities out of range.
 */
export function chosen(
  products: CapacityIn[],
  offered: PricedProduct[],
  current: Stripe.SubscriptionItem[] = [],
): Chosen[] {
  const seen = new Set<string>()
  return products.map((line, i) => {
    const product = offered.find((p) => p.product_sid === line.product_sid)
    if (!product) throw refusal(i, 'product_sid', t('No such product'))
    const price = product.prices.find((p) => p.stripe_price_id === line.price_id)
    if (!price && !current.some((item) => item.price.id === line.price_id))
      throw refusal(i, 'price_id', t('No such price'))
    if (seen.has(product.category)) throw refusal(i, 'product_sid', t('This product appears twice'))
    seen.add(product.category)
    const { min, max } = CAPACITIES.find((c) => c.category === product.category)!
    if (line.quantity < min)
      throw refusal(i, 'quantity', t('invalid voice call session value, minimum is 5'))
    if (line.quantity > max) throw refusal(i, 'quantity', t('At most {max}', { max }))
    const { category, stripe_product_id } = product
    return { ...line, category, stripe_product_id, price }
  })
}

/** Throws 400 without call sessions, or when the prices differ in currency. */
export function requireValidOrder(all: Chosen[]) {
  if (!all.some((c) => c.category === 'voice_call_session'))
    throw invalid({
      path: ['products'],
      message: t('invalid voice call session value, minimum is 5'),
    })
  const currencies = new Set(all.map((c) => c.price?.currency))
  if (currencies.size > 1)
    throw new Failure('invalid', t('All prices must be in the same currency'))
}

export const capacityOf = (all: Chosen[]) => {
  const quantityOf = (category: Chosen['category']) =>
    all.find((c) => c.category === category)?.quantity ?? 0
  return { voice_call_session: quantityOf('voice_call_session'), device: quantityOf('device') }
}

/** The total per month, in cents. */
export const monthly = (all: Chosen[]) =>
  all.reduce((sum, { price, quantity }) => sum + (price ? quote(price, quantity).cost : 0), 0)

type ItemChange = { id?: string; price?: string; quantity: number }

/**
 * The item changes that turn a subscription into the chosen capacity. An item of the same product is
 * changed, whatever its price.
 */
export function itemsFor(current: Stripe.SubscriptionItem[], all: Chosen[]): ItemChange[] {
  return all.flatMap<ItemChange>(({ price_id, product_sid, stripe_product_id, quantity }) => {
    const item = current.find(
      ({ price, metadata }) =>
        price.id === price_id ||
        price.product === stripe_product_id ||
        metadata.product_sid === product_sid,
    )
    if (!item) return quantity > 0 ? [{ price: price_id, quantity }] : []
    const { id } = item
    if (item.price.id !== price_id) return [{ id, price: price_id, quantity }]
    return item.quantity === quantity ? [] : [{ id, quantity }]
  })
}
