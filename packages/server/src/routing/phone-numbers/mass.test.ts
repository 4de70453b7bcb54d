import { api, type ImportProgress, type ImportVerdict } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { caseCount } from '../../../test/trust.ts'
import { verify } from '../../audit/verify.ts'

const hook = { url: 'https://example.com/hook', method: 'POST' as const }
let t: TestApp
let application: string
let foreign: string
let carrier: string
const newApplication = async (who: string, name: string) =>
  (
    await t.as(who)(api.applications.create, {
      body: { name, call_hook: hook, call_status_hook: hook },
    })
  ).sid
const newNumber = async (who: string, number: string) =>
  (await t.as(who)(api.phoneNumbers.create, { body: { number } })).sid

beforeAll(async () => {
  t = await testApp()
  application = await newApplication('a1', 'Front desk')
  foreign = await newApplication('a2', 'Elsewhere')
  carrier = (await t.as('sp1')(api.voipCarriers.create, { body: { name: 'Shared trunk' } })).sid
})
afterAll(() => t.close())

const stored = (sids: string[]) =>
  t.db
    .selectFrom('phone_numbers')
    .select(['phone_number_sid', 'application_sid'])
    .where('phone_number_sid', 'in', sids)
    .execute()

describe('many phone numbers at once', () => {
  let sids: string[]
  beforeAll(async () => {
    sids = []
    for (let i = 0; i < 30; i++) sids.push(await newNumber('a1', `4420700000${10 + i}`))
  })
  const assign = (who: string, body: object) => t.request(who, 'PUT', '/PhoneNumbers', body)
  const chosen = (phone_number_sids: string[], application_sid: string | null) => ({
    select: { phone_number_sids },
    application_sid,
  })

  it('get an application, with an audit entry each', async () => {
    const answer = await assign('a1', chosen(sids.slice(0, 3), application))
    expect(answer.json()).toEqual({ changed: 3 })
    expect((await stored(sids)).filter((n) => n.application_sid === application)).toHaveLength(3)
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid: sids[0]! } })
    expect(data[0]).toMatchObject({ action: 'update', after: { application_sid: application } })
    expect((await assign('a1', chosen(sids.slice(0, 3), application))).json()).toEqual({
      changed: 0,
    })
  })

  it('include all that match the filter, on every page', async () => {
    const select = { matching: { filter: '44207000001', account_sid: t.sids.a1 } }
    expect((await assign('sp1', { select, application_sid: application })).json()).toEqual({
      changed: 7,
    })
    expect(
      (await assign('a1', { select: { matching: {} }, application_sid: null })).json(),
    ).toEqual({ changed: 10 })
  })

  it('are all unchanged when one cannot use it, and each such number is named', async () => {
    const other = await newNumber('a2', '15551230000')
    const answer = await assign('sp1', chosen([sids[0]!, other], foreign))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      msg: 'Nothing was changed: 1 of 2 phone numbers cannot use this application',
      issues: [
        {
          path: ['phone_numbers', '44207000001' + '0'],
          message: 'The application belongs to a different account than this number',
        },
      ],
    })
    expect((await stored([other]))[0]!.application_sid).toBeNull()
  })

  it('are all unchanged when one is not visible to the caller', async () => {
    const other = await newNumber('b1', '15551230001')
    const answer = await assign('a1', chosen([sids[0]!, other], application))
    expect(answer.statusCode).toBe(404)
    expect((await stored([sids[0]!]))[0]!.application_sid).toBeNull()
    expect(
      (
        await assign('a1', {
          select: { matching: { filter: '15551230001' } },
          application_sid: application,
        })
      ).json(),
    ).toEqual({ changed: 0 })
  })

  it('move to another account without their applications, and are described', async () => {
    await assign('a1', chosen(sids.slice(0, 2), application))
    const move = { select: { phone_number_sids: sids.slice(0, 2) }, account_sid: t.sids.a2 }
    expect((await assign('a1', move)).json()).toMatchObject({
      issues: [{ path: ['account_sid'] }],
    })
    const answer = await assign('sp1', { ...move, description: 'moved' })
    expect(answer.json()).toEqual({ changed: 2 })
    const { data } = await t.as('a2')(api.phoneNumbers.list, {
      query: { page: 1, filter: '44207000001' },
    })
    expect(data).toMatchObject(
      sids.slice(0, 2).map((phone_number_sid) => ({
        phone_number_sid,
        account_sid: t.sids.a2,
        service_provider_sid: null,
        application_sid: null,
        description: 'moved',
      })),
    )
    const back = { ...move, account_sid: t.sids.a1, application_sid: application, description: '' }
    expect((await assign('sp1', back)).json()).toEqual({ changed: 2 })
    expect((await stored(sids.slice(0, 2))).map((n) => n.application_sid)).toEqual([
      application,
      application,
    ])
    expect(
      await t.as('a1')(api.phoneNumbers.view, { params: { phone_number_sid: sids[0]! } }),
    ).toMatchObject({ description: null })
    await assign('a1', chosen(sids, null))
  })

  it('stay where they are when the account cannot use the carrier of one', async () => {
    const own = (await t.as('a1')(api.voipCarriers.create, { body: { name: 'Own trunk' } })).sid
    const body = { number: '15551230002', voip_carrier_sid: own }
    const { sid } = await t.as('a1')(api.phoneNumbers.create, { body })
    const answer = await assign('sp1', {
      select: { phone_number_sids: [sids[0]!, sid] },
      account_sid: t.sids.a2,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      msg: 'Nothing was changed: 1 of 2 phone numbers have a carrier that this account cannot use',
      issues: [{ path: ['phone_numbers', '15551230002'] }],
    })
    await expect(
      t.as('a1')(api.phoneNumbers.view, { params: { phone_number_sid: sids[0]! } }),
    ).resolves.toMatchObject({ account_sid: t.sids.a1 })
    for (const account_sid of [t.sids.b1, crypto.randomUUID()])
      expect(
        (await assign('sp1', { select: { phone_number_sids: [sids[0]!] }, account_sid })).json()
          .issues[0].path,
      ).toEqual(['account_sid'])
  })

  it('move to another carrier, which has each number once', async () => {
    const add = async (who: string, name: string) =>
      (await t.as(who)(api.voipCarriers.create, { body: { name } })).sid
    const [from, to, own] = [
      await add('sp1', 'From'),
      await add('sp1', 'To'),
      await add('a2', 'Own of a2'),
    ]
    for (const n of [0, 1])
      await t.as('sp1')(api.phoneNumbers.create, {
        body: { number: `442070000130${n}`, voip_carrier_sid: from, account_sid: t.sids.a1! },
      })
    const select = { matching: { voip_carrier_sid: from } }
    const move = (voip_carrier_sid: string) => assign('sp1', { select, voip_carrier_sid })
    expect((await move(own)).json()).toMatchObject({
      msg: 'Nothing was changed: 2 of 2 phone numbers cannot use this carrier',
    })
    expect((await move(crypto.randomUUID())).json().issues[0].path).toEqual(['voip_carrier_sid'])
    const twice = await t.as('sp1')(api.phoneNumbers.create, {
      body: { number: '4420700001300', voip_carrier_sid: to },
    })
    expect((await move(to)).json()).toMatchObject({
      msg: 'Nothing was changed: 1 of 2 phone numbers are already with this carrier',
      issues: [{ path: ['phone_numbers', '4420700001300'] }],
    })
    await t.as('sp1')(api.phoneNumbers.remove, { params: { phone_number_sid: twice.sid } })
    expect((await move(to)).json()).toEqual({ changed: 2 })
    expect((await move(to)).json()).toEqual({ changed: 0 })
    const query = { page: 1, voip_carrier_sid: to }
    expect((await t.as('a1')(api.phoneNumbers.list, { query })).total).toBe(2)
    expect((await t.as('a2')(api.phoneNumbers.list, { query })).total).toBe(0)
  })

  it('are exported as chosen, and deleted with an audit entry each', async () => {
    const three: string[] = []
    for (const n of [0, 1, 2]) three.push(await newNumber('a1', `4420700001${10 + n}`))
    const select = { phone_number_sids: three.slice(0, 2) }
    const file = await t.request('a1-viewer', 'POST', '/PhoneNumbers/Export', { select })
    expect(file.body).toBe(
      'number,account,carrier,application,description\r\n442070000110,a1,,,\r\n442070000111,a1,,,\r\n',
    )
    const remove = (who: string, body: object) =>
      t.request(who, 'POST', '/PhoneNumbers/Delete', body)
    expect((await remove('a2', { select })).statusCode).toBe(404)
    expect((await remove('a1-viewer', { select })).statusCode).toBe(403)
    expect((await remove('a1', { select })).json()).toEqual({ deleted: 2 })
    expect(await stored(three)).toMatchObject([{ phone_number_sid: three[2] }])
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid: three[0]! } })
    expect(data[0]).toMatchObject({ action: 'delete', before: { number: '442070000110' } })
    const elsewhere = { filter: '44207000011', service_provider_sid: t.sids.sp2! }
    expect((await remove('a1', { select: { matching: elsewhere } })).json()).toEqual({ deleted: 0 })
    const matching = { filter: '44207000011', account_sid: t.sids.a1! }
    expect((await remove('sp1', { select: { matching } })).json()).toEqual({ deleted: 1 })
  })

  it('need a selection and an existing application', async () => {
    expect((await assign('a1', { select: { phone_number_sids: sids } })).statusCode).toBe(400)
    expect((await assign('a1', chosen([], null))).statusCode).toBe(400)
    expect((await assign('a1', chosen(sids.slice(0, 1), foreign))).json().issues[0].path).toEqual([
      'application_sid',
    ])
    expect((await assign('a1-viewer', chosen(sids, null))).statusCode).toBe(403)
  })
})

