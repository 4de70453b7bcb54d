import { api, CHANGED_BY_SPREADSHEET, type ImportProgress, MASK } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function runImport(who: string, path: string, csv: string) {
  const answer = await t.request(who, 'POST', path, csv)
  if (answer.statusCode !== 200) return answer.json()
  const last = JSON.parse(answer.body.trim().split('\n').at(-1)!) as ImportProgress
  return 'verdict' in last ? last.verdict : last
}
const ok = (n: number) => ({ rows: n, added: n, bad_rows: 0, problems: [] })
const withoutQuery = (path: string) => path.replace(/\?.*/, '')

describe.each([
  {
    what: 'accounts',
    who: 'sp1',
    path: '/Accounts/Import',
    good: 'name,sip_realm,registration_hook\nEast,East.example.com,https://example.com/reg\nWest,,ws://example.com/reg\n',
    bad: 'name,sip_realm,registration_hook\nEast,x.example.com,\nNorth,east.example.com,\nSouth,not a realm,\nSouth,,ftp://x\nSame,,\nsame,,\n',
    problems: [
      {
        line: 2,
        column: 'name',
        message: 'The name you have entered is already in use on another one of your accounts.',
      },
      {
        line: 3,
        column: 'sip_realm',
        message:
          'The SIP Realm you have entered is already in use on another one of your accounts.',
      },
      { line: 4, column: 'sip_realm', message: 'Enter a domain name, such as sip.example.com' },
      {
        line: 5,
        column: 'registration_hook',
        message: 'The URL must begin with http://, https://, ws:// or wss://',
      },
      { line: 7, column: 'name', message: 'Duplicate of the name in line 6' },
    ],
  },
  {
    what: 'applications',
    who: 'sp1',
    path: '/Applications/Import',
    good: 'name,account,call_hook,call_status_hook,speech_synthesis_voice\nFront,a1,https://example.com/c,https://example.com/s,en-US-X\nBack,a2,wss://example.com/c,wss://example.com/c,\n',
    bad: 'name,account,call_hook,call_status_hook\nfront,a1,https://example.com/c,https://example.com/s\nx,nobody,https://e.com,https://e.com\ny,,https://e.com,https://e.com\nz,a1,e.com,https://e.com\nw,b1,https://e.com,https://e.com\n',
    problems: [
      {
        line: 2,
        column: 'name',
        message: 'The name you have entered is already in use on another one of your applications.',
      },
      { line: 3, column: 'account', message: 'No such account' },
      { line: 4, column: 'account', message: 'Enter the account' },
      { line: 5, column: 'call_hook', message: 'Enter a valid URL' },
      { line: 6, column: 'account', message: 'No such account' },
    ],
  },
  {
    what: 'SIP clients',
    who: 'sp1',
    path: '/Clients/Import',
    good: 'username,account,password,is_active\njane,a1,CANARY-1,0\njane,a2,=CANARY-2,\n',
    bad: 'username,account,password\nJane,a1,x\nbob,a1,\nbob smith,a1,x\nbob,a1,x\nBob,a1,x\n',
    problems: [
      { line: 2, column: 'username', message: "the client's username already exists" },
      { line: 3, column: 'password', message: 'Enter the password' },
      { line: 4, column: 'username', message: 'The username cannot contain spaces' },
      { line: 6, column: 'username', message: 'Duplicate of the username in line 5' },
    ],
  },
])('$what as CSV', ({ who, path, good, bad, problems }) => {
  it('predict the import in a dry run', async () => {
    const rows = good.trim().split('\n').length - 1
    expect(await runImport(who, `${path}?dry_run=1`, good)).toEqual(ok(rows))
    expect(await runImport(who, path, good)).toEqual(ok(rows))
    expect(await runImport(who, path, good)).toMatchObject({ added: 0, bad_rows: rows })
  })

  it('are not imported when a row is invalid, with a message for each', async () => {
    const dry = await runImport(who, `${path}?dry_run=1`, bad)
    expect(dry).toMatchObject({ added: 0, problems })
    expect(await runImport(who, path, bad)).toEqual(dry)
  })

  it('cannot be imported by a view-only user', async () => {
    expect((await t.request('sp1-viewer', 'POST', withoutQuery(path), good)).statusCode).toBe(403)
  })
})

