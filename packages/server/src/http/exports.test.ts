import { api, type Endpoint, fileOptions, IMPORT_KINDS, keysOf } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  const hook = { method: 'POST' as const, url: 'https://user:CANARY@example.com/a?token=CANARY' }
  await t.as('a1')(api.applications.create, {
    body: { name: 'Front; desk', call_hook: hook, call_status_hook: hook },
  })
})
afterAll(() => t.close())

const endpoints = Object.values(api).flatMap((group) => Object.values<Endpoint>(group))
const files = endpoints.filter((e) => e.file)

it('all let the caller choose how a file is written', () => {
  expect(files.length).toBeGreaterThan(10)
  for (const { path, query } of files)
    for (const option of keysOf(fileOptions))
      expect(query?.shape[option], path).toBe(fileOptions[option])
})

it('remember headings of every kind of import', () => {
  const kinds = endpoints.filter((e) => e.takesCsv).map((e) => e.path.split('/').at(-2))
  expect(kinds.sort()).toEqual([...IMPORT_KINDS])
})

const reads = files.filter((e) => e.method === 'GET' && !e.params)
it.each(reads.map((e) => e.path))('%s writes semicolons', async (path) => {
  const { body, statusCode } = await t.request('admin', 'GET', `${path}?separator=semicolon`)
  expect(statusCode, body).toBe(200)
  const [head] = body.split('\r\n')
  expect(head).toMatch(/^[a-z_]+(?:;[a-z0-9_]+)+$/)
})

it('name the time zone of their times in a column more', async () => {
  const file = (path: string) => t.request('a1', 'GET', `${path}?time_zone=Asia/Kolkata`)
  const log = (await file('/AuditLog/Export')).body.split('\r\n')
  expect(log[0]).toMatch(/^seq,at,.*,hash,time_zone$/)
  expect(log[1]).toMatch(/^\d+,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,.*,Asia\/Kolkata$/)
  const accounts = await t.request(
    'sp1',
    'GET',
    '/Accounts/Export?time_zone=Asia/Kolkata&columns=name,created_at',
  )
  expect(accounts.body).toMatch(/^name,created_at,time_zone\r\na1,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/)
  expect((await file('/Applications/Export')).body).not.toContain('time_zone')
})

it('refuse a separator and a zone that there are not', async () => {
  for (const query of ['separator=%7C', 'time_zone=Mars/Olympus', 'time_zone=%2B05:30'])
    expect((await t.request('a1', 'GET', `/Applications/Export?${query}`)).statusCode).toBe(400)
})

it('hide secrets of URLs from view-only users, and nothing behind them', async () => {
  const cells = async (who: string) => {
    const columns = 'columns=name,call_hook,record_all_calls'
    const path = `/Applications/Export?separator=semicolon&${columns}`
    return (await t.request(who, 'GET', path)).body.split('\r\n')[1]
  }
  expect(await cells('a1')).toBe('"Front; desk";https://user:CANARY@example.com/a?token=CANARY;0')
  expect(await cells('a1-viewer')).toBe('"Front; desk";https://***:***@example.com/a?token=***;0')
})
