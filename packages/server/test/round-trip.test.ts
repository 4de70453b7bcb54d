import { randomUUID } from 'node:crypto'
import { api, type Endpoint } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platform } from '../src/db/platform.ts'
import { type TestApp, testApp } from './app.ts'
import { chosen } from './database.ts'
import { createSampleData, type SampleData } from './sample-data.ts'
import { sample } from './trust.ts'

/**
 * Clients read a resource, change a field and send everything back. Each kind of resource is read by each kind
 * of caller who may write it, and sent back unchanged: that is accepted and changes nothing.
 */
let t: TestApp
let samples: SampleData
beforeAll(async () => {
  t = await testApp()
  samples = await createSampleData(t)
})
afterAll(() => t.close())

/** Keys note when they were last used. */
const withoutUse = (key: string, value: unknown) => (key === 'last_used' ? 0 : value)

/** Every row of the platform's tables and of the audit log. */
async function rows() {
  const tables = [
    ...Object.keys(platform),
    'switchroom_audit',
    'switchroom_alert_destinations',
    'switchroom_event_subscriptions',
    'switchroom_failures',
  ]
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const found = await sql`select * from ${sql.table(table)}`.execute(t.db)
    all[table] = found.rows.map((row) => JSON.stringify(row, withoutUse)).sort()
  }
  return all
}

const endpoints = Object.entries(api).flatMap(([group, all]) =>
  Object.entries(all as Record<string, Endpoint>).map(([name, e]) => ({
    title: `${group}.${name}`,
    e,
  })),
)
const readAt = (path: string) =>
  endpoints.find(({ e }) => e.method === 'GET' && !e.list && !e.hosted && e.path === path)?.e
/** Updates whose resource has its read elsewhere: below an owner, or in its parent. */
const READ_PATHS: Record<string, string> = {
  'voipCarriers.updateOfServiceProvider': '/VoipCarriers/:voip_carrier_sid',
  'voipCarriers.updateOfAccount': '/VoipCarriers/:voip_carrier_sid',
  'lcrs.saveRoutes': '/LcrRoutes?lcr_sid=:lcr_sid',
}
/** Updates without a matching read: bulk updates, calls and actions. */
const WITHOUT_READ = [
  'clients.updateMany',
  'phoneNumbers.updateMany',
  'voipCarriers.updateMany',
  'limits.setForServiceProviderByPut',
  'users.updateMany',
  'liveCalls.update',
  'registration.checkCode',
  'accountIssues.mark',
  'providerIssues.mark',
  // these are only listed
  'directories.update',
  'passkeys.rename',
  'savedViews.update',
  'viewAlerts.set',
  // a person's, which takes no key
  'preferences.update',
]
const SETTINGS = ['settings.saveSystemInformation', 'settings.savePasswordSettings']

const pairs = endpoints
  .filter(({ title, e }) => e.method === 'PUT' || SETTINGS.includes(title))
  .filter(({ title }) => !WITHOUT_READ.includes(title))
  .map(({ title, e }, index) => ({
    ...{ title, e, index },
    from: readAt(e.path)?.path ?? READ_PATHS[title],
  }))

it.each(pairs)('knows the read endpoint of $title', ({ from }) => {
  expect(from).toBeDefined()
})

const RANK = { admin: 3, service_provider: 2, account: 1, public: 0 }
const callers = [
  ['admin', 3],
  ['sp1', 2],
  ['sp1-key', 2],
  ['a1', 1],
  ['a1-key', 1],
] as const

/** The rows of before, which are still the same unless a test has failed. */
let last: Record<string, string[]> | undefined

describe.each(pairs)('$title', ({ title, e, from, index }) => {
  const allowed = callers.filter(([, rank]) => rank >= RANK[e.access])
  // a database converts a value the same for every caller
  const some = chosen === 'mysql' ? sample(allowed, 1, index) : allowed
  it.each(some)('by %s', async (who) => {
    const resources = samples.paramsOf(title)
    expect(resources.length).toBeGreaterThan(0)
    for (const params of resources) {
      const at = (path: string) =>
        path.replace(/:(\w+)/g, (_, key: string) => params[key] ?? `missing ${key}`)
      const read = await t.request(who, 'GET', at(from!))
      expect(read.statusCode, `${title} ${at(from!)} ${read.body}`).toBe(200)
      const before = last ?? (await rows())
      last = undefined
      const put = await t.request(who, e.method, at(e.path), read.json())
      expect(put.statusCode, `${put.body} of ${read.body}`).toBe(e.status ?? 200)
      expect(await rows()).toEqual(before)
      last = before
    }
  })
})

it('accepts each limit as it was read', async () => {
  const before = await rows()
  for (const [who, path] of [
    ['a1', `/Accounts/${t.sids.a1}/Limits`],
    ['sp1', `/Accounts/${t.sids.a1}/Limits`],
    ['sp1', `/ServiceProviders/${t.sids.sp1}/Limits`],
  ] as const) {
    const limits = (await t.request(who, 'GET', path)).json()
    expect(limits).not.toEqual([])
    for (const limit of limits)
      expect((await t.request(who, 'POST', path, limit)).statusCode).toBe(201)
  }
  expect(await rows()).toEqual(before)
})

it('accepts a resource as a list returned it', async () => {
  const before = await rows()
  for (const [list, sid] of [
    ['Accounts', 'account_sid'],
    ['Applications', 'application_sid'],
    ['VoipCarriers', 'voip_carrier_sid'],
    ['PhoneNumbers', 'phone_number_sid'],
    ['Clients', 'client_sid'],
    ['MicrosoftTeamsTenants', 'ms_teams_tenant_sid'],
    ['Lcrs', 'lcr_sid'],
    ['Users', 'user_sid'],
    ['AlertDestinations', 'alert_destination_sid'],
    ['EventSubscriptions', 'event_subscription_sid'],
  ] as const)
    for (const who of ['admin', 'sp1', 'a1']) {
      const all = (await t.request(who, 'GET', `/${list}`)).json() as Record<string, string>[]
      for (const resource of all.slice(0, 5)) {
        // accounts may read, but not change, their provider's carriers and routes
        if (who === 'a1' && 'account_sid' in resource && !resource.account_sid) continue
        const put = await t.request(who, 'PUT', `/${list}/${resource[sid]}`, resource)
        expect(put.statusCode, `${who} ${list} ${put.body}`).toBe(204)
      }
    }
  expect(await rows()).toEqual(before)
})

it('accepts a single field', async () => {
  for (const [path, member] of [
    [`/Accounts/${t.sids.a1}`, { record_format: 'wav' }],
    [`/Applications/${samples.application}`, { record_all_calls: 1 }],
    [`/VoipCarriers/${samples.carrier}`, { name: randomUUID() }],
    [`/PhoneNumbers/${samples.number}`, { application_sid: null }],
    [`/Clients/${samples.client}`, { is_active: 0 }],
    [`/Users/${samples.user}`, { name: 'renamed' }],
    [`/SipGateways/${samples.gateway}`, { port: 5070 }],
    [`/Lcrs/${samples.table}`, { name: 'other' }],
  ] as const) {
    expect((await t.request('a1', 'PUT', path, member)).statusCode, path).toBe(204)
    expect((await t.request('a1', 'GET', path)).json(), path).toMatchObject(member)
  }
})
