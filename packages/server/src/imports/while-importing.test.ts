import { api, type ImportProgress } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { verify } from '../audit/verify.ts'

const ROWS = 20_000

it('answers others while a file is imported, and shows them all of it or nothing', async () => {
  const t = await testApp({}, undefined, undefined, { onFile: true })
  const lines = Array.from({ length: ROWS }, (_, i) => `${30_000_000_000 + i},a1`)
  let importing = true
  const imported = t
    .request('sp1', 'POST', '/PhoneNumbers/Import', `number,account\n${lines.join('\n')}\n`)
    .finally(() => {
      importing = false
    })
  const totals: number[] = []
  while (importing) {
    const { total } = await t.as('a1')(api.phoneNumbers.list, {
      query: { page: 1, filter: '3000' },
    })
    if (importing) totals.push(total)
    await new Promise(setImmediate)
  }
  const last = JSON.parse((await imported).body.trim().split('\n').at(-1)!) as ImportProgress
  expect(last).toMatchObject({ verdict: { added: ROWS, bad_rows: 0 } })
  // one for every 500 rows that are checked or inserted, were it not for those that run at the same time
  expect(totals.length).toBeGreaterThan(ROWS / 500)
  expect(totals.filter((total) => total !== 0 && total !== ROWS)).toEqual([])
  expect(await verify(t.db)).toMatchObject({ whole: true, entries: ROWS })
  await t.close()
}, 60_000)

it('refuses a file that others made invalid since its rows were checked', async () => {
  const t = await testApp({}, undefined, undefined, { onFile: true })
  const bulk = t.ctx.bulk
  t.ctx.bulk = async (work, options) => {
    await t.as('a1')(api.phoneNumbers.create, { body: { number: '15551230002' } })
    return bulk(work, options)
  }
  const csv = 'number,account\n15551230001,a1\n15551230002,a1\n15551230003,a1\n'
  const { body } = await t.request('sp1', 'POST', '/PhoneNumbers/Import', csv)
  expect(JSON.parse(body.trim().split('\n').at(-1)!)).toEqual({
    verdict: {
      rows: 3,
      added: 0,
      bad_rows: 1,
      problems: [
        {
          line: 3,
          column: 'number',
          message: 'The phone number you have entered is already in use.',
        },
      ],
    },
  })
  const { total } = await t.as('a1')(api.phoneNumbers.list, { query: { page: 1 } })
  expect(total).toBe(1)
  await t.close()
})
