import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { NotVerified, verifyWebhook } from '../src/index.ts'

const key = randomBytes(32)
const secret = `whsec_${key.toString('base64')}`
const now = Date.parse('2026-01-31T12:00:00Z')
const body = JSON.stringify({ id: 'evt_42', type: 'event.test', data: {} })
const signed = (by: Buffer, id = 'evt_42', seconds = now / 1_000) =>
  `v1,${createHmac('sha256', by).update(`${id}.${seconds}.${body}`).digest('base64')}`
const headers = {
  'webhook-id': 'evt_42',
  'webhook-timestamp': String(now / 1_000),
  'webhook-signature': signed(key),
}
const received = { body, headers, secret, now }

it('gives the event of a signed delivery', async () => {
  expect(await verifyWebhook(received)).toEqual(JSON.parse(body))
  expect(await verifyWebhook({ ...received, headers: new Headers(headers) })).toMatchObject({
    id: 'evt_42',
  })
  const both = `${signed(randomBytes(32))} ${headers['webhook-signature']}`
  await verifyWebhook({ ...received, headers: { ...headers, 'webhook-signature': both } })
})

describe('refuses', () => {
  it.each<[string, Partial<typeof received>]>([
    ['another body', { body: `${body} ` }],
    ['another secret', { secret: `whsec_${randomBytes(32).toString('base64')}` }],
    ['another id', { headers: { ...headers, 'webhook-id': 'evt_43' } }],
    ['another time', { headers: { ...headers, 'webhook-timestamp': String(now / 1_000 + 1) } }],
    ['no signature', { headers: { ...headers, 'webhook-signature': '' } }],
    [
      'another version',
      { headers: { ...headers, 'webhook-signature': signed(key).replace('v1', 'v2') } },
    ],
    ['no time', { headers: { ...headers, 'webhook-timestamp': '' } }],
    ['an old delivery', { now: now + 301_000 }],
    ['one of a time to come', { now: now - 301_000 }],
  ])('%s', async (_, change) => {
    await expect(verifyWebhook({ ...received, ...change })).rejects.toThrow(NotVerified)
  })
})
