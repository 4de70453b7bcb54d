import { expect, it } from 'vitest'
import { enforcedDevices, type Price, quote, registeredDevices } from './prices.ts'

const price = (more: Partial<Price>): Price => ({
  stripe_price_id: 'price_1',
  billing_scheme: 'per_unit',
  currency: 'usd',
  recurring: { interval: 'month', interval_count: 1 },
  tiers_mode: null,
  tiers: null,
  type: 'recurring',
  unit_amount: null,
  unit_amount_decimal: null,
  ...more,
})
const tier = (up_to: number | null, flat_amount: number | null, unit_amount: number | null) => ({
  up_to,
  flat_amount,
  unit_amount,
  unit_amount_decimal: null,
})
const tiered = (tiers_mode: 'volume' | 'graduated', ...tiers: ReturnType<typeof tier>[]) =>
  price({ billing_scheme: 'tiered', tiers_mode, tiers })

it('counts units', () => {
  expect(quote(price({ unit_amount: 1000 }), 7)).toEqual({ fee: 1000, cost: 7000 })
})

it('counts parts of cents, and rounds what they come to', () => {
  expect(quote(price({ unit_amount_decimal: '0.5' }), 7)).toEqual({ fee: 0.5, cost: 4 })
})

it.each([
  [1, { fee: 500, cost: 500 }],
  [10, { fee: 500, cost: 500 }],
  [11, { fee: 40, cost: 440 }],
  [0, { fee: 500, cost: 0 }],
])('takes the first tier that %i fits in, a flat amount once', (quantity, expected) => {
  expect(quote(tiered('volume', tier(10, 500, null), tier(null, null, 40)), quantity)).toEqual(
    expected,
  )
})

it('counts a flat amount and the units, where a tier has both', () => {
  expect(quote(tiered('volume', tier(null, 500, 40)), 10).cost).toBe(900)
})

it.each([
  [5, 500],
  [10, 1000],
  [12, 1300],
])('counts %i through the tiers where they are graduated', (quantity, cost) => {
  const graduated = tiered('graduated', tier(10, null, 100), tier(null, 100, 100))
  expect(quote(graduated, quantity).cost).toBe(cost)
})

it('lets so many devices register for each unit of capacity', () => {
  expect(registeredDevices('paid', 5, { voice_call_session: 8, device: 10 })).toBe(90)
  expect(registeredDevices('free', 5, { voice_call_session: 1, device: 1 })).toBe(1)
  expect(enforcedDevices(5, { voice_call_session: 8, device: 10 })).toBe(50)
})
