import { randomUUID } from 'node:crypto'
import type { Access } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { report } from '../trust.ts'
import { ask, createWorld, endpoints, missingSids, summary, type World } from './lines.ts'

/** Calls every endpoint of the contract as every kind of caller. */

const RANK: Record<Access, number> = { public: 0, account: 1, service_provider: 2, admin: 3 }
const rankOf = (who: string) => (who.startsWith('admin') ? 3 : who.startsWith('sp') ? 2 : 1)

const strangers = ['', 'revoked', 'expired', 'expired-key', 'deleted-key', 'not.a.token']

beforeEach(() => report({ part: 'every endpoint as every caller', tried: 1 }))

// the tests below trust `access`, so this checks that it is not too wide
it.each(endpoints)('$title is as open as its line says', ({ e, line }) => {
  expect(e.access === 'public').toBe(line.reach === 'public')
  if (line.reach === 'admin') expect(e.access).toBe('admin')
  if (line.reach === 'provider') expect(RANK[e.access]).toBeGreaterThanOrEqual(2)
})

it.each([
  ['hosted endpoints while the flag is off', '', 'hosted'],
  ['endpoints of single sign-on in the hosted variant', '1', 'selfHosted'],
] as const)('has no %s', async (_, ENABLE_HOSTED_SYSTEM, mark) => {
  const t = await testApp({ ENABLE_HOSTED_SYSTEM })
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
  await t.close()
})

let stripe: StripeStandIn
/** The server and the resources that endpoints share. */
let open: { of: string; t: TestApp; w: World } | undefined
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await open?.t.close()
  await stripe.close()
})

const worldOf = ({ title, e, line }: (typeof endpoints)[number]) => {
  if (line.destroys || line.alone) return title
  return e.hosted ? 'hosted' : 'shared'
}
const byWorld = Object.values(Object.groupBy(endpoints, worldOf)).flatMap((some) => some ?? [])

describe.each(byWorld)('$title', (endpoint) => {
  const { e, line } = endpoint
  let t: TestApp
  let w: World
  beforeAll(async () => {
    const of = worldOf(endpoint)
    if (open?.of !== of) {
      await open?.t.close()
      open = undefined
      const opened = await testApp(e.hosted && stripe.environment)
      open = { of, t: opened, w: await createWorld(opened) }
    }
    t = open.t
    w = open.w
  })

  if (line.except && line.reach === 'signed-in')
    it.each(['admin', 'sp1', 'sp1-key'])('is forbidden to %s', async (who) => {
      expect((await ask(t, who, e, line, w)).status).toBe(404)
    })

  const scoped = line.reach === 'account' || line.reach === 'shared' || line.reach === 'provider'

  if (e.access !== 'public')
    it.each(strangers)('needs a session (%s)', async (who) => {
      expect((await ask(t, who, e, line, w)).status).toBe(401)
    })

  if (scoped && line.foreign !== 201) {
    const outside =
      line.reach === 'shared'
        ? ['sp2', 'b1', 'b1-key', 'b1-viewer']
        : ['sp2', 'a2', 'b1', 'a2-key', 'sp2-key', 'sp2-viewer', 'a2-viewer']
    const reads = e.method === 'GET'
    const mayAsk = (who: string) =>
      rankOf(who) >= RANK[e.access] && (reads || !who.endsWith('-viewer'))
    it.each(outside.filter(mayAsk))('is not found for %s, nor is a missing sid', async (who) => {
      // what an account creates always belongs to it, despite the body
      const ownAnyway = e.method === 'POST' && !line.params && rankOf(who) === 1 && line.foreign
      const nobody = missingSids(w)
      const foreign = await ask(t, who, e, line, w)
      if (ownAnyway && foreign.status === 201) return
      expect(summary(foreign, w)).toBe(summary(await ask(t, who, e, line, nobody), nobody))
      if (foreign.status !== 201 && foreign.status < 400)
        throw new Error(`${who} reached it: ${foreign.status}`)
      // an answer that fails before it could tell is no refusal
      if (foreign.status === 500) throw new Error(`${who} made it fail`)
    })
  }

  if (RANK[e.access] > 1)
    it('is forbidden to lower roles', async () => {
      expect((await ask(t, 'a1', e, line, w)).status).toBe(403)
      if (e.access === 'admin') expect((await ask(t, 'sp1', e, line, w)).status).toBe(403)
    })

  if (e.method !== 'GET' && !e.allowViewOnly && e.access !== 'public')
    it.each(['admin-viewer', 'sp1-viewer', 'a1-viewer'])('changes nothing for %s', async (who) => {
      const answer = await ask(t, who, e, line, w)
      expect(answer.status).toBe(403)
      expect(answer.body).toContain('User has view-only access')
    })

  const full = ['admin', 'admin-key', 'sp1', 'sp1-key', 'a1', 'a1-key']
  const viewers = ['admin-viewer', 'sp1-viewer', 'a1-viewer']
  const inside = [...full, ...viewers].filter((who) => {
    if (rankOf(who) < RANK[e.access]) return false
    if (who.endsWith('-key') && e.personOnly) return false
    if (line.except?.some((owner) => who === owner || who.startsWith(`${owner}-`))) return false
    return !(who.endsWith('-viewer') && e.method !== 'GET')
  })
  // every change must be in the audit log
  const makes = e.method === 'POST' && e.status === 201
  const unmakes = e.method === 'DELETE' && line.destroys
  const byAdmin = !line.except?.includes('admin')
  if ((makes || unmakes) && byAdmin && e.access !== 'public')
    it('is in the audit log', async () => {
      const entries = () => t.db.selectFrom('switchroom_audit').select('seq').execute()
      const before = (await entries()).length
      const { status, body } = await ask(t, 'admin', e, line, w)
      // resources in use and the audit log remain
      const changed = status < 300
      if (!changed) expect(body).toContain('in_use')
      expect(await entries()).toHaveLength(changed ? before + 1 : before)
    })

  it.each(line.destroys ? [] : inside)('is open to %s', async (who) => {
    const { status, body } = await ask(t, who, e, line, w)
    expect(line.answers ? [line.answers] : [200, 201, 204], body).toContain(status)
  })
})
