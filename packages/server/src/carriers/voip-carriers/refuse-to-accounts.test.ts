import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { ask, createWorld, endpoints, type World } from '../../../test/endpoints/lines.ts'

/**
 * With `JAMBONES_ADMIN_CARRIER`, accounts use carriers and numbers, but do not change them. They still choose the
 * application that answers a number.
 */
let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp()
  w = await createWorld(t)
  t.ctx.config.admin_carrier = true
})
afterAll(() => t.close())

const CHANGED =
  /^(?:voipCarriers\.(?!exportMany|usesOfMany)|sipGateways\.|smppGateways\.)|^phoneNumbers\.(?!update|exportMany)|^predefinedCarriers\.addTo|^gatewayProbes\.probe$/
const writes = endpoints.filter(
  ({ title, e }) => CHANGED.test(title) && e.method !== 'GET' && e.access === 'account',
)

it('knows the endpoints', () => {
  expect(writes.length).toBeGreaterThan(14)
})

it.each(writes)('refuses $title to accounts and their keys', async ({ e, line }) => {
  for (const who of ['a1', 'a1-key']) {
    const { status, body } = await ask(t, who, e, line, w)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: expect.stringContaining('insufficient privileges'),
    })
  }
})

it('refuses accounts to move numbers to another carrier, and lets them choose what answers', async () => {
  const change = (more: object) =>
    t.request('a1', 'PUT', '/PhoneNumbers', {
      select: { phone_number_sids: [w.number] },
      ...more,
    })
  const moved = await change({ voip_carrier_sid: w.carrier })
  expect(moved.statusCode).toBe(400)
  expect(moved.body).toContain('insufficient privileges')
  expect((await change({ application_sid: null })).statusCode).toBe(200)
})

it.each(writes.filter(({ line }) => !line.destroys))(
  'allows $title to providers',
  async ({ e, line }) => {
    const { body } = await ask(t, 'sp1', e, line, w)
    expect(body).not.toContain('insufficient privileges')
  },
)
