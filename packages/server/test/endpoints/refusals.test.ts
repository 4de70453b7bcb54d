import { randomUUID } from 'node:crypto'
import type { Access } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { allRows } from '../rows.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { report, sample } from '../trust.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

/** Calls every endpoint of the contract as those whom the server refuses before its handler. */

const RANK: Record<Access, number> = { public: 0, account: 1, service_provider: 2, admin: 3 }
const WITH_OLD_TOKENS = ['revoked', 'expired', 'expired-key', 'deleted-key', 'not.a.token']
const VIEWERS = ['admin-viewer', 'sp1-viewer', 'a1-viewer']

type Opened = { t: TestApp; w: World; before: Record<string, string[]> }
let stripe: StripeStandIn
let open: { plain: Opened; hosted: Opened }
const opened = async (environment: Record<string, string> = {}): Promise<Opened> => {
  const t = await testApp(environment)
  const w = await createWorld(t)
  return { t, w, before: await allRows(t.db) }
}
beforeAll(async () => {
  stripe = await stripeStandIn()
  open = { plain: await opened(), hosted: await opened(stripe.environment) }
})
afterAll(async () => {
  await open.plain.t.close()
  await open.hosted.t.close()
  await stripe.close()
})

beforeEach(() => report({ part: 'every endpoint as every caller', tried: 1 }))

// the other tests trust `access`, so this checks that it is not too wide
it.each(endpoints)('$title is as open as its line says', ({ e, line }) => {
  expect(e.access === 'public').toBe(line.reach === 'public')
  if (line.reach === 'admin') expect(e.access).toBe('admin')
  if (line.reach === 'provider') expect(RANK[e.access]).toBeGreaterThanOrEqual(2)
})

it.each([
  ['hosted endpoints while the flag is off', 'plain', 'hosted'],
  ['endpoints of single sign-on in the hosted variant', 'hosted', 'selfHosted'],
] as const)('has no %s', async (_, which, mark) => {
  const { t } = open[which]
  const absent = endpoints.filter((one) => one.e[mark])
  expect(absent.length).toBeGreaterThan(5)
  for (const { e, title } of absent) {
    const path = e.path.replace(/:\w+/g, randomUUID())
    const { statusCode } = await t.request('admin', e.method, path, e.body && {})
    expect(statusCode, title).toBe(404)
  }
  const described = (await t.app.inject('/openapi.json')).json().paths
  for (const { e } of absent)
    expect(described).not.toHaveProperty([e.path.replace(/:(\w+)/g, '{$1}')])
})

const closed = endpoints.filter(({ e }) => e.access !== 'public')

describe.each(closed.map((one, index) => ({ ...one, index })))('$title', ({ e, line, index }) => {
  const asked = (who: string) => {
    const { t, w } = e.hosted ? open.hosted : open.plain
    return ask(t, who, e, line, w)
  }

  it('needs a session', async () => {
    for (const who of ['', ...sample(WITH_OLD_TOKENS, 1, index)])
      expect((await asked(who)).status, who).toBe(401)
  })

  if (RANK[e.access] > 1)
    it('is forbidden to lower roles', async () => {
      expect((await asked('a1')).status).toBe(403)
      if (e.access === 'admin') expect((await asked('sp1')).status).toBe(403)
    })

  if (e.method !== 'GET' && !e.allowViewOnly)
    it('is forbidden to view-only users', async () => {
      for (const who of sample(VIEWERS, 1, index)) {
        const { status, body } = await asked(who)
        expect(status, who).toBe(403)
        expect(body).toContain('User has view-only access')
      }
    })
})

it.each(['plain', 'hosted'] as const)(
  'whoever was refused has changed nothing (%s)',
  async (which) => {
    const { t, before } = open[which]
    expect(await allRows(t.db)).toEqual(before)
  },
)
