import { API_KEY_KINDS, type ApiKeyKind, KIND_OF_GROUP, keysOf } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

/** Calls every endpoint of the contract with API keys that must not reach it. */

let t: TestApp
let w: World
const keys: Record<string, string> = {}
const OWNERS = ['admin', 'sp1', 'a1'] as const
beforeAll(async () => {
  t = await testApp()
  w = await createWorld(t)
  for (const owner of OWNERS) {
    keys[`${owner} read-only`] = await t.keyOf(owner, { view_only: 1 })
    for (const kind of keysOf(API_KEY_KINDS))
      keys[`${owner} ${kind}`] = await t.keyOf(owner, { kinds: [kind] })
    keys[`${owner} elsewhere`] = await t.keyOf(owner, { networks: ['203.0.113.0/24'] })
    const ago = new Date(Date.now() - 60_000).toISOString()
    keys[`${owner} expired`] = await t.keyOf(owner, {}, ago)
  }
})
afterAll(() => t.close())

const kindOf = (title: string): ApiKeyKind | 'any' =>
  (KIND_OF_GROUP as Record<string, ApiKeyKind | 'any'>)[title.split('.')[0]!]!

const closed = endpoints.filter(({ e }) => e.access !== 'public' && !e.hosted && !e.personOnly)

/** Everything in the database that a request could change, but when keys were used. */
async function state() {
  const tables = await t.db.introspection.getTables()
  const names = tables.map((table) => table.name).filter((name) => name !== 'switchroom_live')
  const rows: unknown[] = []
  for (const name of names) {
    const found = await t.db
      .selectFrom(name as 'users')
      .selectAll()
      .execute()
    rows.push([
      name,
      found.map((row) => JSON.stringify({ ...row, last_used: 0, last_used_ip: 0 })).sort(),
    ])
  }
  return JSON.stringify(rows)
}

describe.each(OWNERS)('a key of %s', (owner) => {
  const writes = closed.filter(({ e }) => e.method !== 'GET')

  it('that can only read is refused by every endpoint that writes', async () => {
    const before = await state()
    for (const { title, e, line } of writes) {
      const { status, body } = await ask(t, keys[`${owner} read-only`]!, e, line, w)
      // those that view-only users may call change at most what is the user's own
      if (!e.allowViewOnly) expect(status, `${title}: ${body}`).toBe(403)
    }
    expect(await state()).toBe(before)
  })

  it('of one kind is refused by every endpoint of another', async () => {
    const before = await state()
    for (const { title, e, line } of closed)
      for (const kind of keysOf(API_KEY_KINDS)) {
        if ([kind, 'any'].includes(kindOf(title))) continue
        const { status, body } = await ask(t, keys[`${owner} ${kind}`]!, e, line, w)
        expect(status, `${title} with a key for ${kind}: ${body}`).toBe(403)
      }
    expect(await state()).toBe(before)
  })

  it('of the right kind reads what a whole key reads', async () => {
    for (const { title, e, line } of closed.filter((one) => one.e.method === 'GET')) {
      const kind = kindOf(title)
      if (kind === 'any') continue
      const whole = await ask(t, `${owner}-key`, e, line, w)
      const limited = await ask(t, keys[`${owner} ${kind}`]!, e, line, w)
      expect(limited.status, `${title}: ${limited.body}`).toBe(whole.status)
    }
  })

  it('with an expiry or limits gives nobody access that has neither', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    const limited = [
      await t.keyOf(owner, {}, inAnHour),
      await t.keyOf(owner, { kinds: ['access'] }),
      await t.keyOf(owner, { networks: ['127.0.0.0/8'] }),
    ]
    const before = await state()
    const grants = writes.filter(({ e }) => e.grantsAccess)
    expect(grants.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'users.create',
        'users.update',
        'users.updateMany',
        'directories.create',
      ]),
    )
    for (const { title, e, line } of grants)
      for (const key of limited) {
        const { status, body } = await ask(t, key, e, line, w)
        expect(status, `${title}: ${body}`).toBe(403)
      }
    expect(await state()).toBe(before)
  })

  it.each([
    ['elsewhere', 403],
    ['expired', 401],
  ])('is refused everywhere when it is %s', async (which, status) => {
    for (const { title, e, line } of closed) {
      const answer = await ask(t, keys[`${owner} ${which}`]!, e, line, w)
      expect(answer.status, `${title}: ${answer.body}`).toBe(status)
    }
  })
})
