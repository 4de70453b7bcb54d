import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as destinations from '../src/alerts/alert-destinations/queries.ts'
import * as subscriptions from '../src/alerts/event-subscriptions/queries.ts'
import * as sipGateways from '../src/carriers/sip-gateways/queries.ts'
import * as smppGateways from '../src/carriers/smpp-gateways/queries.ts'
import * as carrierGateways from '../src/carriers/voip-carriers/gateways.ts'
import * as carriers from '../src/carriers/voip-carriers/queries.ts'
import * as carrierSmppGateways from '../src/carriers/voip-carriers/smpp-gateways.ts'
import { type Db, kindOf, type Tables } from '../src/db/open.ts'
import type { Scope } from '../src/http/scope.ts'
import { removeSecondFactors } from '../src/http/second-factor.ts'
import * as routing from '../src/routing/lcrs/queries.ts'
import * as numberWrites from '../src/routing/phone-numbers/writes.ts'
import * as credentials from '../src/speech/speech-credentials/queries.ts'
import * as accountRemoval from '../src/tenants/accounts/remove.ts'
import * as apiKeys from '../src/tenants/api-keys/queries.ts'
import * as limits from '../src/tenants/limits/queries.ts'
import { VIEW_ONLY } from '../src/users/token-claims.ts'
import * as userWrites from '../src/users/writes.ts'
import { type TestApp, testApp } from './app.ts'
import { allRows } from './rows.ts'
import { createSampleData } from './sample-data.ts'

// A row moves to another tenant after the check of its owner, before it is changed or deleted. Nothing of it
// may be then, and nothing below it.

let t: TestApp
let sample: Awaited<ReturnType<typeof createSampleData>>
beforeAll(async () => {
  t = await testApp()
  sample = await createSampleData(t)
  const { sid: number } = await t.as('a1')(api.phoneNumbers.create, {
    body: { number: '15550199', description: 'front desk' },
  })
  described = number
  // no number or route uses this one
  const gateway = { ipv4: '203.0.113.9', inbound: 1 as const, outbound: 1 as const }
  const { sid } = await t.as('a1')(api.voipCarriers.create, {
    body: {
      name: 'unused',
      smpp_system_id: 's',
      smpp_password: 'p',
      smpp_inbound_system_id: 's',
      smpp_inbound_password: 'p',
      sip_gateways: [gateway],
      smpp_gateways: [gateway],
    },
  })
  carrier = sid
  const { api_key_sid } = await t.db
    .selectFrom('api_keys')
    .select('api_key_sid')
    .where('account_sid', '=', t.sids.a1)
    .executeTakeFirstOrThrow()
  key = api_key_sid
  await userWrites.setPermission(t.db, account(), [t.users['a1-viewer']!], VIEW_ONLY, randomUUID)
  await t.db
    .insertInto('switchroom_alert_deliveries')
    .values({
      alert_destination_sid: sidOf('alertDestinations'),
      account_sid: t.sids.a1,
      alert_type: 'webhook-failure',
      delivery_sid: randomUUID(),
      claimed_at: 1,
      alert_at: 1,
      alert: '{}',
      attempts: 0,
      next_at: null,
    })
    .execute()
  await t.db
    .insertInto('switchroom_alert_marks')
    .values({ user_sid: sample.user, owner: t.sids.a1, seen_until: 1 })
    .execute()
  await t.db
    .insertInto('switchroom_recovery_codes')
    .values({ user_sid: sample.user, code_digest: 'x', created_at: '2026-01-01T00:00:00.000Z' })
    .execute()
})
afterAll(() => t.close())
let described: string
let carrier: string
let key: string

const person = { view_only: false, force_change: false, name: 'somebody' }
const account = (): Scope => ({
  ...person,
  role: 'account',
  account_sid: t.sids.a1,
  service_provider_sid: t.sids.sp1,
})
const provider = (): Scope => ({
  ...person,
  role: 'service_provider',
  service_provider_sid: t.sids.sp1,
})

const only = (name: string) => sample.paramsOf(name)[0]!
const sidOf = (name: string) => Object.values(only(name))[0]!

const SMPP_GATEWAY = {
  ipv4: '203.0.113.77',
  port: 2775,
  netmask: 32,
  use_tls: 0,
  is_primary: 1,
  inbound: 1,
  outbound: 1,
} as const

type Case = {
  title: string
  table: keyof Tables
  write: (db: Db, scope: Scope) => Promise<unknown>
  /** An account moves between providers; all else between accounts. */
  scope?: () => Scope
}

