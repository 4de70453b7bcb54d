import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { addManyRows } from '../../../test/endpoints/many-rows.ts'
import { recordStatements } from '../../../test/statements.ts'
import { DAY_MS } from '../../http/latest-calls.ts'

/** Whole lists, as old clients ask for them, know the calls of their rows: they look none up for each. */
const recorded = recordStatements()
const NOW = Date.now()
let t: TestApp
beforeAll(async () => {
  t = await testApp({}, undefined, recorded.tracing)
  // a list of fewer than 500 joins them once it is known to be short
  await addManyRows(t, 12_000)
})
afterAll(() => t.close())

async function startCounting() {
  const watch = {
    id: 1,
    counted_since: NOW - 9 * DAY_MS,
    read_until: NOW,
    is_caught_up: 1,
  } as const
  const rest = { first_day: 0, late_slice: 0, swept_to: '', holder: '', leased_until: 0 }
  await t.db
    .insertInto('switchroom_call_watch')
    .values({ ...watch, ...rest })
    .execute()
  const account_sid = t.sids.a1!.toLowerCase()
  for (const [table, sid] of [
    ['phone_numbers', 'phone_number_sid'],
    ['clients', 'client_sid'],
    ['applications', 'application_sid'],
  ] as const) {
    const rows = await t.db.selectFrom(table).select(`${sid} as sid`).limit(20).execute()
    const counts = rows.map(({ sid }, i) => ({
      ...{ thing_sid: sid!, account_sid: i === 7 ? 'another' : account_sid },
      ...{ last_call_at: NOW - i * 1_000, calls_7d: i },
    }))
    await t.db.insertInto('switchroom_call_counts').values(counts).execute()
  }
}

type List = (typeof api)['phoneNumbers' | 'clients' | 'applications']['list']
const LISTS: [name: string, list: List, query: object][] = [
  ['phone numbers', api.phoneNumbers.list, {}],
  ['an account’s numbers', api.phoneNumbers.list, { filter: '1555' }],
  ['SIP clients', api.clients.list, {}],
  ['applications', api.applications.list, {}],
]

describe.each(LISTS)('all %s', (_, list, query) => {
  const whole = async () => {
    let rows: unknown
    const statements = await recorded.during(async () => {
      rows = await t.as('admin')(list, { query })
    })
    return { statements, rows: rows as { last_call_at: string | null }[] }
  }
  const counting = (statements: string[]) =>
    statements.filter((text) => text.includes('switchroom_call_counts'))

  it('ask nothing of calls while none are counted', async () => {
    await t.db.deleteFrom('switchroom_call_watch').execute()
    await t.db.deleteFrom('switchroom_call_counts').execute()
    const { statements, rows } = await whole()
    expect(counting(statements)).toEqual([])
    expect(rows.every((row) => row.last_call_at === null)).toBe(true)
  })

  it('ask for all calls once, and show them as a page does', async () => {
    await startCounting()
    let first: unknown
    const ofPage = await recorded.during(async () => {
      first = await t.as('admin')(list, { query: { ...query, page: 1, page_size: 100 } })
    })
    const lookUps = ofPage.join(' ').match(/switchroom_call_counts/g)
    expect(lookUps, 'once for each row').toHaveLength(1)
    const { statements, rows } = await whole()
    expect(counting(statements)).toHaveLength(1)
    expect(counting(statements)[0]).not.toMatch(/join|where/)
    const { data } = first as { data: unknown[] }
    expect(rows.slice(0, 100)).toEqual(data)
    expect(rows.filter((row) => row.last_call_at !== null)).toHaveLength(19)
  })
})
