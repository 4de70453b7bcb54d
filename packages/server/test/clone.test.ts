import { randomInt, randomUUID } from 'node:crypto'
import { api, type Endpoint, MASK } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { createSampleData, type SampleData } from './sample-data.ts'

/**
 * Scripts read a resource, strip its sid, and create a second one from the rest. Members that are shown but cannot be
 * set on creation are ignored, as on the platform; unknown ones are refused by name.
 */
let t: TestApp
let samples: SampleData
beforeAll(async () => {
  t = await testApp()
  samples = await createSampleData(t)
})
afterAll(() => t.close())

type Named = { title: string; e: Endpoint }
const endpoints: Named[] = Object.entries(api).flatMap(([group, all]) =>
  Object.entries(all as Record<string, Endpoint>).map(([name, e]) => ({
    title: `${group}.${name}`,
    e,
  })),
)
const isReadOf = ({ path }: Endpoint, read: Endpoint) =>
  read.method === 'GET' && !read.list && read.path.replace(/\/:\w+$/, '') === path
const pairs = endpoints
  .filter(({ e }) => e.method === 'POST' && e.status === 201)
  .flatMap(({ title, e }) => {
    const read = endpoints.find((r) => isReadOf(e, r.e) && r.e.path !== e.path)
    return read ? [{ title, e, read }] : []
  })
  // nobody reads the first, which have no owner, and an account has one of the second
  .filter(({ title }) => title !== 'webhooks.create' && title !== 'lcrs.create')

const domain = () => `${randomUUID()}.example.com`
/** Fields that must be unique. */
const UNIQUE: Record<string, () => string> = {
  name: () => randomUUID(),
  label: () => randomUUID(),
  username: () => randomUUID(),
  email: () => `${randomUUID()}@example.com`,
  number: () => String(randomInt(1_000_000_000, 9_000_000_000)),
  ipv4: () => `10.${randomInt(250)}.${randomInt(250)}.${randomInt(250)}`,
  sip_realm: domain,
  root_domain: domain,
  tenant_fqdn: domain,
}
const HOOK = { url: 'https://example.com/hook' }
type Read = Record<string, unknown>
const KEY = JSON.stringify({ client_email: 'a@example.com', private_key: 'x' })
const speech = ({ vendor }: Read) => vendor === 'google' && { service_key: KEY }
/** Secrets, which no read shows, and members that belong to the original. */
const OTHERWISE: Record<string, (read: Read) => object | false> = {
  'users.create': () => ({ initial_password: 'a long and calm river 7' }),
  'accounts.create': () => ({
    ...{ device_calling_application_sid: null, siprec_hook_sid: null },
    bucket_credential: null,
  }),
  'alertDestinations.create': () => ({ secret: 'a'.repeat(32) }),
  'accountSpeechCredentials.create': speech,
  'providerSpeechCredentials.create': speech,
  // one of this type needs a gateway
  'voipCarriers.create': ({ trunk_type, sip_gateways }) =>
    trunk_type === 'static_ip' &&
    (sip_gateways as object[]).length === 0 && {
      sip_gateways: [{ ipv4: '10.3.3.9', inbound: 1, outbound: 1 }],
    },
}

const secondOf = (title: string, read: Read, sid: string) => ({
  ...Object.fromEntries(
    Object.entries(read)
      .filter(([key]) => key !== sid)
      .map(([key, value]) => [
        key,
        typeof value !== 'string' ? value : value === MASK ? 'secret' : (UNIQUE[key]?.() ?? value),
      ]),
  ),
  ...OTHERWISE[title]?.(read),
})

const RANK = { admin: 3, service_provider: 2, account: 1, public: 0 }
const callers = [
  ['admin', 3],
  ['sp1', 2],
  ['sp1-key', 2],
  ['a1', 1],
] as const

describe.each(pairs)('$title', ({ title, e, read }) => {
  const allowed = callers.filter(([, rank]) => rank >= RANK[e.access])
  it.each(allowed)('makes a second one of what it reads, by %s', async (who) => {
    const [, sid] = /:(\w+)$/.exec(read.e.path)!
    const all = samples.paramsOf(read.title)
    expect(all.length).toBeGreaterThan(0)
    for (const params of all) {
      const at = (path: string) => path.replace(/:(\w+)/g, (_, key: string) => params[key]!)
      const found = await t.request(who, 'GET', at(read.e.path))
      expect(found.statusCode, found.body).toBe(200)
      const second = () => secondOf(title, found.json(), sid!)
      const made = await t.request(who, 'POST', at(e.path), second())
      expect(made.statusCode, `${made.body} of ${found.body}`).toBe(201)
    }
  })
})

it.each([
  ['Accounts', () => ({ service_provider_sid: t.sids.sp1 })],
  ['Applications', () => ({ account_sid: t.sids.a1, call_hook: HOOK, call_status_hook: HOOK })],
  ['VoipCarriers', () => ({ account_sid: t.sids.a1 })],
  ['ServiceProviders', () => ({})],
] as const)('refuses a member of %s that nobody knows, by its name', async (list, owner) => {
  const body = { name: randomUUID(), ...owner(), no_such_member: 1 }
  const refused = await t.request('admin', 'POST', `/${list}`, body)
  expect([refused.statusCode, refused.json().issues]).toEqual([
    400,
    [{ path: ['no_such_member'], message: 'no_such_member may not be set' }],
  ])
})

it('refuses an activation code of a client', async () => {
  const user = { name: 'codes', email: 'codes@example.com', initial_password: 'a calm river 7' }
  const body = { ...user, email_activation_code: '123456' }
  const refused = await t.request('admin', 'POST', '/Users', body)
  expect([refused.statusCode, refused.json().issues[0].path]).toEqual([
    400,
    ['email_activation_code'],
  ])
})

it('makes its own of what it is sent', async () => {
  const secret = 'wh_secret_of_somebody_else'
  const account = { name: randomUUID(), service_provider_sid: t.sids.sp1, webhook_secret: secret }
  const { sid } = (await t.request('admin', 'POST', '/Accounts', account)).json()
  const key = { account_sid: sid, token: randomUUID(), expires_at: '2020-01-01T00:00:00.000Z' }
  const made = (await t.request('admin', 'POST', '/ApiKeys', key)).json()
  expect(made.token).not.toBe(key.token)
  const read = await t.request(made.token, 'GET', `/Accounts/${sid}`)
  expect(read.statusCode).toBe(200)
  expect(read.json().webhook_secret).not.toBe(secret)
  expect((await t.request(key.token, 'GET', `/Accounts/${sid}`)).statusCode).toBe(401)
})

it('makes a deleted routing table again', async () => {
  // the table of the others has routes by now that lack a carrier
  await t.close()
  t = await testApp()
  samples = await createSampleData(t)
  const path = `/Lcrs/${samples.table}`
  const { lcr_sid: _, ...read } = (await t.request('a1', 'GET', path)).json()
  expect((await t.request('a1', 'DELETE', path)).statusCode).toBe(204)
  const made = await t.request('a1', 'POST', '/Lcrs', read)
  expect(made.statusCode, made.body).toBe(201)
  const again = (await t.request('a1', 'GET', `/Lcrs/${made.json().sid}`)).json()
  const routes = ({ routes }: { routes: { regex: string }[] }) => routes.map((r) => r.regex)
  expect(routes(again)).toEqual(routes(read))
  expect(again.routes[0].lcr_route_sid).not.toBe(read.routes[0].lcr_route_sid)
})
