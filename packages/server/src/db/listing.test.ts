import { afterEach, beforeEach, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { type ListingMemory, listing, listingMemory } from './listing.ts'

let t: Awaited<ReturnType<typeof testDatabase>>
let memory: ListingMemory
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
beforeEach(async () => {
  t = await testDatabase()
  memory = listingMemory()
  await t.db
    .insertInto('applications')
    .values(
      Array.from({ length: 43 }, (_, i) => ({
        application_sid: crypto.randomUUID(),
        name: `app ${String(i).padStart(2, '0')}`,
        account_sid: ACCOUNT,
        // three of a time each, so that ties are broken by the sid
        created_at: `2026-01-01 00:00:${String(Math.floor(i / 3)).padStart(2, '0')}`,
      })),
    )
    .execute()
})
afterEach(() => t.close())

let queries = 0
const apps = (sort: string, filter?: string) => {
  const all = t.db.selectFrom('applications')
  return listing({
    db: t.db,
    table: 'applications',
    sid: 'application_sid',
    sortable: ['name', 'created_at'],
    query: { sort },
    matching: filter ? all.where('name', 'like', filter) : all,
    rows: t.db.selectFrom('applications').selectAll(),
    present(rows) {
      queries++
      return rows
    },
  })
}
const shuffled = (n: number) =>
  Array.from({ length: n }, (_, i) => i + 1).sort((a, b) => ((a * 7) % n) - ((b * 7) % n))

it.each(['name', '-name', 'created_at', '-created_at'])(
  'pages by %s from anywhere',
  async (sort) => {
    const whole: string[] = []
    for await (const batch of apps(sort).all()) whole.push(...batch.map((a) => a.name))
    expect(whole).toHaveLength(43)
    expect(new Set(whole).size).toBe(43)
    for (const page of shuffled(9)) {
      const { data, total } = await apps(sort).page(page, 5, memory)
      expect(total).toBe(43)
      expect(data.map((a) => a.name)).toEqual(whole.slice((page - 1) * 5, page * 5))
    }
    expect((await apps(sort).page(10, 5, memory)).data).toEqual([])
  },
)

it('reads rows fresh, drops deleted ones, and recounts after the cache expires', async () => {
  const [first, second] = (await apps('name').page(1, 2, memory)).data
  await t.db
    .updateTable('applications')
    .set({ name: 'app 00!' })
    .where('application_sid', '=', first!.application_sid)
    .execute()
  await t.db
    .deleteFrom('applications')
    .where('application_sid', '=', second!.application_sid)
    .execute()
  const stale = await apps('name').page(1, 2, memory)
  expect(stale).toMatchObject({ total: 43, data: [{ name: 'app 00!' }] })
  memory.forget()
  expect(await apps('name').page(1, 2, memory)).toMatchObject({
    total: 42,
    data: [{ name: 'app 00!' }, { name: 'app 02' }],
  })
})

it('keeps the caches of two servers separate', async () => {
  expect((await apps('name').page(1, 2, memory)).total).toBe(43)
  await t.db.deleteFrom('applications').where('name', '=', 'app 00').execute()
  expect((await apps('name').page(1, 2, memory)).total).toBe(43)
  expect((await apps('name').page(1, 2, listingMemory())).total).toBe(42)
})

it('shares one read among concurrent requests for a page', async () => {
  await apps('name').page(1, 5, memory)
  queries = 0
  const pages = await Promise.all(Array.from({ length: 10 }, () => apps('name').page(1, 5, memory)))
  expect(queries).toBe(1)
  expect(new Set(pages.map((p) => p.data[0]!.name))).toEqual(new Set(['app 00']))
})

it('caches lists of different filters separately', async () => {
  expect((await apps('name', 'app 0%').page(1, 5, memory)).total).toBe(10)
  expect((await apps('name', 'app 1%').page(1, 5, memory)).total).toBe(10)
  expect((await apps('name', 'none').page(1, 5, memory)).total).toBe(0)
})
