import type { Endpoint } from '@switchroom/contract'
import { membersOf } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changes, readable } from '../../src/system/mcp/catalogue.ts'
import { type TestApp, testApp } from '../app.ts'
import { chosen } from '../database.ts'
import { MCP, tool } from '../mcp.ts'
import { sample } from '../trust.ts'
import { createWorld, endpoints, type Line, missingSids, type World } from './lines.ts'

/** Reads and changes through tools, as every kind of caller: they answer the same as the API. */

let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp(MCP)
  w = await createWorld(t)
})
afterAll(() => t.close())

const INSIDE = ['a1-key', 'sp1-key', 'admin-key', 'a1-viewer', 'admin']
const OUTSIDE = ['a2-key', 'b1-key', 'sp2-key', 'a2', 'sp2-viewer']
/** MariaDB gets the same conditions: there, one caller in turn shows that it understands them. */
const some = (callers: string[], index: number, most: number) =>
  sample(callers, chosen === 'mysql' ? 1 : most, index)

const lines = new Map(endpoints.map(({ title, e, line }) => [title, { e, line }]))
const withLines = <N extends { id: string }>(named: N[]) =>
  named.map((one, index) => ({ ...one, ...lines.get(one.id)!, title: one.id, index }))

/** The code of a refusal by the API, or undefined. */
async function refusedBy(who: string, e: Endpoint, line: Line, of: World) {
  const params = line.params?.(of) ?? {}
  const path = e.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key]!))
  const paged: Record<string, string> =
    'page' in (e.query?.shape ?? {}) ? { page: '1', [sizeOf(e)]: '25' } : {}
  const query = new URLSearchParams({ ...line.query?.(of), ...paged }).toString()
  const { statusCode, body } = await t.request(who, e.method, `${path}?${query}`, line.body?.(of))
  return statusCode < 300 ? undefined : String(membersOf(JSON.parse(body)).code)
}
const sizeOf = (e: Endpoint) => ('count' in (e.query?.shape ?? {}) ? 'count' : 'page_size')

const asked = (what: string, line: Line, of: World) => ({
  what,
  params: line.params?.(of) ?? {},
  ...(line.query && { query: line.query(of) }),
})

/** The code of a refusal. What is not offered to a caller, the tool itself refuses. */
const codeOf = ({ data, isError }: Awaited<ReturnType<typeof tool>>) =>
  isError ? String(data.code ?? 'not offered') : undefined
const isSame = (tooled: string | undefined, api: string | undefined) =>
  tooled === api || (tooled === 'not offered' && (api === 'forbidden' || api === 'not_found'))

describe.each(withLines(readable).filter(({ e }) => !e.hosted))(
  '$title',
  ({ id, e, line, index }) => {
    it('is read as the API lets it be read', async () => {
      for (const who of [...some(INSIDE, index, 2), ...some(OUTSIDE, index, 2)]) {
        const tooled = codeOf(await tool(t, who, 'read', asked(id, line, w)))
        const api = await refusedBy(who, e, line, w)
        expect(isSame(tooled, api), `${who}: ${tooled} instead of ${api}`).toBe(true)
      }
    })
  },
)

const owned = (line: Line) => ['account', 'shared', 'provider'].includes(line.reach)

