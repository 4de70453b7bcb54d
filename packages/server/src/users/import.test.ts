import { api, type ImportProgress, USER_IMPORT_MAX_ROWS } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { verifyPassword } from '../secrets/passwords.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const HEAD =
  'name,email,scope,service_provider,account,is_active,is_view_only,password,force_change'
const GOOD = 'CANARY quiet harbour 7'

async function run(who: string, lines: string[], { head = HEAD, query = '' } = {}) {
  const csv = `${[head, ...lines].join('\n')}\n`
  const { statusCode, body } = await t.request(who, 'POST', `/Users/Import${query}`, csv)
  if (statusCode !== 200) return { statusCode }
  const last = JSON.parse(body.trim().split('\n').at(-1)!) as ImportProgress
  return 'verdict' in last ? last.verdict : last
}
const problemsOf = async (who: string, lines: string[], options?: object) => {
  const verdict = await run(who, lines, options)
  return 'problems' in verdict ? verdict.problems : verdict
}
const userNamed = (name: string) =>
  t.db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst()

it('adds users of every scope, with their owners, permissions and passwords', async () => {
  const lines = [
    `Ada,ada@example.org,admin,,,,,${GOOD},`,
    `Sam,sam@example.org,service_provider,one,,,1,${GOOD},0`,
    `Ann,ann@example.org,,,a1,0,,${GOOD},`,
    `Bob,bob@example.org,account,two,b1,,,'=${GOOD},`,
  ]
  expect(await run('admin', lines, { query: '?dry_run=1' })).toMatchObject({ added: 4 })
  expect(await userNamed('Ada')).toBeUndefined()
  expect(await run('admin', lines)).toEqual({ rows: 4, added: 4, bad_rows: 0, problems: [] })

  const ada = await userNamed('Ada')
  expect(ada).toMatchObject({
    account_sid: null,
    service_provider_sid: null,
    provider: 'local',
    is_active: 1,
    force_change: 1,
  })
  expect(await verifyPassword(ada!.hashed_password!, GOOD)).toBe(true)
  const view = async (name: string) => {
    const { user_sid } = (await userNamed(name))!
    return t.as('admin')(api.users.view, { params: { user_sid } })
  }
  expect(await view('Sam')).toMatchObject({
    service_provider_sid: t.sids.sp1,
    account_sid: null,
    is_view_only: true,
    force_change: 0,
  })
  expect(await view('Ann')).toMatchObject({
    service_provider_sid: t.sids.sp1,
    account_sid: t.sids.a1,
    is_view_only: false,
    is_active: 0,
  })
  expect(await view('Bob')).toMatchObject({
    service_provider_sid: t.sids.sp2,
    account_sid: t.sids.b1,
  })
  // a formula's apostrophe is not part of the password
  expect(await verifyPassword((await userNamed('Bob'))!.hashed_password!, `=${GOOD}`)).toBe(true)
})

it('exports what it imports, without passwords', async () => {
  const csv = (await t.request('admin', 'GET', '/Users/Export')).body
  const lines = csv.split('\r\n')
  expect(lines[0]).toBe(HEAD)
  expect(lines).toContain('Ada,ada@example.org,admin,,,1,0,,1')
  expect(lines).toContain('Sam,sam@example.org,service_provider,one,,1,1,,0')
  expect(lines).toContain('Ann,ann@example.org,account,one,a1,0,0,,1')
  const ofScope = await t.request('sp1', 'GET', '/Users/Export?scope=account&filter=ann')
  expect(ofScope.body.trim().split('\r\n').slice(1)).toEqual([
    'Ann,ann@example.org,account,one,a1,0,0,,1',
  ])
  for (const name of ['Sam', 'Ada', 'Bob'])
    expect((await t.request('a1', 'GET', '/Users/Export')).body).not.toContain(name)

  const again = lines.slice(1).filter((line) => line.startsWith('Ann,'))
  expect(await problemsOf('admin', again)).toEqual([
    { line: 2, column: 'password', message: 'Enter the password' },
  ])
})

it('has an entry for each in the audit log, and tells no password anywhere', async () => {
  const { data } = await t.as('admin')(api.audit.list, {
    query: { page: 1, action: 'create', kind: 'user' },
  })
  expect(data.map((e) => e.name).sort()).toEqual(['Ada', 'Ann', 'Bob', 'Sam'])
  const log = JSON.stringify(await t.db.selectFrom('switchroom_audit').selectAll().execute())
  const answers = await Promise.all(
    ['/Users/Export', '/Users'].map((path) => t.request('admin', 'GET', path)),
  )
  const refused = await run('admin', [
    `Ada,x@example.org,admin,,,,,${GOOD},`,
    `y,y@example.org,admin,,,,,CANARY,`,
    `z,z,${GOOD},,,,,${GOOD},${GOOD}`,
  ])
  const told = [log, t.lines.join(), JSON.stringify(refused), ...answers.map((a) => a.body)].join()
  expect(told).not.toContain('CANARY')
})