const cases: Case[] = [
  {
    title: 'a carrier',
    table: 'voip_carriers',
    write: (db, scope) => carriers.removeAll(db, t.ctx.schemaHas, scope, [carrier]),
  },
  {
    title: 'the SIP gateways of a carrier',
    table: 'voip_carriers',
    write: (db, scope) => carrierGateways.save(db, scope, carrier, [], 0),
  },
  {
    title: 'the SMPP gateways of a carrier',
    table: 'voip_carriers',
    write: (db, scope) => carrierSmppGateways.save(db, t.ctx.schemaHas, scope, carrier, []),
  },
  {
    title: 'a SIP gateway',
    table: 'voip_carriers',
    write: (db, scope) => sipGateways.remove(db, scope, sidOf('sipGateways')),
  },
  {
    title: 'an SMPP gateway',
    table: 'voip_carriers',
    write: (db, scope) => smppGateways.remove(db, scope, sidOf('smppGateways')),
  },
  {
    title: 'the change of a SIP gateway',
    table: 'voip_carriers',
    write: (db, scope) => carrierGateways.update(db, scope, sidOf('sipGateways'), { port: 5099 }),
  },
  {
    title: 'the change of an SMPP gateway',
    table: 'voip_carriers',
    write: (db, scope) =>
      carrierSmppGateways.update(db, scope, sidOf('smppGateways'), SMPP_GATEWAY),
  },
  {
    title: 'the change of a route',
    table: 'lcr',
    write: (db, scope) => routing.updateRoute(db, scope, sidOf('lcrRoutes'), { priority: 99 }),
  },
  {
    title: 'the change of a carrier of a route',
    table: 'lcr',
    write: (db, scope) =>
      routing.updateEntry(db, scope, sidOf('lcrCarrierSetEntries'), { workload: 99 }),
  },
  {
    title: 'the new description of a phone number',
    table: 'phone_numbers',
    write: (db, scope) => numberWrites.update(db, scope, described, { description: 'reception' }),
  },
  {
    title: 'a phone number',
    table: 'phone_numbers',
    write: (db, scope) => numberWrites.removeAll(db, scope, [described]),
  },
  {
    title: 'the description of a phone number',
    table: 'phone_numbers',
    write: (db, scope) => numberWrites.update(db, scope, described, { description: null }),
  },
  {
    title: 'a routing table',
    table: 'lcr',
    write: (db, scope) => routing.remove(db, scope, sample.table),
  },
  {
    title: 'a route',
    table: 'lcr',
    write: (db, scope) => routing.removeRoutes(db, scope, [sidOf('lcrRoutes')]),
  },
  {
    title: 'a carrier of a route',
    table: 'lcr',
    write: (db, scope) => routing.removeEntry(db, scope, sidOf('lcrCarrierSetEntries')),
  },
  {
    title: 'an alert destination',
    table: 'switchroom_alert_destinations',
    write: (db, scope) => destinations.remove(db, scope, sidOf('alertDestinations')),
  },
  {
    title: 'a webhook for events',
    table: 'switchroom_event_subscriptions',
    write: (db, scope) => subscriptions.remove(db, scope, sidOf('eventSubscriptions')),
  },
  {
    title: 'a speech service',
    table: 'speech_credentials',
    write: (db, scope) =>
      credentials.remove(db, scope, only('accountSpeechCredentials').speech_credential_sid!),
  },
  {
    title: 'an API key',
    table: 'api_keys',
    write: (db, scope) => apiKeys.remove(db, scope, key),
  },
  {
    title: 'a user',
    table: 'users',
    write: (db, scope) => userWrites.removeAll(db, scope, [sample.user]),
  },
  {
    title: 'the second factors of a user',
    table: 'users',
    write: (db, scope) => removeSecondFactors(db, scope, [sample.user]),
  },
  {
    title: 'the permissions of a user',
    table: 'users',
    write: (db, scope) =>
      userWrites.setPermission(db, scope, [t.users['a1-viewer']!], undefined, randomUUID),
  },
  {
    title: 'the full access of a user',
    table: 'users',
    write: (db, scope) => userWrites.setPermission(db, scope, [sample.user], VIEW_ONLY, randomUUID),
  },
  {
    title: 'an account',
    table: 'accounts',
    scope: provider,
    async write(db, scope) {
      const stored = await db
        .selectFrom('accounts')
        .selectAll()
        .where('account_sid', '=', t.sids.a1)
        .executeTakeFirstOrThrow()
      await accountRemoval.remove(db, t.ctx, scope, stored)
    },
  },
  {
    title: 'the limits of an account',
    table: 'accounts',
    scope: provider,
    write: (db, scope) => limits.remove(db, scope, { account_sid: t.sids.a1 }),
  },
]

const OWNERS = {
  account_sid: () => [t.sids.a1, t.sids.b1],
  service_provider_sid: () => [t.sids.sp1, t.sids.sp2],
} as const

/** Swaps the rows of account a1 and provider sp1 in a table with those of b1 and sp2. A second call swaps them back. */
async function swap(db: Db, table: keyof Tables) {
  const columns = Object.keys(OWNERS).filter(
    (column) =>
      t.ctx.schemaHas(table, column) && !(table === 'accounts' && column === 'account_sid'),
  ) as (keyof typeof OWNERS)[]
  const assignments = columns.map((column) => {
    const [one, other] = OWNERS[column]()
    const ref = sql.ref(column)
    return sql`${ref} = case ${ref} when ${one} then ${other} when ${other} then ${one} else ${ref} end`
  })
  await sql`update ${sql.table(table)} set ${sql.join(assignments)}`.execute(db)
}

class Undo extends Error {}

/** Rows of every table before and after a write in a transaction that is rolled back. */
async function written({ table, write }: Case, scope: Scope, moves: boolean) {
  const sqlite = kindOf(t.db) === 'sqlite'
  let before: Record<string, string[]> = {}
  let after: Record<string, string[]> = {}
  try {
    await t.db.transaction().execute(async (tx) => {
      // the check, from which on MariaDB shows this transaction the rows as they were
      await tx.selectFrom(table).selectAll().execute()
      // another process on MariaDB; SQLite has one writer at a time
      if (moves) await swap(sqlite ? tx : t.db, table)
      before = await allRows(tx)
      await write(tx, scope)
      after = await allRows(tx)
      throw new Undo()
    })
  } catch (e) {
    if (!(e instanceof Undo)) throw e
  } finally {
    if (moves && !sqlite) await swap(t.db, table)
  }
  return { before, after }
}

describe.each(cases)('$title', (of) => {
  const scope = of.scope ?? account

  it('is not touched once it is another tenant’s', async () => {
    const { before, after } = await written(of, scope(), true)
    expect(after).toEqual(before)
  })

  it('is written by its own tenant', async () => {
    const { before, after } = await written(of, scope(), false)
    expect(after).not.toEqual(before)
  })
})