describe.each(withLines(changes).filter(({ e }) => !e.hosted))(
  '$title',
  ({ id, line, does, index }) => {
    const plan = async (who: string, of: World) =>
      tool(t, who, 'plan_change', {
        what: id,
        params: line.params?.(of) ?? {},
        ...(line.body && { body: line.body(of) }),
      })

    if (owned(line))
      it('is not made by others, who learn nothing of it', async () => {
        const others = OUTSIDE.filter((who) => !who.endsWith('-viewer'))
        // accounts see what their provider shares
        const outside = line.reach === 'shared' ? ['sp2-key', 'b1-key'] : others
        for (const who of some(outside, index, 2)) {
          const outcome = async (of: World) => {
            const planned = await plan(who, of)
            if (planned.isError) return codeOf(planned)
            return codeOf(await tool(t, who, 'apply_change', { plan: planned.data.plan }))
          }
          const tooled = await outcome(w)
          // a resource added by an account is its own, whatever the body says
          if (does === 'create' && tooled === undefined) continue
          expect(tooled, who).toBeDefined()
          expect(tooled, who).toBe(await outcome(missingSids(w)))
        }
      })

    it('is planned by its owner, and changes nothing yet', async () => {
      const who = sample(['admin', 'admin-key'], 1, index)[0]!
      if (line.except?.includes('admin')) return
      const before = await t.db.selectFrom('switchroom_audit').select('seq').execute()
      const planned = await plan(who, w)
      expect(planned.isError, planned.text).toBe(false)
      const after = await t.db.selectFrom('switchroom_audit').select(['seq', 'name']).execute()
      expect(after.slice(before.length)).toMatchObject([{ name: 'plan_change' }])
    })
  },
)

/** Arguments of the other tools, about resources of account a1. */
const ASKED: Record<string, (w: World) => object> = {
  find: (w) => ({ text: w.number }),
  list_calls: (w) => ({ account_sid: w.account }),
  'list_calls of a provider': (w) => ({ service_provider_sid: w.sp }),
  explain_call: (w) => ({ call: w.number }),
  figures: (w) => ({ account_sid: w.account, parts: ['calls', 'anomalies', 'voice'] }),
  'figures of a provider': (w) => ({ service_provider_sid: w.sp }),
  explain_failures: (w) => ({ account_sid: w.account }),
  'explain_failures of a provider': (w) => ({ service_provider_sid: w.sp }),
  'explain_failures of a carrier': (w) => ({ voip_carrier_sid: w.carrier }),
  simulate_route: (w) => ({ account_sid: w.account, number: '4420' }),
  'simulate_route of a provider': (w) => ({ service_provider_sid: w.sp, number: '4420' }),
  try_application: (w) => ({ application_sid: w.application, run_sid: w.run }),
}

describe.each(Object.entries(ASKED))('%s', (title, args) => {
  const [name] = title.split(' ')
  const told = async (who: string, of: World) => {
    const { text } = await tool(t, who, name!, args(of))
    return Object.values(of)
      .reduce((rest, sid) => rest.replaceAll(sid, 'SID'), text)
      .replace(/"(?:request_id|at)":"[^"]*"/g, '')
  }

  it('tells others what it tells of nothing', async () => {
    // an account may name its own provider
    const below = title.includes('provider') ? [] : ['a2-key', 'a2']
    for (const who of [...below, 'b1-key', 'sp2-key', 'sp2'])
      expect(await told(who, w), who).toBe(await told(who, missingSids(w)))
  })

  // there are no calls here: the tool's own tests have some
  if (name !== 'explain_call')
    it('tells its owner and those above', async () => {
      const owners = title.includes('provider') ? ['sp1-key', 'admin-key'] : ['a1-key', 'sp1-key']
      for (const who of owners) {
        expect((await tool(t, who, name!, args(w))).isError, who).toBe(false)
        expect(await told(who, w), who).not.toContain('"code":"not_found"')
      }
    })
})

it('creates, updates and removes what it planned', async () => {
  const order = ['update', 'create', 'remove']
  const made = withLines(changes)
    .filter(({ e, line }) => !e.hosted && !line.except?.includes('admin'))
    .sort((a, b) => order.indexOf(a.does) - order.indexOf(b.does))
  for (const { id, line } of made) {
    const planned = await tool(t, 'admin', 'plan_change', {
      what: id,
      params: line.params?.(w) ?? {},
      ...(line.body && { body: line.body(w) }),
    })
    // an earlier removal took it along
    if (planned.isError) {
      expect(planned.data.code, id).toBe('not_found')
      continue
    }
    const { isError, data } = await tool(t, 'admin', 'apply_change', { plan: planned.data.plan })
    if (isError)
      expect(['in_use', 'conflict', 'vendor_failed'], `${id} ${data.refused}`).toContain(data.code)
  }
})
