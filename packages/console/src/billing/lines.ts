import {
  CAPACITIES,
  type CapacityCategory,
  type CapacityIn,
  LOCALE,
  numberText,
  type Price,
  type PricedProduct,
  type PriceTier,
  quote,
  t,
} from '@switchroom/contract'
import { money } from './money'
import type { Capacity } from './sentence'

/** One line of the capacity table. */
export type Line = (typeof CAPACITIES)[number] & { product_sid: string; unit: string; price: Price }

/** In table order; without products that are not sold. */
export const linesOf = (products: PricedProduct[]): Line[] =>
  CAPACITIES.flatMap((capacity) => {
    const product = products.find(({ category }) => category === capacity.category)
    const price = product?.prices[0]
    if (!product || !price) return []
    const unit = (product.unit_label ?? '').replace(/^per\s+/i, '') || t('unit')
    return [{ ...capacity, product_sid: product.product_sid, unit, price }]
  })

/** Quantities as typed. */
export type Quantities = Record<CapacityCategory, string>

export const toQuantities = (capacity: Capacity): Quantities => ({
  voice_call_session: String(capacity.voice_call_session),
  device: String(capacity.device),
})

/** Undefined if it is not a quantity that can be bought. */
export const quantityOf = (line: Line, quantities: Quantities): number | undefined =>
  quantityIssue(line, quantities) ? undefined : Number(quantities[line.category])

export function quantityIssue({ category, min, max }: Line, quantities: Quantities) {
  const text = quantities[category].trim()
  if (text === '') return t('Required')
  if (!/^\d+$/.test(text)) return t('Enter a whole number')
  if (Number(text) < min) return t('Must be at least {min}', { min })
  return Number(text) > max ? t('Must be at most {max}', { max: numberText(max) }) : undefined
}

/** In cents per month; undefined while a quantity is invalid. */
export function totalOf(lines: Line[], quantities: Quantities): number | undefined {
  let total = 0
  for (const line of lines) {
    const quantity = quantityOf(line, quantities)
    if (quantity === undefined) return undefined
    total += quote(line.price, quantity).cost
  }
  return total
}

/** The order as the API takes it, including products reduced to zero. */
export const orderFor = (lines: Line[], quantities: Quantities, had: Capacity): CapacityIn[] =>
  lines
    .map((line) => ({ line, quantity: quantityOf(line, quantities) ?? 0 }))
    .filter(({ line, quantity }) => quantity > 0 || had[line.category] > 0)
    .map(({ line: { price, product_sid }, quantity }) => ({
      price_id: price.stripe_price_id,
      product_sid,
      quantity,
    }))

const fineMoney = (amount: number, currency: string) =>
  Number.isInteger(amount)
    ? money(amount, currency)
    : new Intl.NumberFormat(LOCALE, {
        style: 'currency',
        currency,
        maximumFractionDigits: 6,
      }).format(amount / 100)

const unitAmount = (rate: { unit_amount: number | null; unit_amount_decimal: string | null }) =>
  rate.unit_amount ?? Number(rate.unit_amount_decimal ?? 0)

function rateOf(rate: PriceTier, currency: string, unit: string) {
  const amount = unitAmount(rate)
  const each = t('{money} per {unit}', { money: fineMoney(amount, currency), unit })
  if (!rate.flat_amount) return each
  const flat = t('{money} flat', { money: fineMoney(rate.flat_amount, currency) })
  return amount ? t('{flat} and {each}', { flat, each }) : flat
}

/** The tiers of a price as text, and the index of the tier that `quantity` reaches. */
export function tiersOf({ price, unit }: Line, quantity: number | undefined) {
  if (price.billing_scheme === 'per_unit' || !price.tiers?.length) return undefined
  const tiers = price.tiers.map((tier, i) => {
    const from = (price.tiers?.[i - 1]?.up_to ?? 0) + 1
    const range =
      tier.up_to === null
        ? t('From {from}', { from })
        : tier.up_to === from
          ? `${from}`
          : t('{from} to {up_to}', { from, up_to: tier.up_to })
    return { range, rate: rateOf(tier, price.currency, unit), last: tier.up_to }
  })
  const at =
    quantity === undefined ? -1 : tiers.findIndex(({ last }) => last === null || last >= quantity)
  return {
    tiers,
    at,
    explained:
      price.tiers_mode === 'graduated'
        ? t('Each range is billed at its own price.')
        : t('All units are billed at the price of the range you reach.'),
  }
}

/** The unit price at this quantity, as text. */
export function priceOf(line: Line, quantity: number | undefined) {
  const { price, unit } = line
  const tiers = tiersOf(line, quantity)
  if (tiers) return (tiers.tiers[tiers.at] ?? tiers.tiers[0]!).rate
  return t('{money} per {unit}', {
    money: fineMoney(unitAmount(price), price.currency),
    unit,
  })
}
