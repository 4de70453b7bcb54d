import {
  api,
  CHANGED_BY_SPREADSHEET,
  DEFAULT_CARRIER_REQUIRED,
  type ImportProgress,
  MAX_ROUTES,
  NOT_A_REGEX,
  ROUTE_NEEDS_BOTH,
  ROUTE_TAKEN,
} from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
/** A table of account a1 with one route. */
let table: string
let own: string
beforeEach(async () => {
  t = await testApp()
  const carrier = async (who: string, body: { name: string; account_sid?: string | undefined }) =>
    (await t.as(who)(api.voipCarriers.create, { body })).sid
  own = await carrier('sp1', { name: 'Own', account_sid: t.sids.a1 })
  await carrier('sp1', { name: 'Shared' })
  await carrier('sp1', { name: 'Sibling', account_sid: t.sids.a2 })
  await carrier('sp2', { name: 'Foreign' })
  const { sid } = await t.as('sp1')(api.lcrs.create, {
    body: {
      name: 'Table',
      account_sid: t.sids.a1,
      default_carrier: own,
      routes: [{ regex: '^44', priority: 3, lcr_carrier_set_entries: [{ voip_carrier_sid: own }] }],
    },
  })
  table = sid
})
afterEach(() => t.close())

async function run(who: string, lines: string[], query = '', sid = table) {
  const csv = `pattern,description,priority,carrier,workload\n${lines.join('\n')}\n`
  const answer = await t.request(who, 'POST', `/Lcrs/${sid}/Routes/Import${query}`, csv)
  if (answer.statusCode !== 200) return { statusCode: answer.statusCode, msg: answer.json().msg }
  const last = JSON.parse(answer.body.trim().split('\n').at(-1)!) as ImportProgress
  return 'verdict' in last ? last.verdict : last
}
const problemsOf = async (lines: string[], who = 'sp1') => {
  const verdict = await run(who, lines)
  return 'problems' in verdict ? verdict.problems : verdict
}
const exported = async (who: string, sid = table) =>
  (await t.request(who, 'GET', `/Lcrs/${sid}/Routes/Export`)).body.trim().split('\r\n').slice(1)

it('adds routes after those of the table, each with its carriers', async () => {
  const lines = [
    '^49,Germany,,Own,',
    '^\\+33,France,7,Shared,2',
    '^49,,,shared,5',
    '^\\+33,,7,Own,',
    '^1,,,Own,',
  ]
  const before = await t.as('a1')(api.lcrs.view, { params: { lcr_sid: table } })
  expect(await run('a1', lines, '?dry_run=1')).toMatchObject({ added: 5, bad_rows: 0 })
  expect(await t.as('a1')(api.lcrs.view, { params: { lcr_sid: table } })).toEqual(before)
  expect(await run('a1', lines)).toEqual({ rows: 5, added: 5, bad_rows: 0, problems: [] })
  expect(await exported('a1')).toEqual([
    '^44,,3,Own,1',
    '^49,Germany,4,Own,1',
    '^49,Germany,4,Shared,5',
    '^\\+33,France,7,Shared,2',
    '^\\+33,France,7,Own,1',
    '^1,,8,Own,1',
  ])
  const after = await t.as('a1')(api.lcrs.view, { params: { lcr_sid: table } })
  expect(after.default_carrier).toBe(before.default_carrier)
  expect(after.routes[0]).toEqual(before.routes[0])
  // a change of the table
  const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, kind: 'lcr' } })
  expect(data.map((e) => [e.action, e.sid])).toEqual([
    ['update', table],
    ['create', table],
  ])
})

it('takes an export into another table', async () => {
  await run('a1', ['^49,Germany,,Shared,', '^1,,,Shared,9'])
  await t.as('sp1')(api.lcrs.update, { params: { lcr_sid: table }, body: { is_active: 1 } })
  const shared = (
    await t.as('sp1')(api.voipCarriers.list, { query: { page: 1, filter: 'Shared' } })
  ).data[0]!
  const { sid } = await t.as('sp1')(api.lcrs.create, {
    body: { account_sid: t.sids.a2, default_carrier: shared.voip_carrier_sid, routes: [] },
  })
  const lines = (await exported('a1')).filter((line) => line.includes('Shared'))
  expect(await run('sp1', lines, '', sid)).toMatchObject({ added: 2 })
  expect(await exported('a2', sid)).toEqual(lines)
})

