import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { recordStatements } from '../statements.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

const lists = endpoints.filter(({ e }) => e.list)
/** Statements beyond those for its rows, however many rows there are, and why. */
const MORE: Record<string, { more: number; why: string }> = {
  'failures.list': { more: 3, why: 'names of users, applications and carriers, beside accounts' },
}
const CALLERS = ['admin', 'sp1', 'a1', 'admin-viewer', 'sp1-viewer', 'a1-viewer']

const recorded = recordStatements()
let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp({}, undefined, recorded.tracing)
  w = await createWorld(t)
  // several rows of everything, for the callers' own scopes as well
  await createWorld(t, 'a2')
  await createWorld(t, 'b1')
})
afterAll(() => t.close())

describe.each(lists)('$title', ({ title, e, line }) => {
  const read = (who: string, query: Record<string, string>) =>
    ask(t, who, e, { ...line, query: () => ({ ...line.query?.(w), ...query }) }, w)
  const whoMay = async () => {
    const may = []
    for (const who of CALLERS) if ((await read(who, {})).status === 200) may.push(who)
    return may
  }

  it('costs at most three statements, and one more for the first who asks', async () => {
    const statements = async (who: string) => {
      const all = await recorded.during(() => read(who, { page: '1', page_size: '25' }))
      // the caller is looked up once a second
      return all.filter((text) => !/switchroom_(?:sessions|session_ends|live)\b/.test(text))
    }
    // an owner in the path is looked up
    const more = (e.params ? 1 : 0) + (MORE[title]?.more ?? 0)
    for (const who of await whoMay()) {
      t.ctx.memory.listings.forget()
      const first = await statements(who)
      expect(first.length, first.join('\n')).toBeLessThanOrEqual(3 + more)
      const next = await statements(who)
      expect(next.length, next.join('\n')).toBeLessThanOrEqual(2 + more)
    }
  })

  it('has the same rows whole and by page', async () => {
    const callers = await whoMay()
    expect(callers.length).toBeGreaterThan(0)
    for (const who of callers) {
      const whole = (await read(who, {})).body
      const pages: string[] = []
      for (let page = 1; page === 1 || pages.at(-1) !== ''; page++) {
        const { body } = await read(who, { page: String(page), page_size: '2' })
        pages.push(/^\{"data":\[(.*)\],"total":/s.exec(body)![1]!)
      }
      expect(`[${pages.slice(0, -1).join(',')}]`).toBe(whole)
      // from memory, last page first
      const last = Math.max(1, pages.length - 1)
      const again = await read(who, { page: String(last), page_size: '2' })
      expect(again.body).toContain(pages.slice(0, -1).at(-1) ?? '')
    }
  })
})
