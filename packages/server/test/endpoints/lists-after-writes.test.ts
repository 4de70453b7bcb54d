import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../app.ts'
import { chosen } from '../database.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { sample } from '../trust.ts'
import { ask, endpoints, type World } from './lines.ts'
import { byWorld, worlds } from './worlds.ts'

// Lists remember totals and positions, and forget tables that were written to. After each write through the API, each
// list shows the same as to somebody who has never read it.

const lists = endpoints.filter(({ e }) => e.list)
/** API keys: they outlive every session. */
const READERS = ['admin-key', 'sp1-key', 'a1-key']
const groupOf = ({ title }: { title: string }) => title.split('.')[0]!
const hasList = (group: string) => lists.some((list) => groupOf(list) === group)
/**
 * Lists to read after a write. Which are forgotten follows from the statement, before it is spelled for a database: on
 * MariaDB, the lists beside the write are enough.
 */
const listsAfter = (write: { title: string }) =>
  chosen === 'mysql' ? lists.filter((list) => groupOf(list) === groupOf(write)) : lists

const writes = endpoints
  .filter(({ e, line }) => (e.method !== 'GET' || e.mutatesWhen) && (line.answers ?? 200) < 300)
  .filter((write) => chosen !== 'mysql' || hasList(groupOf(write)))
  .map((write, index) => ({ ...write, readers: sample(READERS, 1, index) }))
  // reading as another caller takes a reading of its own
  .toSorted((a, b) => a.readers.join().localeCompare(b.readers.join()))

let stripe: StripeStandIn
/** The answers by list and caller. */
type Shown = Record<string, string>
type Reading = { lists: typeof lists; readers: string[] }
const servers = worlds(
  () => stripe,
  async (t) => {
    // providers in use are not deleted
    const { sid: empty } = await t.as('admin')(api.serviceProviders.create, {
      body: { name: 'empty' },
    })
    return { empty }
  },
)
/** Endpoints whose writes some list shows. */
const seen = new Set<string>()
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await servers.close()
  await stripe.close()
})

/** Reads lists as everybody who may; `known` tells who may. */
async function readAll(t: TestApp, w: World, { lists, readers }: Reading, known?: Shown) {
  const shown: Shown = {}
  for (const { title, e, line } of lists)
    for (const who of readers) {
      const name = `${title} for ${who}`
      if (known && known[name] === undefined) continue
      const query = () => ({ ...line.query?.(w), page: '1', page_size: '100' })
      const { status, body } = await ask(t, who, e, { ...line, query }, w)
      // reading by key is itself noted once a minute
      if (status === 200) shown[name] = body.replace(/"last_used":"[^"]*"/g, '')
      // a list that a write has closed; a refusal names its request
      else if (known) shown[name] = `${status}`
    }
  return shown
}

/** Lists as remembered since the last write, for a next one that reads the same. */
let remembered: { t: TestApp; reading: string; shown: Shown } | undefined

describe.each(byWorld(writes))('after $title', (endpoint) => {
  const { title, e, line, readers } = endpoint

  it('every list shows the truth at once', async () => {
    const { t, w, more, isNew } = await servers.for(endpoint)
    const reading = { lists: listsAfter(endpoint), readers }
    const name = `${readers} ${reading.lists.map((list) => list.title)}`
    const isRead = !isNew && remembered?.t === t && remembered.reading === name
    const before = isRead ? remembered!.shown : await readAll(t, w, reading)
    const mine = line.except?.includes('admin')
    const world = title === 'serviceProviders.remove' ? { ...w, sp: more.empty } : w
    const { status, body } = await ask(t, mine ? 'a1' : 'admin', e, line, world)
    expect(status, body).toBeLessThan(300)
    // work in the background would be another write
    await Promise.all([...t.ctx.memory.runs.values()].map(({ done }) => done))
    const after = await readAll(t, w, reading, before)
    t.ctx.memory.listings.forget()
    // which remembers all of them again
    const shown = await readAll(t, w, reading, before)
    remembered = { t, reading: name, shown }
    expect(after).toEqual(shown)
    if (JSON.stringify(after) !== JSON.stringify(before)) seen.add(title)
  })
})

it('has made most lists change', () => {
  // others write tables that no list shows
  expect(seen.size).toBeGreaterThan(chosen === 'mysql' ? 30 : 50)
})
