import { api, type Endpoint, type Group } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../src/db/open.ts'
import { sendLogged } from '../src/tenants/webhook-log/send-logged.ts'
import { type TestApp, testApp } from './app.ts'
import { addFailure } from './failures.ts'
import { addRun, addSuite } from './kept-runs.ts'
import { createSampleData, type SampleData } from './sample-data.ts'
import { unnoticed } from './unnoticed.ts'

// Lists remember the keys of their pages for a while. Each list is read, its rows move to another tenant
// behind the server's back, as another process would move them, and the list is read again.

type Api = typeof api
type ListsOf<G extends Group> = { [K in keyof G]: G[K] extends { list: true } ? K : never }[keyof G]
type EveryList<V> = {
  [G in keyof Api as ListsOf<Api[G]> extends never ? never : G]: { [E in ListsOf<Api[G]>]: V }
}

const NO_OWNER = 'a provider has no owner'
const OF_ADMINISTRATORS = 'nobody else reads it'
const OWNERS = ['account_sid', 'service_provider_sid'] as const
const PROVIDER = ['service_provider_sid'] as const

type Line =
  | readonly [table: keyof Tables, sid: string, owners: readonly string[]]
  | typeof NO_OWNER
  | typeof OF_ADMINISTRATORS

/** The table of each list, its key, and its columns that name owners. A list without its line does not compile. */
const lists: EveryList<Line> = {
  users: { list: ['users', 'user_sid', OWNERS] },
  serviceProviders: { list: NO_OWNER },
  accounts: {
    list: ['accounts', 'account_sid', PROVIDER],
    ofServiceProvider: ['accounts', 'account_sid', PROVIDER],
  },
  apiKeys: {
    list: OF_ADMINISTRATORS,
    ofAccount: ['api_keys', 'api_key_sid', OWNERS],
    ofServiceProvider: ['api_keys', 'api_key_sid', OWNERS],
  },
  clients: {
    list: ['clients', 'client_sid', ['account_sid']],
    ofAccount: ['clients', 'client_sid', ['account_sid']],
    ofServiceProvider: ['clients', 'client_sid', ['account_sid']],
  },
  applications: {
    list: ['applications', 'application_sid', ['account_sid']],
    ofAccount: ['applications', 'application_sid', ['account_sid']],
    ofServiceProvider: ['applications', 'application_sid', ['account_sid']],
  },
  runs: { list: ['switchroom_runs', 'run_sid', ['account_sid']] },
  simulatedCallers: {
    list: ['switchroom_simulated_callers', 'simulated_caller_sid', ['account_sid']],
  },
  suites: { list: ['switchroom_suites', 'suite_sid', ['account_sid']] },
  testCases: { list: ['switchroom_test_cases', 'test_case_sid', ['account_sid']] },
  alertDestinations: { list: ['switchroom_alert_destinations', 'alert_destination_sid', OWNERS] },
  eventSubscriptions: {
    list: ['switchroom_event_subscriptions', 'event_subscription_sid', OWNERS],
  },
  failures: { list: ['switchroom_failures', 'failure_sid', OWNERS] },
  webhookRequests: { list: ['switchroom_webhook_requests', 'webhook_request_sid', OWNERS] },
  accountSpeechCredentials: { list: ['speech_credentials', 'speech_credential_sid', OWNERS] },
  providerSpeechCredentials: { list: ['speech_credentials', 'speech_credential_sid', OWNERS] },
  voipCarriers: {
    list: ['voip_carriers', 'voip_carrier_sid', OWNERS],
    ofAccount: ['voip_carriers', 'voip_carrier_sid', OWNERS],
    ofServiceProvider: ['voip_carriers', 'voip_carrier_sid', OWNERS],
  },
  phoneNumbers: {
    list: ['phone_numbers', 'phone_number_sid', OWNERS],
    ofServiceProvider: ['phone_numbers', 'phone_number_sid', OWNERS],
  },
  audit: { list: ['switchroom_audit', 'seq', OWNERS] },
  msTeamsTenants: { list: ['ms_teams_tenants', 'ms_teams_tenant_sid', ['account_sid']] },
  lcrs: { list: ['lcr', 'lcr_sid', OWNERS] },
}

