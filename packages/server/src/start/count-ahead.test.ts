import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { countAhead } from './count-ahead.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

it('counts all phone numbers and those of the first providers before anybody asks', async () => {
  const counted: string[] = []
  const watched = vi.spyOn(t.ctx.memory.listings, 'read')
  countAhead(t.db, t.ctx.memory)
  await expect.poll(() => watched.mock.calls.length).toBe(4)
  await Promise.all(watched.mock.results.map((result) => result.value))
  watched.mockImplementation(async (db, query) => {
    counted.push(query.sql)
    return (await db.executeQuery(query)).rows
  })
  for (const path of ['/PhoneNumbers', `/ServiceProviders/${t.sids.sp1}/PhoneNumbers`])
    expect((await t.request('admin', 'GET', `${path}?page=1&page_size=10`)).statusCode).toBe(200)
  expect(counted.filter((sql) => sql.includes('count(*)'))).toEqual([])
  expect(counted).toHaveLength(2)
})
