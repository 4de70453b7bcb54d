import { API_KEY_KINDS, type ApiKeyKind, KIND_OF_GROUP, keysOf } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { allRows } from '../rows.ts'
import { sample } from '../trust.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

/** Calls every endpoint of the contract with API keys that must not reach it, of each owner in turn. */

let t: TestApp
let w: World
const keys: Record<string, string> = {}
const OWNERS = ['admin', 'sp1', 'a1'] as const
const KINDS = keysOf(API_KEY_KINDS)
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const ago = () => new Date(Date.now() - 60_000).toISOString()
beforeAll(async () => {
  t = await testApp()
  w = await createWorld(t)
  for (const owner of OWNERS) {
    keys[`${owner} read-only`] = await t.keyOf(owner, { view_only: 1 })
    for (const kind of KINDS) {
      keys[`${owner} only ${kind}`] = await t.keyOf(owner, { kinds: [kind] })
      const others = KINDS.filter((other) => other !== kind)
      keys[`${owner} all but ${kind}`] = await t.keyOf(owner, { kinds: others })
    }
    keys[`${owner} elsewhere`] = await t.keyOf(owner, { networks: ['203.0.113.0/24'] })
    keys[`${owner} expired`] = await t.keyOf(owner, {}, ago())
    keys[`${owner} expiring`] = await t.keyOf(owner, {}, inAnHour())
    keys[`${owner} limited to a kind`] = await t.keyOf(owner, { kinds: ['access'] })
    keys[`${owner} limited to a network`] = await t.keyOf(owner, { networks: ['127.0.0.0/8'] })
  }
})
afterAll(() => t.close())

const kindOf = (title: string): ApiKeyKind | 'any' =>
  (KIND_OF_GROUP as Record<string, ApiKeyKind | 'any'>)[title.split('.')[0]!]!

const closed = endpoints.filter(({ e }) => e.access !== 'public' && !e.hosted && !e.personOnly)
const writes = closed.filter(({ e }) => e.method !== 'GET')

type One = (typeof closed)[number]
/** Asks each of these with such a key, of another owner each time. Nothing may change. */
async function expectRefused(
  which: string | ((one: One) => string),
  refused: readonly One[],
  status: number,
) {
  const before = await allRows(t.db)
  for (const [index, one] of refused.entries())
    for (const owner of sample(OWNERS, 1, index)) {
      const key = `${owner} ${typeof which === 'string' ? which : which(one)}`
      const answer = await ask(t, keys[key]!, one.e, one.line, w)
      expect(answer.status, `${one.title} with the key ${key}: ${answer.body}`).toBe(status)
    }
  expect(await allRows(t.db)).toEqual(before)
}

it('that can only read are refused by every endpoint that writes', async () => {
  // endpoints open to view-only users change at most the user's own data
  await expectRefused(
    'read-only',
    writes.filter(({ e }) => !e.allowViewOnly),
    403,
  )
})

it('of all kinds but its own are refused by every endpoint', async () => {
  const ofKind = closed.filter(({ title }) => kindOf(title) !== 'any')
  expect(new Set(ofKind.map(({ title }) => kindOf(title)))).toEqual(new Set(KINDS))
  await expectRefused(({ title }) => `all but ${kindOf(title)}`, ofKind, 403)
})

it('of the right kind read what a whole key reads', async () => {
  const reads = closed.filter(({ e, title }) => e.method === 'GET' && kindOf(title) !== 'any')
  for (const [index, { title, e, line }] of reads.entries())
    for (const owner of sample(OWNERS, 1, index)) {
      const whole = await ask(t, `${owner}-key`, e, line, w)
      const limited = await ask(t, keys[`${owner} only ${kindOf(title)}`]!, e, line, w)
      expect(limited.status, `${title} for ${owner}: ${limited.body}`).toBe(whole.status)
    }
})

it.each(['expiring', 'limited to a kind', 'limited to a network'])(
  '%s give nobody access that has no such limit',
  async (which) => {
    const grants = writes.filter(({ e }) => e.grantsAccess)
    expect(grants.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'users.create',
        'users.update',
        'users.updateMany',
        'directories.create',
      ]),
    )
    await expectRefused(which, grants, 403)
  },
)

it.each([
  ['elsewhere', 403],
  ['expired', 401],
])('are refused everywhere when they are %s', async (which, status) => {
  await expectRefused(which, closed, status)
})
