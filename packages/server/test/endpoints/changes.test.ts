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
  /** Statements for the change itself. */
  own: number
  run: () => Promise<unknown>
}
const CHANGES: Record<string, Change> = {
  'an application is added': {
    most: 7,
    own: 2,
    run: () =>
      t.as('a1')(api.applications.create, {
        body: { name: name(), call_hook: hook('a'), call_status_hook: hook('b') },
      }),
  },
  'an application is updated': {
    most: 12,
    own: 4,
    run: () =>
      t.as('a1')(api.applications.update, {
        params: { application_sid: w.application },
        body: { speech_synthesis_voice: name() },
      }),
  },
  'a carrier is added': {
    most: 6,
    own: 1,
    run: () => t.as('a1')(api.voipCarriers.create, { body: { name: name() } }),
  },
  'a carrier is updated': {
    most: 14,
    own: 6,
    run: () =>
      t.as('a1')(api.voipCarriers.update, {
        params: { voip_carrier_sid: w.carrier },
        body: { description: name() },
      }),
  },
  'a gateway is added': {
    most: 13,
    own: 5,
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
  'a phone number is updated': {
    most: 14,
    own: 6,
    run: () =>
      t.as('a1')(api.phoneNumbers.update, {
        params: { phone_number_sid: w.number },
        body: { description: name() },
      }),
  },
  'an account is updated': {
    most: 13,
    own: 5,
    run: () =>
      t.as('a1')(api.accounts.update, {
        params: { account_sid: w.account },
        body: { name: name().slice(0, 8) },
      }),
  },
  'a client is added': {
    most: 10,
    own: 3,
    run: () => t.as('a1')(api.clients.create, { body: { username: name() } }),
  },
}

const OF_MANY =
  /^begin|^commit|^savepoint|^release|get_lock|release_lock|switchroom_audit|lock_turns|switchroom_session_ends. as .e/
/** Statements that each of a few transactions runs once, such as for an account's provider. */
const ONCE = 8
const times = (statements: readonly string[], what: RegExp) =>
  statements.filter((text) => what.test(text)).length

describe.each(Object.entries(CHANGES))('when %s', (_, { most, own, run }) => {
  it('takes few statements', async () => {
    await run()
    const statements = await recorded.during(run)
    const counted = statements.filter((text) => !/savepoint|session_ends/.test(text))
    expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(most)
  })

  it('shares what a transaction takes with 31 others', async () => {
    const statements = await recorded.during(() => Promise.all(Array.from({ length: 32 }, run)))
    for (const shared of [/^begin/, /^commit/, /switchroom_audit_head. where/, /get_lock/])
      expect(times(statements, shared), `${shared}`).toBeLessThanOrEqual(6)
    const each = statements.filter((text) => !OF_MANY.test(text))
    expect(each.length, each.slice(0, 20).join('\n')).toBeLessThanOrEqual(32 * own + ONCE)
  })
})

it('leaves one entry for each of them, in one chain', async () => {
  const { entries } = (await verify(t.db)) as { entries: number }
  await Promise.all(Array.from({ length: 32 }, CHANGES['an application is added']!.run))
  expect(await verify(t.db)).toMatchObject({ whole: true, entries: entries + 32 })
})
