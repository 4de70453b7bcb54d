import { z } from 'zod'
import { NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'

/** Capacities that an account can buy, by the platform's product categories. */
export const CAPACITIES = [
  {
    category: 'voice_call_session',
    product: 'concurrent call session',
    label: t('Maximum concurrent call sessions'),
    min: 5,
    max: 1000,
  },
  {
    category: 'device',
    product: 'registered device',
    label: t('Additional device registrations'),
    min: 0,
    max: 200,
  },
] as const
export type CapacityCategory = (typeof CAPACITIES)[number]['category']

/** The capacity of the Free plan. */
export const FREE_PLAN = { voice_call_session: 1, device: 1 } as const
export const TRIAL_PLAN = { voice_call_session: 5, device: 0 } as const

type Capacity = Record<CapacityCategory, number>

/** The most devices registered at the same time. The Free plan has one, whatever the ratio. */
export const registeredDevices = (
  plan: string,
  device_to_call_ratio: number,
  { voice_call_session, device }: Capacity,
) => (plan === 'free' ? FREE_PLAN.device : device_to_call_ratio * (voice_call_session + device))

/** The limit that SBCs apply: they multiply only the call sessions by the ratio. */
export const enforcedDevices = (
  device_to_call_ratio: number,
  { voice_call_session, device }: Capacity,
) => device_to_call_ratio * voice_call_session + device

/** Amount in cents, or the currency's minor unit; fractional where a unit costs less than one. */
const Amount = NumberOrNull

export const PriceTier = z.object({
  /** Null means unlimited. */
  up_to: NumberOrNull,
  flat_amount: Amount,
  unit_amount: Amount,
  unit_amount_decimal: StringOrNull,
})
export type PriceTier = z.infer<typeof PriceTier>

export const Price = z.object({
  stripe_price_id: z.string(),
  billing_scheme: z.enum(['per_unit', 'tiered']),
  currency: z.string(),
  recurring: z.object({ interval: z.string(), interval_count: z.number() }).nullable(),
  tiers_mode: z.enum(['volume', 'graduated']).nullable(),
  tiers: z.array(PriceTier).nullable(),
  type: z.string(),
  unit_amount: Amount,
  unit_amount_decimal: StringOrNull,
})
export type Price = z.infer<typeof Price>

/** A product and its prices. `category` and `name` come from the platform, the rest from the payment provider. */
export const PricedProduct = z.object({
  product_sid: z.string(),
  name: z.string(),
  category: z.enum(['voice_call_session', 'device']),
  stripe_product_id: z.string(),
  description: StringOrNull,
  unit_label: StringOrNull,
  prices: z.array(Price),
})
export type PricedProduct = z.infer<typeof PricedProduct>

type Rate = {
  flat_amount?: number | null
  unit_amount: number | null
  unit_amount_decimal: string | null
}
const unitOf = ({ unit_amount, unit_amount_decimal }: Rate) =>
  unit_amount ?? Number(unit_amount_decimal ?? 0)
const cost = (rate: Rate, quantity: number) =>
  (rate.flat_amount ?? 0) + Math.round(unitOf(rate) * quantity)

export type Quote = {
  /** The price of one unit, or of the whole tier where that has a flat price. */
  fee: number
  /** The total in whole cents. */
  cost: number
}

/** The monthly cost of a quantity, as the payment provider calculates it. */
export function quote(price: Price, quantity: number): Quote {
  const { tiers, tiers_mode, billing_scheme } = price
  if (billing_scheme === 'per_unit' || !tiers?.length)
    return { fee: unitOf(price), cost: cost(price, quantity) }
  const at = tiers.findIndex(({ up_to }) => up_to === null || up_to >= quantity)
  const tier = tiers.at(at)!
  const fee = tier.flat_amount || unitOf(tier)
  if (tiers_mode !== 'graduated') return { fee, cost: quantity === 0 ? 0 : cost(tier, quantity) }
  const graduated = tiers.slice(0, at === -1 ? undefined : at + 1).reduce((sum, each, i) => {
    const from = tiers[i - 1]?.up_to ?? 0
    const within = Math.min(quantity, each.up_to ?? quantity) - from
    return within > 0 ? sum + cost(each, within) : sum
  }, 0)
  return { fee, cost: graduated }
}
