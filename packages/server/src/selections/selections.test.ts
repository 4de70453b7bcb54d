import { api, type ProgressLine } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { pendingEntries, verify } from '../audit/verify.ts'
import { insertMany } from '../db/insert-many.ts'
import { Stopped } from '../http/progress.ts'

const ROWS = 3_000

let t: TestApp
beforeEach(async () => {
  t = await testApp({}, undefined, undefined, { onFile: true, ownApp: true })
  await insertMany(
    t.db,
    'phone_numbers',
    Array.from({ length: ROWS }, (_, i) => ({
      phone_number_sid: crypto.randomUUID(),
      number: String(30_000_000_000 + i),
      account_sid: t.sids.a1,
      voip_carrier_sid: null,
      application_sid: null,
      service_provider_sid: null,
    })),
  )
})
afterEach(() => t.close())

const headers = (who: string) => ({
  authorization: `Bearer ${t.bearer[who]}`,
  accept: 'application/x-ndjson, application/json',
  'content-type': 'application/json',
})
const ask = (body: object, who = 'sp1') =>
  t.app.inject({
    method: 'POST',
    url: '/v1/PhoneNumbers/Delete',
    headers: headers(who),
    payload: JSON.stringify(body),
  })
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ProgressLine)
const count = async () =>
  (await t.db.selectFrom('phone_numbers').select('phone_number_sid').execute()).length
const all = { select: { matching: {} } }

it('tells the progress of a large change, and its result after the commit', async () => {
  const { headers, body } = await ask(all)
  expect(headers['content-type']).toContain('application/x-ndjson')
  const lines = linesOf(body)
  expect(lines.at(-1)).toEqual({ result: { deleted: ROWS } })
  const progress = lines.slice(0, -1) as { done: number; rows: number }[]
  expect(progress.length).toBeGreaterThan(1)
  for (const { rows } of progress) expect(rows).toBe(ROWS)
  const done = progress.map((line) => line.done)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect(await count()).toBe(0)
  await expect.poll(() => pendingEntries(t.db)).toBe(0)
  expect(await verify(t.db)).toMatchObject({ whole: true, entries: ROWS })
})

it('answers at once what is small or refused, with its status', async () => {
  const { data } = await t.as('sp1')(api.phoneNumbers.list, { query: { page: 1, page_size: 2 } })
  const phone_number_sids = data.map((n) => n.phone_number_sid)
  const few = await ask({ select: { phone_number_sids } })
  expect(few.headers['content-type']).toContain('application/json')
  expect(few.json()).toEqual({ deleted: 2 })
  const again = await ask({ select: { phone_number_sids } })
  expect(again.statusCode).toBe(404)
  expect(again.json()).toMatchObject({
    msg: 'Nothing was changed: 2 of 2 phone numbers no longer exist',
  })
  expect((await ask(all, 'a1-viewer')).statusCode).toBe(403)
  expect((await ask(all, 'sp2')).json()).toEqual({ deleted: 0 })
})

it('says that a change failed that had begun, and keeps nothing of it', async () => {
  await t.db.deleteFrom('switchroom_audit_head').execute()
  const lines = linesOf((await ask(all)).body)
  expect(lines.at(-1)).toMatchObject({
    status: 500,
    error: { code: 'internal', msg: 'Internal server error' },
  })
  expect(lines.some((line) => 'result' in line)).toBe(false)
  expect(await count()).toBe(ROWS)
})

it('keeps nothing of a change whose reader has gone', async () => {
  const url = await t.app.listen({ port: 0 })
  const { bulk } = t.ctx
  let changing: Promise<unknown> | undefined
  t.ctx.bulk = (work) => {
    const running = bulk(work)
    changing = running
    return running
  }
  const leaving = new AbortController()
  const response = await fetch(`${url}/v1/PhoneNumbers/Delete`, {
    method: 'POST',
    headers: headers('sp1'),
    body: JSON.stringify(all),
    signal: leaving.signal,
  })
  await response.body!.getReader().read()
  leaving.abort()
  await expect(changing).rejects.toThrow(Stopped)
  expect(await count()).toBe(ROWS)
})

it('answers others while it changes many', async () => {
  let changing = true
  const changed = ask(all).finally(() => {
    changing = false
  })
  const totals: number[] = []
  while (changing) {
    const query = { page: 1, page_size: 1, filter: '3000' }
    const { total } = await t.as('a1')(api.phoneNumbers.list, { query })
    if (changing) totals.push(total)
    await new Promise(setImmediate)
  }
  await changed
  expect(totals.length).toBeGreaterThan(3)
  expect(totals.filter((total) => total !== 0 && total !== ROWS)).toEqual([])
})