describe('whose users', () => {
  const line = (scope: string, provider = '', account = '') =>
    `new,new@example.org,${scope},${provider},${account},,,${GOOD},`
  const above = 'You cannot add users of this scope'
  const noAccount = 'No such account'
  const noProvider = 'No such service provider'
  it.each([
    ['sp1', line('admin'), 'scope', above],
    ['sp1', line('service_provider', 'two'), 'service_provider', noProvider],
    ['sp1', line('service_provider', 'nobody'), 'service_provider', noProvider],
    ['sp1', line('account', '', 'b1'), 'account', noAccount],
    ['sp1', line('account', '', 'nobody'), 'account', noAccount],
    ['sp1', line('account', 'two', 'b1'), 'service_provider', noProvider],
    ['sp1', line(''), 'account', 'Enter the account'],
    ['a1', line('admin'), 'scope', above],
    ['a1', line('service_provider'), 'scope', above],
    ['a1', line('', '', 'a2'), 'account', noAccount],
    ['a1', line('', 'two'), 'service_provider', noProvider],
    ['admin', line('service_provider'), 'service_provider', 'Enter the service provider'],
    ['admin', line('account', 'one', 'b1'), 'account', noAccount],
    ['admin', line('admin', '', 'a1'), 'account', 'An administrator has no account'],
    ['admin', line('admin', 'one'), 'service_provider', 'An administrator has no service provider'],
    [
      'admin',
      line('service_provider', 'one', 'a1'),
      'account',
      'A user of a service provider has no account',
    ],
    ['admin', line('owner'), 'scope', 'Choose a valid scope'],
  ])('%s cannot add: %s', async (who, row, column, message) => {
    expect(await problemsOf(who, [row])).toEqual([{ line: 2, column, message }])
    expect(await userNamed('new')).toBeUndefined()
  })

  it('are the caller’s own when the file names nobody', async () => {
    const rows = [`mine,mine@example.org,,,,,,${GOOD},`]
    expect(await run('a1', rows)).toMatchObject({ added: 1 })
    expect(await userNamed('mine')).toMatchObject({
      account_sid: t.sids.a1,
      service_provider_sid: t.sids.sp1,
    })
    const ofProvider = [`ours,ours@example.org,service_provider,,,,,${GOOD},`]
    expect(await run('sp1', ofProvider)).toMatchObject({ added: 1 })
    expect(await userNamed('ours')).toMatchObject({
      account_sid: null,
      service_provider_sid: t.sids.sp1,
    })
  })

  it('are of the provider that an administrator named, and of no other caller’s', async () => {
    const query = `?service_provider_sid=${t.sids.sp2}`
    const rows = [`theirs,theirs@example.org,service_provider,,,,,${GOOD},`]
    expect(await run('sp1', rows, { query })).toEqual({ statusCode: 404 })
    expect(await problemsOf('admin', [line('', '', 'a1')], { query })).toEqual([
      { line: 2, column: 'account', message: noAccount },
    ])
    expect(await run('admin', rows, { query })).toMatchObject({ added: 1 })
    expect(await userNamed('theirs')).toMatchObject({ service_provider_sid: t.sids.sp2 })
  })

  it('cannot be added by view-only users, nor by an API key that expires', async () => {
    const rows = [line('', '', 'a1')]
    expect(await run('sp1-viewer', rows)).toEqual({ statusCode: 403 })
    const token = await t.keyOf('a1', { kinds: ['access'] })
    expect(await run(token, rows)).toEqual({ statusCode: 403 })
  })
})

it('refuses rows that a single creation would refuse, and names line and column', async () => {
  await t.db.updateTable('password_settings').set({ require_digit: 1 }).execute()
  const rows = [
    `A1,fresh@example.org,,,a1,,,${GOOD},`,
    `fresh,A1@example.com,,,a1,,,${GOOD},`,
    `,f@example.org,,,a1,,,${GOOD},`,
    `f,not an address,,,a1,,,${GOOD},`,
    `g,g@example.org,,,a1,,,no digit at all,`,
    `h,h@example.org,,,a1,,,password1,`,
    `harriet,i@example.org,,,a1,,,harriet 1,`,
    `j,j@example.org,,,a1,,,,`,
    `k,k@example.org,,,a1,maybe,,${GOOD},`,
    `l,l@example.org,,,a1,,,${GOOD},`,
    `L,m@example.org,,,a1,,,${GOOD},`,
    `n,L@example.org,,,a1,,,${GOOD},`,
  ]
  const problems = await problemsOf('sp1', rows)
  expect(problems).toEqual([
    { line: 2, column: 'name', message: 'invalid username or email' },
    { line: 3, column: 'email', message: 'invalid username or email' },
    { line: 4, column: 'name', message: 'Enter the name' },
    { line: 5, column: 'email', message: 'Enter an email address' },
    {
      line: 6,
      column: 'password',
      message: 'Invalid password. Password must: Contain at least one number',
    },
    { line: 7, column: 'password', message: expect.stringContaining('too easy to guess') },
    { line: 8, column: 'password', message: expect.stringContaining('too close to the username') },
    { line: 9, column: 'password', message: 'Enter the password' },
    { line: 10, column: 'is_active', message: 'Active must be true or false' },
    { line: 12, column: 'name', message: 'Duplicate of the name in line 11' },
    { line: 13, column: 'email', message: 'Duplicate of the email in line 11' },
  ])
  expect(await userNamed('l')).toBeUndefined()
})

