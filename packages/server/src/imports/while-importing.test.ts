import { api, type ImportProgress } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { recordStatements } from '../../test/statements.ts'
import { seal } from '../audit/seal.ts'
import { pendingEntries, verify } from '../audit/verify.ts'

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
  const linked = async () => (await verify(t.db)) as { whole: true; entries: number }
  await expect.poll(linked).toMatchObject({ whole: true, entries: ROWS })
  await t.close()
})

it('leaves nothing of a large file when its entries have no log to be linked to', async () => {
  const t = await testApp({}, undefined, undefined, { onFile: true })
  await t.db.deleteFrom('switchroom_audit_head').execute()
  const lines = Array.from({ length: 1_500 }, (_, i) => `${30_000_000_000 + i},a1`)
  const csv = `number,account\n${lines.join('\n')}\n`
  const { body } = await t.request('sp1', 'POST', '/PhoneNumbers/Import', csv)
  expect(body).toContain('{"msg":"Internal server error"}')
  for (const table of ['phone_numbers', 'switchroom_audit_pending'] as const)
    expect(await t.db.selectFrom(table).selectAll().execute()).toEqual([])
  await t.close()
})

it('lets others write while the entries of a large file are linked', async () => {
  const t = await testApp({}, undefined, undefined, { onFile: true })
  const { bulk } = t.ctx
  const written = Promise.withResolvers<void>()
  t.ctx.bulk = (work) =>
    bulk((transact, stage) =>
      work(async (of, options) => {
        const result = await transact(of, options)
        // between two batches of entries, so that one waits for sure
        if (work === (seal as unknown as typeof work)) await written.promise
        return result
      }, stage),
    )
  const lines = Array.from({ length: 10_000 }, (_, i) => `${30_000_000_000 + i},a1`)
  const csv = `number,account\n${lines.join('\n')}\n`
  expect((await t.request('sp1', 'POST', '/PhoneNumbers/Import', csv)).statusCode).toBe(200)
  await t.as('a1')(api.phoneNumbers.create, { body: { number: '15551230001' } })
  // its entry came before those of the file that were still waiting
  expect(await pendingEntries(t.db)).toBeGreaterThan(0)
  written.resolve()
  const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, filter: '15551230001' } })
  expect(data).toHaveLength(1)
  await expect.poll(() => pendingEntries(t.db)).toBe(0)
  expect(await verify(t.db)).toMatchObject({ whole: true, entries: 10_001 })
  await t.close()
})

it('refuses a file that others made invalid since its rows were checked', async () => {
  const t = await testApp({}, undefined, undefined, { onFile: true })
  const { bulk } = t.ctx
  t.ctx.bulk = async (work) => {
    await t.as('a1')(api.phoneNumbers.create, { body: { number: '15551230002' } })
    return bulk(work)
  }
  const lines = Array.from({ length: 1_500 }, (_, i) => `${15_551_230_001 + i},a1`)
  const csv = `number,account\n${lines.join('\n')}\n`
  const { body } = await t.request('sp1', 'POST', '/PhoneNumbers/Import', csv)
  expect(JSON.parse(body.trim().split('\n').at(-1)!)).toEqual({
    verdict: {
      rows: 1_500,
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

it.runIf(process.env.TEST_DATABASE === 'sqlite')(
  'keeps other writers out for a few statements, however many rows there are',
  async () => {
    const recorded = recordStatements()
    const t = await testApp({}, undefined, recorded.tracing, { onFile: true })
    await t.as('sp1')(api.voipCarriers.create, { body: { name: 'Trunk' } })
    /** The statements of the transaction that inserts so many numbers. */
    const turnOf = async (rows: number, first: number) => {
      const lines = Array.from({ length: rows }, (_, i) => `${first + i},a1,Trunk,of ${i}`)
      const csv = `number,account,carrier,description\n${lines.join('\n')}\n`
      const all = await recorded.during(async () => {
        const { body } = await t.request('sp1', 'POST', '/PhoneNumbers/Import', csv)
        expect(body).toContain(`"added":${rows}`)
        await expect.poll(() => pendingEntries(t.db)).toBe(0)
      })
      const inserted = all.findIndex((sql) => sql.startsWith('insert into `phone_numbers`'))
      const begun = all.lastIndexOf('begin', inserted)
      return all.slice(begun, all.indexOf('commit', begun) + 1)
    }
    const few = await turnOf(2_000, 30_000_000_000)
    const many = await turnOf(8_000, 40_000_000_000)
    expect(many).toEqual(few)
    expect(many.filter((sql) => sql.startsWith('insert into'))).toHaveLength(3)
    expect(many.length).toBeLessThan(15)
    const { data } = await t.as('a1')(api.phoneNumbers.list, {
      query: { page: 1, filter: '40000007999' },
    })
    expect(data).toMatchObject([{ number: '40000007999', description: 'of 7999' }])
    await t.close()
  },
)

// SQLite allows no other writer in the meantime
it.runIf(process.env.TEST_DATABASE === 'mysql')(
  'lets others add numbers with a carrier meanwhile, and refuses a file that has one of them',
  async () => {
    const recorded = recordStatements()
    const t = await testApp({}, undefined, recorded.tracing)
    const { sid } = await t.as('sp1')(api.voipCarriers.create, { body: { name: 'Trunk' } })
    // the rows were checked again, and are inserted next
    recorded.after = async (sql) => {
      if (!sql.startsWith('insert into `switchroom_audit_pending`')) return
      recorded.after = undefined
      for (const number of ['15551230002', '15559990000'])
        await t.as('sp1')(api.phoneNumbers.create, { body: { number, voip_carrier_sid: sid } })
    }
    const lines = Array.from({ length: 1_500 }, (_, i) => `${15_551_230_001 + i},a1,Trunk`)
    const csv = `number,account,carrier\n${lines.join('\n')}\n`
    const { body } = await t.request('sp1', 'POST', '/PhoneNumbers/Import', csv)
    expect(JSON.parse(body.trim().split('\n').at(-1)!)).toMatchObject({
      verdict: { added: 0, bad_rows: 1, problems: [{ line: 3, column: 'number' }] },
    })
    expect(await t.db.selectFrom('phone_numbers').select('number').execute()).toHaveLength(2)
    expect(await pendingEntries(t.db)).toBe(0)
    await t.close()
  },
)
