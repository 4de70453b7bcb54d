import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

it.each([
  ['missing or invalid "page" query arg', 'count=25', 'page'],
  ['missing or invalid "page" query arg', 'page=0&count=25', 'page'],
  ['missing or invalid "count" query arg', 'page=1', 'count'],
  ['missing or invalid "count" query arg', 'page=1&count=501', 'count'],
  ['Enter a whole number of days from 1 to 3650', 'page=1&count=1&days=x', 'days'],
  ['Enter a whole number of days from 1 to 3650', 'page=1&count=1&days=1.5', 'days'],
  ['Enter a time, such as 2026-01-31T00:00:00Z', 'page=1&count=1&start=yesterday', 'start'],
  ['Enter a time, such as 2026-01-31T00:00:00Z', 'page=1&count=1&end=2026-02-31', 'end'],
  ['The end is before the start', 'page=1&count=1&start=2026-02-02&end=2026-02-01', 'end'],
  [
    'Filter can have at most 1000 characters',
    `page=1&count=1&filter=${'x'.repeat(1_001)}`,
    'filter',
  ],
  ['Enter 1 to 15 digits', 'page=1&count=1&prefix=%2B44', 'prefix'],
])('says %s (%s)', async (msg, query, field) => {
  const answer = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/RecentCalls?${query}`)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ msg, issues: [{ path: [field] }] })
})

it.each([
  ['Enter inbound or outbound', 'direction=up', 'direction'],
  ['Enter true, false, known or unknown', 'answered=maybe', 'answered'],
])('says %s of a file, which the platform does not have (%s)', async (msg, query, field) => {
  const answer = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/RecentCalls/Export?${query}`)
  expect(answer.json()).toMatchObject({ msg, issues: [{ path: [field] }] })
})

it('names the members that a record can be without', async () => {
  const answer = await t.request(
    'a1',
    'GET',
    `/Accounts/${t.sids.a1}/RecentCalls?page=1&count=1&missing=trunk,host`,
  )
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({
    msg: 'Enter members of a call that may be missing, separated by commas',
    issues: [{ path: ['missing', 1] }],
  })
})

it('refuses a time zone that does not exist', async () => {
  const path = `/Accounts/${t.sids.a1}/CallFigures?days=1&time_zone=`
  const answer = await t.request('a1', 'GET', `${path}Mars/Olympus`)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({
    msg: 'Enter a time zone, such as Europe/Berlin',
    issues: [{ path: ['time_zone'] }],
  })
  expect((await t.request('a1', 'GET', `${path}Asia/Kolkata`)).statusCode).toBe(200)
})
