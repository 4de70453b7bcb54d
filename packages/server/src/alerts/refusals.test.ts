import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

it.each([
  ['missing or invalid "page" query arg', 'count=25', 'page'],
  ['missing or invalid "count" query arg', 'page=1&count=501', 'count'],
  ['Enter a whole number of days from 1 to 3650', 'page=1&count=1&days=x', 'days'],
  ['Enter a time, such as 2026-01-31T00:00:00Z', 'page=1&count=1&start=yesterday', 'start'],
  ['The end is before the start', 'page=1&count=1&start=2026-02-02&end=2026-02-01', 'end'],
  [
    'Alert type can have at most 128 characters',
    `page=1&count=1&alert_type=${'x'.repeat(129)}`,
    'alert_type',
  ],
])('says %s (%s)', async (msg, query, field) => {
  const answer = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/Alerts?${query}`)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ msg, issues: [{ path: [field] }] })
})