it('refuses a pattern that a spreadsheet has made of digits', async () => {
  expect(await problemsOf(['4.41E+11,,,Own,', '44.0,,,Own,', '"4,41E+11",,,Own,'])).toEqual(
    [2, 3, 4].map((line) => ({ line, column: 'pattern', message: CHANGED_BY_SPREADSHEET })),
  )
  // digits, classes and anchors are patterns, and the API accepts what the platform accepts
  expect(await run('a1', ['49,,,Own,', '^1.*,,,Own,', '4[49].,,,Own,'])).toMatchObject({ added: 3 })
  const routes = [{ regex: '44.0', lcr_carrier_set_entries: [{ voip_carrier_sid: own }] }]
  const body = { routes, default_carrier: own }
  await t.as('sp1')(api.lcrs.update, { params: { lcr_sid: table }, body })
})

it('refuses what the table could not have, and names line and column', async () => {
  expect(
    await problemsOf([
      '^44,,,Own,',
      '^2,,,Sibling,',
      '^3,,,Foreign,',
      '^4,,,Nobody,',
      '^5,,,,',
      ',,,Own,',
      '(,,,Own,',
      '^6,,9999,Own,',
      '^7,,first,Own,',
      '^8,,,Own,',
      '^8,,,Own,',
      '^9,One,1,Own,',
      '^9,Two,1,Shared,',
      '^0,One,1,Own,',
      '^0,One,2,Shared,',
      `${'1'.repeat(33)},,,Own,`,
    ]),
  ).toEqual([
    { line: 2, column: 'pattern', message: ROUTE_TAKEN },
    { line: 3, column: 'carrier', message: 'No such carrier' },
    { line: 4, column: 'carrier', message: 'No such carrier' },
    { line: 5, column: 'carrier', message: 'No such carrier' },
    { line: 6, column: 'carrier', message: ROUTE_NEEDS_BOTH },
    { line: 7, column: 'pattern', message: ROUTE_NEEDS_BOTH },
    { line: 8, column: 'pattern', message: NOT_A_REGEX },
    { line: 9, column: 'priority', message: 'Priority can be at most 9998' },
    { line: 10, column: 'priority', message: 'Priority must be a number' },
    { line: 12, column: 'carrier', message: 'Duplicate of the carrier in line 11' },
    { line: 14, column: 'description', message: 'Differs from line 13 of the same route' },
    { line: 16, column: 'priority', message: 'Differs from line 15 of the same route' },
    { line: 17, column: 'pattern', message: 'Pattern can have at most 32 characters' },
  ])
  expect(await exported('a1')).toEqual(['^44,,3,Own,1'])
})

it('keeps room for no more routes and priorities than a table has', async () => {
  const many = Array.from({ length: MAX_ROUTES }, (_, i) => `^${i + 10_000},,,Own,`)
  expect(await problemsOf(many)).toEqual([
    { line: MAX_ROUTES + 1, column: 'pattern', message: `At most ${MAX_ROUTES} routes in a table` },
  ])
  expect(await run('sp1', many.slice(1))).toMatchObject({ added: MAX_ROUTES - 1 })
  const { lcr_route_sid } = (await t.as('sp1')(api.lcrs.view, { params: { lcr_sid: table } }))
    .routes[5]!
  await t.as('sp1')(api.lcrRoutes.update, { params: { lcr_route_sid }, body: { priority: 9998 } })
  await t.as('sp1')(api.lcrRoutes.remove, {
    params: {
      lcr_route_sid: (await t.as('sp1')(api.lcrs.view, { params: { lcr_sid: table } })).routes[0]!
        .lcr_route_sid,
    },
  })
  expect(await problemsOf(['^5,,,Own,'])).toEqual([
    { line: 2, column: 'priority', message: 'Priority can be at most 9998' },
  ])
})

it('is of the caller’s own tables only', async () => {
  const row = ['^5,,,Own,']
  for (const who of ['a2', 'b1', 'sp2']) {
    expect(await run(who, row)).toMatchObject({ statusCode: 404 })
    expect((await t.request(who, 'GET', `/Lcrs/${table}/Routes/Export`)).statusCode).toBe(404)
  }
  expect(await run('a1-viewer', row)).toMatchObject({ statusCode: 403 })
  expect(await exported('a1-viewer')).toEqual(['^44,,3,Own,1'])
})

it('needs a table with a default carrier', async () => {
  const { sid } = await t.as('sp1')(api.lcrs.create, { body: { account_sid: t.sids.a2 } })
  expect(await run('sp1', ['^5,,,Shared,'], '', sid)).toEqual({
    statusCode: 400,
    msg: DEFAULT_CARRIER_REQUIRED,
  })
})

it('adds nothing when somebody added one of its routes meanwhile', async () => {
  const racing = await Promise.all([run('sp1', ['^5,,,Own,']), run('a1', ['^5,,,Shared,'])])
  expect(racing.map((r) => ('added' in r ? r.added : r)).sort()).toEqual([0, 1])
  expect(await exported('a1')).toHaveLength(2)
})