const lines = (body: string) =>
  body
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l) as ImportProgress)
async function load(who: string, csv: string, dry = false): Promise<ImportVerdict> {
  const answer = await t.request(who, 'POST', `/PhoneNumbers/Import${dry ? '?dry_run=1' : ''}`, csv)
  expect(answer.statusCode, answer.body).toBe(200)
  const last = lines(answer.body).at(-1)!
  if (!('verdict' in last)) throw new Error(JSON.stringify(last))
  return last.verdict
}
const count = async () =>
  (await t.db.selectFrom('phone_numbers').select('phone_number_sid').execute()).length

describe('phone numbers as CSV', () => {
  const head = 'number,carrier,account,application,description'

  it('are imported completely, after a dry run with the same result', async () => {
    const csv = `${head}\r\n+44 (0)20 7946-1000,Shared trunk,a1,front desk,Reception\r\n'+442079461001,${carrier},a1,,"a, b"\r\n442079461002,,,,\r\n`
    const before = await count()
    const dry = await load('sp1', csv, true)
    expect(dry).toEqual({ rows: 3, added: 3, problems: [], bad_rows: 0 })
    expect(await count()).toBe(before)
    expect(await load('sp1', csv)).toEqual(dry)
    expect(await count()).toBe(before + 3)
    const { data } = await t.as('sp1')(api.phoneNumbers.list, {
      query: { page: 1, filter: '4420794610' },
    })
    expect(data).toMatchObject([
      {
        number: '442079461000',
        voip_carrier_sid: carrier,
        account_name: 'a1',
        application_name: 'Front desk',
        description: 'Reception',
      },
      { number: '442079461001', voip_carrier_name: 'Shared trunk', description: 'a, b' },
      { number: '442079461002', account_sid: null, service_provider_sid: t.sids.sp1 },
    ])
    const again = await load('sp1', csv)
    expect(again).toMatchObject({ added: 0, bad_rows: 3 })
    expect(again.problems[0]).toEqual({
      line: 2,
      column: 'number',
      message: 'The phone number you have entered is already in use.',
    })
  })

  it('are not imported when a row is invalid, and every such line is named', async () => {
    const csv = [
      head,
      '15550001111,,a1,,',
      '155 000,,a1,,',
      '15550002222,,nobody,,',
      '15550003333,,b1,,',
      '15550004444,,a1,Elsewhere,',
      '15550001111,,a1,,',
      ',,a1,,',
    ].join('\n')
    const before = await count()
    const expected = {
      rows: 7,
      added: 0,
      bad_rows: 6,
      problems: [
        { line: 3, column: 'number', message: 'The phone number cannot contain spaces' },
        { line: 4, column: 'account', message: 'No such account' },
        { line: 5, column: 'account', message: 'No such account' },
        { line: 6, column: 'application', message: 'No such application' },
        { line: 7, column: 'number', message: 'Duplicate of the number in line 2' },
        { line: 8, column: 'number', message: 'Enter the phone number' },
      ],
    }
    expect(await load('sp1', csv, true)).toEqual(expected)
    expect(await load('sp1', csv)).toEqual(expected)
    expect(await count()).toBe(before)
  })

  it.each([
    ['nothing', '', 'This file has no rows'],
    ['only names', 'number\n', 'This file has no rows'],
    [
      'a column of another file',
      'number,colour\n1,red\n',
      'Unknown column "colour". The columns are number, account, carrier, application, description',
    ],
    [
      'a row that is too short',
      'number,account\n1\n',
      'This row does not have one cell per column',
    ],
    ['an open quote', 'number\n"1\n', 'A quote is not closed'],
    ['NUL', 'number,description\n1,a\0b\n', 'This text contains characters that cannot be stored'],
  ])('are rejected as %s', async (_, csv, message) => {
    expect((await load('sp1', csv)).problems[0]!.message).toBe(message)
  })

  it.each([
    '15085550105.0',
    '1.5085550106',
    '15085550105,0',
    '+15085550105.0',
    '4.41E+11',
    '4,41E+11',
    '4e11',
  ])('are rejected as %s, which a spreadsheet made of a number', async (number) => {
    expect(await load('sp1', `number;account\n${number};a1\n`, true)).toMatchObject({
      added: 0,
      problems: [
        {
          line: 2,
          column: 'number',
          message:
            'This looks like a number that a spreadsheet has changed. Format the column as text and enter it again',
        },
      ],
    })
  })

  it('are patterns only where they say so, and else as people write numbers', async () => {
    const wanted = {
      '1508*': '1508*',
      '^1508\\d{7}$': '^1508\\d{7}$',
      '1508....': '1508....',
      '150[89]': '150[89]',
      '*97': '*97',
      '01.23.45.67.81': '0123456781',
      '1-508-555-0182': '15085550182',
      '0711/5550183': '07115550183',
      '+49\u00a030 555\u200b0184': '49305550184',
      "'0305550185": '0305550185',
    }
    expect(await load('a1', `number\n${Object.keys(wanted).join('\n')}\n`)).toMatchObject({
      problems: [],
    })
    const stored = t.db.selectFrom('phone_numbers').select('number')
    expect((await stored.execute()).map((n) => n.number)).toEqual(
      expect.arrayContaining(Object.values(wanted)),
    )
    expect(await load('a1', 'number\n1.2.3\n', true)).toMatchObject({
      problems: [{ message: expect.stringContaining('or a pattern such as 1508*') }],
    })
  })

  it('are taken from programs as the platform takes them', async () => {
    const sid = await newNumber('a1', '1.5085550106')
    expect(
      await t.as('a1')(api.phoneNumbers.view, { params: { phone_number_sid: sid } }),
    ).toMatchObject({ number: '1.5085550106' })
  })

  it('go only to accounts of the caller', async () => {
    expect((await load('a1', 'number,account\n15559990000,a2\n')).problems[0]!.message).toBe(
      'No such account',
    )
    expect(await load('a1', 'number\n15559990000\n')).toMatchObject({ added: 1 })
    expect(
      await t.db
        .selectFrom('phone_numbers')
        .select('account_sid')
        .where('number', '=', '15559990000')
        .execute(),
    ).toEqual([{ account_sid: t.sids.a1 }])
    expect(
      (await t.request('a1-viewer', 'POST', '/PhoneNumbers/Import', 'number\n1\n')).statusCode,
    ).toBe(403)
  })

  it('are exported as they are imported', async () => {
    const csv = (await t.request('a1', 'GET', '/PhoneNumbers/Export?filter=4420794610')).body
    expect(csv).toBe(
      'number,account,carrier,application,description\r\n442079461000,a1,Shared trunk,Front desk,Reception\r\n442079461001,a1,Shared trunk,,"a, b"\r\n',
    )
    await t.db.deleteFrom('phone_numbers').where('number', 'like', '4420794610%').execute()
    expect(await load('sp1', csv)).toMatchObject({ added: 2, bad_rows: 0 })
  })

  it('are exported without formulas, and import unchanged', async () => {
    const description = '=cmd|calc'
    await t.as('a1')(api.phoneNumbers.create, { body: { number: '442079461900', description } })
    const { body } = await t.request('a1', 'GET', '/PhoneNumbers/Export?filter=442079461900')
    expect(body).toContain(",'=cmd|calc\r\n")
    await t.db.deleteFrom('phone_numbers').where('number', '=', '442079461900').execute()
    expect(await load('a1', body)).toMatchObject({ added: 1 })
    const { data } = await t.as('a1')(api.phoneNumbers.list, {
      query: { page: 1, filter: '442079461900' },
    })
    expect(data).toMatchObject([{ description }])
  })

  it('are imported by the thousand, with progress', async () => {
    const many = caseCount(10_000, 100_000)
    const rows = Array.from(
      { length: many },
      (_, i) => `${30_000_000_000 + i},a1,Shared trunk,Front desk,`,
    )
    const answer = await t.request(
      'sp1',
      'POST',
      '/PhoneNumbers/Import',
      `number,account,carrier,application,description\n${rows.join('\n')}\n`,
    )
    const progress = lines(answer.body)
    expect(progress.at(-1)).toEqual({
      verdict: { rows: many, added: many, problems: [], bad_rows: 0 },
    })
    expect(progress.length).toBeGreaterThan(10)
    expect(await verify(t.db)).toMatchObject({ whole: true })
  }, 120_000)
})