it('leave nothing behind when they fail', async () => {
  const head = await t.db.selectFrom('switchroom_audit_head').selectAll().executeTakeFirstOrThrow()
  // the log is written last, in the same transaction
  await t.db.deleteFrom('switchroom_audit_head').execute()
  const csv = 'username,account,password\nhalfway,a1,x\n'
  expect(await runImport('sp1', '/Clients/Import', csv)).toEqual({
    msg: 'Internal server error',
  })
  await t.db.insertInto('switchroom_audit_head').values(head).execute()
  const left = t.db.selectFrom('clients').select('username').where('username', '=', 'halfway')
  expect(await left.execute()).toEqual([])
})

describe('a hostile file', () => {
  const wide = Array.from({ length: 1_000_000 }, (_, i) => `c${i}`).join(',')
  it.each([
    ['a million columns', `${wide}\nx\n`, 1, 'This row is too long'],
    ['a million cells', `username,account,password\n${wide}\n`, 2, 'This row is too long'],
    [
      'a huge cell',
      `username,account,password\nx,a1,${'x'.repeat(3_000_000)}\n`,
      2,
      'This row is too long',
    ],
    [
      'a column twice',
      'username,account,password,Password \nx,a1,one,two\n',
      1,
      'The column "password" is there twice',
    ],
    [
      'a column without a name',
      'username,account,password,\nx,a1,one,\n',
      1,
      /^Unknown column "". The columns are username, /,
    ],
    [
      'the name of a prototype',
      'username,account,password,__proto__\nx,a1,one,two\n',
      1,
      /^Unknown column "__proto__"/,
    ],
    [
      'a quote that never closes',
      `username,account,password\nx,a1,"${'x\n'.repeat(50_000)}`,
      /\d+/,
      'A quote is not closed',
    ],
  ])('with %s is refused as a whole', async (_, csv, line, message) => {
    const verdict = await runImport('sp1', '/Clients/Import', csv)
    const [problem] = verdict.problems
    expect(verdict).toMatchObject({ added: 0, bad_rows: 1 })
    expect(String(problem.line)).toMatch(
      new RegExp(`^${line instanceof RegExp ? line.source : line}$`),
    )
    expect(problem.message).toMatch(message)
  })

  const inEncoding = async (encoding: BufferEncoding, charset = '', query = '') => {
    const csv = Buffer.from('username,account,password\njosé,a1,x\n', encoding)
    const type = { 'content-type': `text/csv${charset}` }
    return t.request('sp1', 'POST', `/Clients/Import?dry_run=1${query}`, csv, type)
  }
  it('in another encoding is refused, unless the request names it', async () => {
    for (const encoding of ['latin1', 'utf16le'] as const)
      expect((await inEncoding(encoding)).body).toContain(
        'This file is not in UTF-8. Save it as “CSV UTF-8”',
      )
    const said = await inEncoding('latin1', '; charset="ISO-8859-1"')
    expect(said.body).toContain('"rows":[["josé","a1","••••')
    expect(said.body).toContain('"added":1')
    expect((await inEncoding('utf16le', '; charset=utf-16le')).body).toContain('"added":1')
    expect((await inEncoding('utf8', '; charset=klingon')).json()).toMatchObject({
      msg: 'The charset of the content type is unknown',
    })
  })

  it('has the columns that the request names', async () => {
    const body = async (columns: string) =>
      (await inEncoding('utf8', '', `&columns=${columns}`)).body
    expect(await body('username,account,password')).toContain('"rows":1,"added":1')
    expect(await body('username,,password')).toContain('Enter the account')
    expect(await body('username')).toContain('The file has 3 columns')
  })
})

