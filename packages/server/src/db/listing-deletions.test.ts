import { api } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { recordStatements } from '../../test/statements.ts'

/** Totals of a large table: counting it takes long. */
const recorded = recordStatements()
const CALLERS = ['admin', 'a1', 'a2'] as const
let t: TestApp
let numbers: Record<'a1' | 'a2', string[]>
let added = 0

const isWholeCount = (text: string) =>
  /count\(\*\)/.test(text) && /phone_numbers/.test(text) && !/phone_number_sid`?"? in \(/.test(text)

beforeAll(async () => {
  t = await testApp({}, undefined, recorded.tracing)
})
afterAll(() => t.close())

beforeEach(async () => {
  numbers = { a1: [], a2: [] }
  for (const who of ['a1', 'a2'] as const)
    for (let i = 0; i < 4; i++) {
      const body = { number: String(15_551_230_000 + ++added) }
      numbers[who].push((await t.as(who)(api.phoneNumbers.create, { body })).sid)
    }
  vi.useFakeTimers({ toFake: ['performance'] })
  t.ctx.memory.listings.forget()
  recorded.after = async (text) => {
    if (isWholeCount(text)) vi.advanceTimersByTime(100)
  }
  await totals()
})
afterEach(async () => {
  recorded.after = undefined
  vi.useRealTimers()
  await t.db.deleteFrom('phone_numbers').execute()
})

/** The total that each caller is shown, and how many of them were counted now. */
async function totals() {
  const shown: number[] = []
  const statements = await recorded.during(async () => {
    for (const who of CALLERS) {
      const query = { page: 1, page_size: 3 }
      shown.push((await t.as(who)(api.phoneNumbers.list, { query })).total)
    }
  })
  return { shown, counted: statements.filter(isWholeCount).length }
}

const remove = (who: string, phone_number_sid: string) =>
  t.as(who)(api.phoneNumbers.remove, { params: { phone_number_sid } })

it('are not counted again after a deletion', async () => {
  expect(await totals()).toEqual({ shown: [8, 4, 4], counted: 0 })
  await remove('a1', numbers.a1[0]!)
  expect(await totals()).toEqual({ shown: [7, 3, 4], counted: 0 })
  await remove('admin', numbers.a2[0]!)
  expect(await totals()).toEqual({ shown: [6, 3, 3], counted: 0 })
})

it('are not counted again after a deletion of several', async () => {
  const phone_number_sids = [...numbers.a1.slice(0, 3), numbers.a2[0]!]
  await t.as('admin')(api.phoneNumbers.removeMany, { body: { select: { phone_number_sids } } })
  expect(await totals()).toEqual({ shown: [4, 1, 3], counted: 0 })
})

it('stay as they are after a deletion that was refused', async () => {
  const { statusCode } = await t.request('a2', 'DELETE', `/PhoneNumbers/${numbers.a1[0]}`)
  expect(statusCode).toBe(404)
  expect(await totals()).toEqual({ shown: [8, 4, 4], counted: 0 })
})

it('are counted again if fewer were deleted than were named', async () => {
  const [sid] = numbers.a1
  await t.db.deleteFrom('phone_numbers').where('phone_number_sid', 'in', [sid!, 'none']).execute()
  expect(await totals()).toEqual({ shown: [7, 3, 4], counted: 3 })
})

it('are counted again after a deletion of which a part was undone', async () => {
  const [kept, gone] = numbers.a1
  await t.db.transaction().execute(async (tx) => {
    const of = (sid: string) => tx.deleteFrom('phone_numbers').where('phone_number_sid', '=', sid)
    await sql`savepoint one`.execute(tx)
    await of(kept!).execute()
    await sql`rollback to savepoint one`.execute(tx)
    await of(gone!).execute()
  })
  expect(await totals()).toEqual({ shown: [7, 3, 4], counted: 3 })
})

it('are right after rows that were added and deleted', async () => {
  const { sid } = await t.as('a1')(api.phoneNumbers.create, { body: { number: '15559990000' } })
  await remove('a1', sid)
  await remove('a1', numbers.a1[0]!)
  expect((await totals()).shown).toEqual([7, 3, 4])
})
