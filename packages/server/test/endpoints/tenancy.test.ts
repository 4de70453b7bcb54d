import type { Access } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chosen } from '../database.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { report, sample } from '../trust.ts'
import { ask, endpoints, missingSids, summary, type World } from './lines.ts'
import { byWorld, worlds } from './worlds.ts'

/**
 * Calls every endpoint of the contract as every kind of caller that reaches its handler.
 * `refusals.test.ts` has the others.
 */

const RANK: Record<Access, number> = { public: 0, account: 1, service_provider: 2, admin: 3 }
const rankOf = (who: string) => (who.startsWith('admin') ? 3 : who.startsWith('sp') ? 2 : 1)
const isUser = (who: string) => !/-(?:key|viewer)$/.test(who)

/**
 * All users, and in turn one of their keys and view-only users, which have the same scope. MariaDB
 * gets the same conditions as SQLite: there, one or two callers in turn show that it understands
 * them.
 */
const someOf = (callers: string[], index: number) =>
  chosen === 'mysql'
    ? sample(callers, 1, index)
    : [
        ...callers.filter(isUser),
        ...sample(
          callers.filter((who) => !isUser(who)),
          1,
          index,
        ),
      ]

let stripe: StripeStandIn
const servers = worlds(() => stripe)
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await servers.close()
  await stripe.close()
})

const reportTried = (callers: string[]) =>
  report({ part: 'every endpoint as every caller', tried: callers.length })

/** Callers of an endpoint, by the response they should get. */
function callersFor({ e, line, index }: (typeof endpoints)[number] & { index: number }) {
  const reads = e.method === 'GET'
  const may = (who: string) => rankOf(who) >= RANK[e.access] && (reads || !who.endsWith('-viewer'))
  const isScoped = ['account', 'shared', 'provider'].includes(line.reach) && line.foreign !== 201
  const others =
    line.reach === 'shared'
      ? ['sp2', 'b1', 'b1-key', 'b1-viewer']
      : ['sp2', 'a2', 'b1', 'a2-key', 'sp2-key', 'sp2-viewer', 'a2-viewer']
  const full = ['admin', 'admin-key', 'sp1', 'sp1-key', 'a1', 'a1-key']
  const inside = [...full, 'admin-viewer', 'sp1-viewer', 'a1-viewer']
    .filter((who) => may(who) && !(who.endsWith('-key') && e.personOnly))
    .filter((who) => !line.except?.some((owner) => who === owner || who.startsWith(`${owner}-`)))
  // every change must be in the audit log
  const makes = e.method === 'POST' && e.status === 201
  const unmakes = e.method === 'DELETE' && line.destroys
  return {
    outside: isScoped ? someOf(others.filter(may), index) : [],
    except: line.except && line.reach === 'signed-in' ? ['admin', 'sp1', 'sp1-key'] : [],
    inside: line.destroys ? [] : someOf(inside, index),
    isAudited: (makes || unmakes) && !line.except?.includes('admin') && e.access !== 'public',
  }
}

const all = endpoints
  .map((one, index) => ({ ...one, ...callersFor({ ...one, index }) }))
  // the others end the caller's own session or key, or are the caller's own
  .filter((one) => one.isAudited || [one.outside, one.except, one.inside].some((who) => who.length))

describe.each(byWorld(all))('$title', (one) => {
  const { e, line, outside, except, inside, isAudited } = one
  let t: Awaited<ReturnType<typeof servers.for>>['t']
  let w: World
  beforeAll(async () => {
    ;({ t, w } = await servers.for(one))
  })

  if (except.length > 0)
    it('is not found for administrators and providers', async () => {
      for (const who of except) expect((await ask(t, who, e, line, w)).status, who).toBe(404)
    })

  if (outside.length > 0)
    it('is not found for others, nor is a missing sid', async () => {
      for (const who of outside) await expectUnreachable(who)
      reportTried(outside)
    })

  async function expectUnreachable(who: string) {
    // a resource created by an account always belongs to it, despite the body
    const ownAnyway = e.method === 'POST' && !line.params && rankOf(who) === 1 && line.foreign
    const nobody = missingSids(w)
    const foreign = await ask(t, who, e, line, w)
    if (ownAnyway && foreign.status === 201) return
    const missing = await ask(t, who, e, line, nobody)
    expect(summary(foreign, w), who).toBe(summary(missing, nobody))
    if (foreign.status !== 201 && foreign.status < 400)
      throw new Error(`${who} reached it: ${foreign.status}`)
    // an answer that fails before it could tell is no refusal
    if (foreign.status === 500) throw new Error(`${who} made it fail`)
  }

  if (isAudited)
    it('is in the audit log', async () => {
      const entries = () => t.db.selectFrom('switchroom_audit').select('seq').execute()
      const before = (await entries()).length
      const { status, body } = await ask(t, 'admin', e, line, w)
      // resources in use and the audit log remain
      const changed = status < 300
      if (!changed) expect(body).toContain('in_use')
      expect(await entries()).toHaveLength(changed ? before + 1 : before)
    })

  if (inside.length > 0)
    it('is open to its callers', async () => {
      for (const who of inside) {
        const { status, body } = await ask(t, who, e, line, w)
        expect(line.answers ? [line.answers] : [200, 201, 204], `${who} ${body}`).toContain(status)
      }
      reportTried(inside)
    })
})