let t: TestApp
let samples: SampleData
beforeAll(async () => {
  t = await testApp()
  samples = await createSampleData(t)
  await addRun(t.db, { application_sid: samples.application, account_sid: t.sids.a1 })
  await addSuite(t.db, { application_sid: samples.application, account_sid: t.sids.a1! })
  await addFailure(t.db, { account_sid: t.sids.a1 })
  // rows of the provider itself, which the sample data lacks
  const { sp1: service_provider_sid } = t.sids
  await addFailure(t.db, { service_provider_sid })
  const sp1 = t.as('sp1')
  await sp1(api.providerSpeechCredentials.create, {
    params: { service_provider_sid },
    body: { vendor: 'soniox', api_key: 'x', use_for_stt: 1 },
  })
  await sp1(api.lcrs.create, { body: { name: 'shared', service_provider_sid } })
  for (const account_sid of [t.sids.a1, null]) {
    const about = { kind: 'environment', account_sid, service_provider_sid } as const
    const how = { method: 'OPTIONS', timeout_ms: 100, max_bytes: 100 } as const
    await (await sendLogged(t.ctx, about, 'http://127.0.0.1:1/', how)).written
  }
})
afterAll(() => t.close())

const everything = Object.entries(lists).flatMap(([group, of]) =>
  Object.entries<Line>(of).flatMap(([name, line]) => {
    const e = (api as Record<string, Group>)[group]![name]!
    if (typeof line === 'string') return []
    const [table, sid, owners] = line
    return [{ title: `${group}.${name}`, e, table, sid, owners }]
  }),
)

async function read(who: string, e: Endpoint) {
  const path = e.path
    .replace(':account_sid', t.sids.a1)
    .replace(':service_provider_sid', t.sids.sp1)
    .replace(':application_sid', samples.application)
  const answer = await t.request(who, 'GET', `${path}?page=1&page_size=100`)
  return {
    status: answer.statusCode,
    rows: answer.json().data as Record<string, unknown>[] | undefined,
  }
}

/** Swaps the rows of account a1 and provider sp1 with those of b1 and sp2. A second call swaps them back. */
async function swap(table: keyof Tables, owners: readonly string[]) {
  const pairs: Record<string, [string, string]> = {
    account_sid: [t.sids.a1, t.sids.b1],
    service_provider_sid: [t.sids.sp1, t.sids.sp2],
  }
  const assignments = owners.map((column) => {
    const [one, other] = pairs[column]!
    const ref = sql.ref(column)
    return sql`${ref} = case ${ref} when ${one} then ${other} when ${other} then ${one} else ${ref} end`
  })
  await unnoticed(t, () =>
    sql`update ${sql.table(table)} set ${sql.join(assignments)}`.execute(t.db),
  )
}

describe.each(everything)('$title', ({ e, table, sid, owners }) => {
  // an account sees itself, whatever its provider
  const callers = table === 'accounts' ? ['sp1'] : ['sp1', 'a1']
  it.each(callers)('shows %s no row that has left its scope', async (name) => {
    // a user or key that moves is another caller
    const who = table === 'users' ? `${name}-key` : name
    t.ctx.memory.listings.forget()
    const first = await read(who, e)
    // an account sees little or nothing of its provider's lists
    if (name === 'a1' && e.path.startsWith('/ServiceProviders') && !first.rows?.length) return
    expect(first.rows).not.toEqual([])
    await swap(table, owners)
    try {
      const moved = first.rows!.filter((row) =>
        owners.includes('account_sid') && row.account_sid
          ? row.account_sid === t.sids.a1
          : row.service_provider_sid === t.sids.sp1,
      )
      expect(moved).not.toEqual([])
      const { rows } = await read(who, e)
      const shown = rows!.map((row) => row[sid])
      for (const row of moved) expect(shown).not.toContain(row[sid])
    } finally {
      await swap(table, owners)
    }
  })
})
