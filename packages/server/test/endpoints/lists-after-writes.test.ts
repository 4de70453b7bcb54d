import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

// Lists remember totals and positions, and forget what was written to. After each write through the API, each
// list shows what it shows to somebody who has never asked.

const lists = endpoints.filter(({ e }) => e.list)
const writes = endpoints.filter(
  ({ e, line }) => (e.method !== 'GET' || e.mutatesWhen) && (line.answers ?? 200) < 300,
)
/** API keys: they outlive every session. */
const READERS = ['admin-key', 'sp1-key', 'a1-key']

let stripe: StripeStandIn
/** The server and the resources that endpoints share. */
let open: { of: string; t: TestApp; w: World; empty: string; shown: Shown } | undefined
/** Endpoints whose writes some list shows. */
const seen = new Set<string>()
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await open?.t.close()
  await stripe.close()
})

/** The answers by list and caller. */
type Shown = Record<string, string>

/** Reads every list as everybody who may; `known` tells who may. */
async function readAll(t: TestApp, w: World, known?: Shown) {
  const shown: Shown = {}
  for (const { title, e, line } of lists)
    for (const who of READERS) {
      const name = `${title} for ${who}`
      if (known && known[name] === undefined) continue
      const query = () => ({ ...line.query?.(w), page: '1', page_size: '100' })
      const { status, body } = await ask(t, who, e, { ...line, query }, w)
      // reading by key is itself noted once a minute
      if (status === 200) shown[name] = body.replace(/"last_used":"[^"]*"/g, '')
      // what a write has taken away; a refusal names its request
      else if (known) shown[name] = `${status}`
    }
  return shown
}

const worldOf = ({ title, e, line }: (typeof writes)[number]) => {
  if (line.destroys || line.alone) return title
  return e.hosted ? 'hosted' : 'shared'
}
const byWorld = Object.values(Object.groupBy(writes, worldOf)).flatMap((some) => some ?? [])

describe.each(byWorld)('after $title', (endpoint) => {
  const { title, e, line } = endpoint
  beforeAll(async () => {
    const of = worldOf(endpoint)
    if (open?.of === of) return
    await open?.t.close()
    open = undefined
    const t = await testApp(e.hosted && stripe.environment)
    const w = await createWorld(t)
    // providers in use are not deleted
    const { sid: empty } = await t.as('admin')(api.serviceProviders.create, {
      body: { name: 'empty' },
    })
    open = { of, t, w, empty, shown: await readAll(t, w) }
  })

  it('every list shows the truth at once', async () => {
    if (!open) throw new Error('There is no server')
    const { t, w, empty, shown: before } = open
    const mine = line.except?.includes('admin') || title === 'accounts.remove'
    const world = title === 'serviceProviders.remove' ? { ...w, sp: empty } : w
    const { status, body } = await ask(t, mine ? 'a1' : 'admin', e, line, world)
    expect(status, body).toBeLessThan(300)
    // what goes on in the background would be another write
    await Promise.all([...t.ctx.memory.runs.values()].map(({ done }) => done))
    const after = await readAll(t, w, before)
    t.ctx.memory.listings.forget()
    // which remembers all of them again
    open.shown = await readAll(t, w, before)
    expect(after).toEqual(open.shown)
    if (JSON.stringify(after) !== JSON.stringify(before)) seen.add(title)
  })
})

it('has made most lists change', () => {
  // others write what no list shows
  expect(seen.size).toBeGreaterThan(50)
})
