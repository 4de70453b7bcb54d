import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verify } from '../../src/audit/verify.ts'
import { type TestApp, testApp } from '../app.ts'
import { recordStatements } from '../statements.ts'
import { createWorld, type World } from './lines.ts'

/** Counts the statements of changes: of one alone, and of many at the same time, which share a transaction. */
const recorded = recordStatements()
let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp({}, undefined, recorded.tracing, { onFile: true })
  w = await createWorld(t)
})
afterAll(() => t.close())

const hook = (path: string) => ({ url: `https://example.com/${path}`, method: 'POST' as const })
const name = () => randomUUID()
let address = 0

type Change = {
  /** Alone, with what its transaction, its lock and its entry take, on MariaDB. */
  most: number
  /** What is done with the thing, without those. */
  own: number
  /** Adds what is changed, if each run changes its own. */
  add?: () => Promise<{ sid: string }>
  run: (sid: string) => Promise<unknown>
}
const addApplication = () =>
  t.as('a1')(api.applications.create, {
    body: { name: name(), call_hook: hook('a'), call_status_hook: hook('b') },
  })
let number = 442_079_470_000
const addNumber = () => t.as('a1')(api.phoneNumbers.create, { body: { number: String(number++) } })
const addClient = () => t.as('a1')(api.clients.create, { body: { username: name() } })

const CHANGES: Record<string, Change> = {
  'an application is added': { most: 7, own: 2, run: addApplication },
  'an application is updated': {
    most: 10,
    own: 3,
    run: () =>
      t.as('a1')(api.applications.update, {
        params: { application_sid: w.application },
        body: { speech_synthesis_voice: name() },
      }),
  },
  'an application is saved with the webhooks that it has': {
    most: 10,
    own: 3,
    add: addApplication,
    run: (application_sid) =>
      t.as('a1')(api.applications.update, {
        params: { application_sid },
        body: { call_hook: hook('a'), call_status_hook: hook('b'), speech_synthesis_voice: name() },
      }),
  },
  'an application is deleted': {
    most: 18,
    own: 11,
    add: addApplication,
    run: (application_sid) => t.as('a1')(api.applications.remove, { params: { application_sid } }),
  },
  'a carrier is added': {
    most: 6,
    own: 1,
    run: () => t.as('a1')(api.voipCarriers.create, { body: { name: name() } }),
  },
  'a carrier is updated': {
    most: 10,
    own: 3,
    run: () =>
      t.as('a1')(api.voipCarriers.update, {
        params: { voip_carrier_sid: w.carrier },
        body: { description: name() },
      }),
  },
  'a gateway is added': {
    most: 10,
    own: 3,
    run: () =>
      t.as('a1')(api.sipGateways.create, {
        body: {
          ipv4: `10.9.${address >> 8}.${address++ & 255}`,
          inbound: 1,
          outbound: 1,
          voip_carrier_sid: w.carrier,
        },
      }),
  },
  'a phone number is added': { most: 9, own: 1, run: addNumber },
  'a phone number is described': {
    most: 9,
    own: 2,
    run: () =>
      t.as('a1')(api.phoneNumbers.update, {
        params: { phone_number_sid: w.number },
        body: { description: name() },
      }),
  },
  'a phone number gets an application': {
    most: 10,
    own: 3,
    add: addNumber,
    run: (phone_number_sid) =>
      t.as('a1')(api.phoneNumbers.update, {
        params: { phone_number_sid },
        body: { application_sid: w.application },
      }),
  },
  'a phone number is deleted': {
    most: 10,
    own: 3,
    add: addNumber,
    run: (phone_number_sid) =>
      t.as('a1')(api.phoneNumbers.remove, { params: { phone_number_sid } }),
  },
  'an account is updated': {
    most: 11,
    own: 4,
    run: () =>
      t.as('a1')(api.accounts.update, {
        params: { account_sid: w.account },
        body: { name: name().slice(0, 8) },
      }),
  },
  'an account is added': {
    most: 11,
    own: 4,
    run: () =>
      t.as('admin')(api.accounts.create, { body: { name: name(), service_provider_sid: w.sp } }),
  },
  'a client is added': { most: 9, own: 2, run: addClient },
  'a client is updated': {
    most: 10,
    own: 3,
    add: addClient,
    run: (client_sid) =>
      t.as('a1')(api.clients.update, { params: { client_sid }, body: { password: name() } }),
  },
  'a client is deleted': {
    most: 9,
    own: 2,
    add: addClient,
    run: (client_sid) => t.as('a1')(api.clients.remove, { params: { client_sid } }),
  },
  'a user is renamed': {
    most: 13,
    own: 5,
    run: () =>
      t.as('admin')(api.users.update, { params: { user_sid: w.user }, body: { name: name() } }),
  },
}

const OF_MANY =
  /^begin|^commit|^savepoint|^release|get_lock|release_lock|switchroom_audit|lock_turns|switchroom_session_ends. as .e/
/** What each of a few transactions asks once, such as an account's provider. */
const ONCE = 8
const times = (statements: readonly string[], what: RegExp) =>
  statements.filter((text) => what.test(text)).length

describe.each(Object.entries(CHANGES))('when %s', (_, { most, own, add, run }) => {
  const things = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await add?.())?.sid ?? ''))
  it('takes few statements', async () => {
    const [first, second] = await things(2)
    await run(first!)
    const statements = await recorded.during(() => run(second!))
    const counted = statements.filter((text) => !/savepoint|session_ends/.test(text))
    expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(most)
  })

  it('shares what a transaction takes with 31 others', async () => {
    const all = await things(32)
    const statements = await recorded.during(() => Promise.all(all.map(run)))
    for (const shared of [/^begin/, /^commit/, /switchroom_audit_head. where/, /get_lock/])
      expect(times(statements, shared), `${shared}`).toBeLessThanOrEqual(6)
    const each = statements.filter((text) => !OF_MANY.test(text))
    expect(each.length, each.slice(0, 20).join('\n')).toBeLessThanOrEqual(32 * own + ONCE)
  })
})

it('leaves one entry for each of them, in one chain', async () => {
  const { entries } = (await verify(t.db)) as { entries: number }
  await Promise.all(Array.from({ length: 32 }, addApplication))
  expect(await verify(t.db)).toMatchObject({ whole: true, entries: entries + 32 })
})