describe('an imported row', () => {
  it('is an account with its hooks and a secret of its own', async () => {
    const { data } = await t.as('sp1')(api.accounts.list, { query: { page: 1, filter: 'East' } })
    expect(data).toMatchObject([
      {
        sip_realm: 'east.example.com',
        registration_hook: { url: 'https://example.com/reg', method: 'POST' },
      },
    ])
    const { webhook_secret } = await t.as('sp1')(api.accounts.view, { params: data[0]! })
    expect(webhook_secret).toMatch(/^wh_secret_/)
    const csv = (await t.request('sp1', 'GET', '/Accounts/Export?filter=West')).body
    expect(csv).toBe(
      'name,sip_realm,registration_hook,queue_event_hook\r\nWest,,ws://example.com/reg,\r\n',
    )
    expect((await t.request('sp2', 'GET', '/Accounts/Export')).body).not.toContain('West')
  })

  it('is an application whose empty cells are the table’s defaults', async () => {
    const { data } = await t.as('sp1')(api.applications.list, { query: { page: 1 } })
    expect(data).toMatchObject([
      {
        name: 'Back',
        account_name: 'a2',
        call_hook: { method: 'GET' },
        speech_synthesis_vendor: 'google',
        record_all_calls: 0,
      },
      {
        name: 'Front',
        account_name: 'a1',
        call_hook: { url: 'https://example.com/c', method: 'POST' },
        speech_synthesis_voice: 'en-US-X',
      },
    ])
    const csv = (await t.request('a1', 'GET', '/Applications/Export')).body
    expect(csv.split('\r\n')[1]).toMatch(/^Front,a1,https:\/\/example\.com\/c,/)
    expect(csv).not.toContain('Back')
  })

  it('is a client with its password sealed, and never exported', async () => {
    const rows = await t.db.selectFrom('clients').selectAll().orderBy('account_sid').execute()
    expect(rows.map((r) => t.ctx.box.open(r.password!)).sort()).toEqual(['=CANARY-2', 'CANARY-1'])
    const { data } = await t.as('a1')(api.clients.list, { query: { page: 1 } })
    expect(data).toMatchObject([{ username: 'jane', is_active: 0, password: MASK }])
    const csv = (await t.request('sp1', 'GET', '/Clients/Export')).body
    expect(csv.split('\r\n')).toContain('jane,a1,,0,1,1,1')
    const log = JSON.stringify(await t.db.selectFrom('switchroom_audit').selectAll().execute())
    expect(csv + log + t.lines.join()).not.toContain('CANARY')
  })

  it('has an entry in the audit log', async () => {
    const { data } = await t.as('sp1')(api.audit.list, { query: { page: 1, action: 'create' } })
    expect(data.map((e) => `${e.kind} ${e.name}`).sort()).toEqual([
      'account East',
      'account West',
      'application Back',
      'application Front',
      'client jane',
      'client jane',
    ])
  })

  it('belongs to the provider that an administrator named', async () => {
    expect(await runImport('admin', '/Accounts/Import', 'name\nx\n')).toMatchObject({
      issues: [{ path: ['service_provider_sid'] }],
    })
    expect(
      await runImport(
        'admin',
        `/Accounts/Import?service_provider_sid=${t.sids.sp2}`,
        'name\nOther\n',
      ),
    ).toEqual(ok(1))
    expect((await t.request('sp2', 'GET', '/Accounts/Export')).body).toContain('Other')
  })
})

it('take true and false as spreadsheets write them, and no number that one has changed', async () => {
  const head = 'username,account,password,is_active,allow_direct_app_calling'
  const rows = ['flag-1,a1,x,TRUE,FALSE', 'flag-2,a1,x,WAHR,Nein', 'flag-3,a1,x,yes,0']
  expect(await runImport('sp1', '/Clients/Import', [head, ...rows].join('\n'))).toEqual(ok(3))
  const stored = t.db
    .selectFrom('clients')
    .select(['is_active', 'allow_direct_app_calling'])
    .where('username', 'like', 'flag-%')
  expect(await stored.execute()).toEqual(
    rows.map(() => ({ is_active: 1, allow_direct_app_calling: 0 })),
  )
  const changed = ['4.9E+11,a1,x,,', 'flag-4,a1,"1,23457E+11",,', 'flag-5,a1,x,maybe,']
  expect(await runImport('sp1', '/Clients/Import', [head, ...changed].join('\n'))).toMatchObject({
    added: 0,
    problems: [
      { line: 2, column: 'username', message: CHANGED_BY_SPREADSHEET },
      { line: 3, column: 'password', message: CHANGED_BY_SPREADSHEET },
      { line: 4, column: 'is_active', message: 'Active must be true or false' },
    ],
  })
})