it('takes a bounded number of users', async () => {
  const rows = Array.from(
    { length: USER_IMPORT_MAX_ROWS + 1 },
    (_, i) => `u${i},u${i}@x.org,,,a1,,,x,`,
  )
  expect(await problemsOf('sp1', rows)).toEqual([
    { line: USER_IMPORT_MAX_ROWS + 2, message: 'At most 1,000 rows in one file' },
  ])
})

/** Runs `during` while the first password of an import is hashed. */
function whileHashing(during: () => Promise<unknown>) {
  const { passwords } = t.ctx.memory
  const { hash } = passwords
  passwords.hash = async (plain) => {
    passwords.hash = hash
    await during()
    return hash(plain)
  }
}
const person = (name: string) => ({
  name,
  email: `${name}@example.com`,
  initial_password: 'long enough 1',
})

it('adds nobody when a name was taken while passwords were hashed', async () => {
  whileHashing(() =>
    t.as('admin')(api.users.create, { body: { ...person('raced'), account_sid: t.sids.b1 } }),
  )
  const rows = [`early,early@example.org,,,a1,,,${GOOD},`, `raced,r@example.org,,,a1,,,${GOOD},`]
  expect(await run('sp1', rows)).toEqual({
    rows: 2,
    added: 0,
    bad_rows: 1,
    problems: [{ line: 3, column: 'name', message: 'invalid username or email' }],
  })
  expect(await userNamed('early')).toBeUndefined()
})

it('adds nobody when the sender’s session or API key has ended meanwhile', async () => {
  const rows = [`ended,ended@example.org,,,a1,,,${GOOD},`]
  const { user_sid } = await t.as('admin')(api.users.create, {
    body: { ...person('sender'), force_change: 0, service_provider_sid: t.sids.sp1 },
  })
  const { token } = await t.as('')(api.session.login, {
    body: { username: 'sender', password: 'long enough 1' },
  })
  whileHashing(() =>
    t.as('admin')(api.users.update, { params: { user_sid }, body: { is_active: 0 } }),
  )
  const ended = { msg: 'Your session has ended. Nothing was imported.' }
  expect(await run(token, rows)).toEqual(ended)

  const key = await t.as('admin')(api.apiKeys.create, { body: { account_sid: t.sids.a1 } })
  whileHashing(() => t.as('admin')(api.apiKeys.remove, { params: { api_key_sid: key.sid } }))
  expect(await run(key.token, rows)).toEqual(ended)
  expect(await userNamed('ended')).toBeUndefined()
})

it('lets strangers log in between two hashes, however many files there are', async () => {
  const { passwords, secrets } = t.ctx.memory
  const { hash } = passwords
  let hashed = 0
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  passwords.hash = async (plain) => {
    hashed += 1
    await isAsked
    return hash(plain)
  }
  const rows = (file: number) =>
    Array.from({ length: 6 }, (_, i) => `m${file}${i},m${file}${i}@example.org,,,a1,,,${GOOD},`)
  const senders = ['admin', 'sp1', 'a1', 'sp1']
  const importing = Promise.all(senders.map((who, file) => run(who, rows(file))))
  await expect.poll(() => hashed).toBeGreaterThan(1)
  const stranger = secrets({ network: '203.0.113.0/24' }, async () => hashed)
  ask()
  const at = await stranger
  for (const verdict of await importing) expect(verdict).toMatchObject({ added: 6 })
  passwords.hash = hash
  expect(at).toBeLessThan(10)
})

it('is closed to accounts of the hosted variant, which could try names', async () => {
  const hosted = await testApp({ ENABLE_HOSTED_SYSTEM: '1' })
  const csv = `${HEAD}\nx,x@example.org,,,,,,${GOOD},\n`
  expect((await hosted.request('a1', 'POST', '/Users/Import', csv)).statusCode).toBe(403)
  expect((await hosted.request('sp1', 'POST', '/Users/Import', csv)).statusCode).toBe(200)
  await hosted.close()
})
