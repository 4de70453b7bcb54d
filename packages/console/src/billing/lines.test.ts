import type { Price, PricedProduct } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { linesOf, orderFor, priceOf, quantityIssue, quantityOf, tiersOf, totalOf } from './lines'

const price = (more: Partial<Price>): Price => ({
  stripe_price_id: 'price_1',
  billing_scheme: 'per_unit',
  currency: 'usd',
  recurring: null,
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
const product = (
  category: PricedProduct['category'],
  prices: Price[],
  unit_label: string | null,
): PricedProduct => ({
  product_sid: `sid-of-${category}`,
  name: category,
  category,
  stripe_product_id: 'prod_1',
  description: null,
  unit_label,
  prices,
})
const sessions = price({
  billing_scheme: 'tiered',
  tiers_mode: 'volume',
  tiers: [tier(10, 10_000, null), tier(null, null, 900)],
})
const devices = price({ stripe_price_id: 'price_2', unit_amount: 50 })
const lines = linesOf([
  product('device', [devices], 'per device'),
  product('voice_call_session', [sessions], 'per session'),
])
const [session, device] = lines as [(typeof lines)[0], (typeof lines)[0]]
const entered = (voice_call_session: string, device = '0') => ({ voice_call_session, device })

it('has a line per product, in table order', () => {
  expect(lines.map(({ label }) => label)).toEqual([
    'Maximum concurrent call sessions',
    'Additional device registrations',
  ])
  expect(linesOf([product('device', [], null)])).toEqual([])
})

it('accepts whole numbers within the limits', () => {
  const errorFor = (n: string) => quantityIssue(session, entered(n))
  expect(['', '4', '5', '1000', '1001', '5.5', '-5', '1e2'].map(errorFor)).toEqual([
    'Required',
    'Must be at least 5',
    undefined,
    undefined,
    'Must be at most 1,000',
    'Enter a whole number',
    'Enter a whole number',
    'Enter a whole number',
  ])
  expect(quantityIssue(device, entered('5', '201'))).toBe('Must be at most 200')
  expect(quantityOf(session, entered(' 7 '))).toBe(7)
})

it('totals in whole cents, with a flat amount once', () => {
  expect(totalOf(lines, entered('5'))).toBe(10_000)
  expect(totalOf(lines, entered('10', '3'))).toBe(10_150)
  expect(totalOf(lines, entered('11'))).toBe(9_900)
  expect(totalOf(lines, entered('4'))).toBeUndefined()
})

it('orders every product bought now or before, and nothing else', () => {
  const one = { voice_call_session: 5, device: 0 }
  expect(orderFor(lines, entered('20'), one)).toEqual([
    { price_id: 'price_1', product_sid: 'sid-of-voice_call_session', quantity: 20 },
  ])
  expect(orderFor(lines, entered('20'), { ...one, device: 3 })[1]).toEqual({
    price_id: 'price_2',
    product_sid: 'sid-of-device',
    quantity: 0,
  })
})

it('formats the unit price and explains tiers', () => {
  expect(priceOf(device, 3)).toBe('$0.50 per device')
  expect([5, 11].map((n) => priceOf(session, n))).toEqual(['$100.00 flat', '$9.00 per session'])
  expect(tiersOf(device, 3)).toBeUndefined()
  expect(tiersOf(session, 11)).toMatchObject({
    at: 1,
    tiers: [{ range: '1 to 10' }, { range: 'From 11' }],
    explained: 'All units are billed at the price of the range you reach.',
  })
  const graduated = { ...session, price: { ...sessions, tiers_mode: 'graduated' as const } }
  expect(tiersOf(graduated, undefined)).toMatchObject({
    at: -1,
    explained: 'Each range is billed at its own price.',
  })
  const fraction = { ...device, price: price({ unit_amount_decimal: '0.25' }) }
  expect(priceOf(fraction, 1)).toBe('$0.0025 per device')
})
