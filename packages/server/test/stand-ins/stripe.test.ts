import Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PUBLISHABLE_KEY, SECRET_KEY, type StripeStandIn, stripeStandIn } from './stripe.ts'

let s: StripeStandIn
beforeAll(async () => {
  s = await stripeStandIn()
})
afterAll(() => s.close())

const ask = async (
  method: string,
  path: string,
  form: Record<string, string> = {},
  headers: Record<string, string> = {},
) => {
  const body = new URLSearchParams(form)
  const query = method === 'GET' ? `?${body}` : ''
  const answer = await fetch(`${s.url}/v1/${path}${query}`, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      'stripe-version': Stripe.API_VERSION,
      ...headers,
    },
    ...(method === 'POST' && { body }),
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

it.each([
  ['an unknown parameter', { nickname: 'x' }, {}, 400, /unknown parameter: nickname/],
  ['another version', {}, { 'stripe-version': '2020-08-27' }, 400, /version/],
  ['another key', {}, { authorization: 'Bearer sk_test_other' }, 401, /API Key/],
  ['the key of pages', {}, { authorization: `Bearer ${PUBLISHABLE_KEY}` }, 401, /API Key/],
  ['a body of JSON', { name: 'x' }, { 'content-type': 'application/json' }, 400, /no form/],
])('rejects %s', async (_, form, headers, status, message) => {
  const answer = await ask('POST', 'customers', form as never, headers as never)
  expect(answer.status).toBe(status)
  expect(answer.body.error.message).toMatch(message)
})

it('repeats the response for an idempotency key, and rejects another request under it', async () => {
  const headers = { 'idempotency-key': 'k1' }
  const first = await ask('POST', 'customers', { name: 'a' }, headers)
  const again = await ask('POST', 'customers', { name: 'a' }, headers)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const other = await ask('POST', 'customers', { name: 'b' }, headers)
  expect([other.status, other.body.error.type]).toEqual([400, 'idempotency_error'])
})

it('returns lists in pages', async () => {
  for (const name of ['a', 'b', 'c']) s.billing.addProduct('device', name)
  const first = (await ask('GET', 'products', { limit: '2' })).body
  expect([first.data.length, first.has_more]).toEqual([2, true])
  const { id } = first.data[1]
  const rest = (await ask('GET', 'products', { limit: '2', starting_after: id })).body
  expect([rest.data.length, rest.has_more]).toEqual([1, false])
})

it('includes nested objects only when expanded', async () => {
  const product = s.billing.addProduct('device', 'd')
  const tiers = [{ up_to: null, flat_amount: 1, unit_amount: null }]
  s.billing.addPrice(product, { tiers, tiers_mode: 'volume' })
  const plain = (await ask('GET', 'prices', { product })).body.data[0]
  expect(plain).not.toHaveProperty('tiers')
  const whole = (await ask('GET', 'prices', { product, 'expand[]': 'data.tiers' })).body.data[0]
  expect(whole.tiers).toHaveLength(1)
})

it('speaks the version of the SDK', () => {
  expect(s.environment.STRIPE_BASE_URL).toBe(s.url)
  expect(Stripe.API_VERSION).toBe('2026-10-28.endive')
})
