import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import type { Terminal } from '../src/terminal.ts'
import { testTerminal } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchroom-cli-'))
let t: TestApp
let url: string
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await t.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A terminal whose server and key are in its environment. */
const as = (who: string, more?: Partial<Terminal>, rounds?: number) =>
  testTerminal(
    { HOME: folder, SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer[who]! },
    more,
    rounds,
  )

const number = async (digits: string, who = 'a1-key') => {
  const { code, out } = await as(who).run('phone-numbers', 'create', '--number', digits, '--json')
  expect(code).toBe(0)
  return (JSON.parse(out) as { sid: string }).sid
}

describe('a log-in', () => {
  const home = mkdtempSync(join(folder, 'home-'))
  const file = join(home, '.config/switchroom/servers.json')
  const at = (more?: Partial<Terminal>) => testTerminal({ HOME: home }, more)

  it('keeps the key where nobody else reads it, and shows it nowhere', async () => {
    const key = t.bearer['a1-key']!
    const { run } = at({ secret: async () => `${key}\n` })
    const shown = [await run('login', 'home', '--url', url)]
    expect(shown[0]).toEqual({ code: 0, out: 'Logged in to home\n', err: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    const { servers } = JSON.parse(readFileSync(file, 'utf8'))
    expect(servers.home).toEqual({
      ...{ url, api_key: key, account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 },
    })
    shown.push(await run('servers'), await run('use', 'home'), await run('accounts', 'list'))
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(JSON.stringify(shown)).not.toContain(key)
  })

  it('knows several servers by name, and who each key belongs to', async () => {
    const { run } = at()
    await run('login', 'provider', '--url', url, '--api-key', t.bearer['sp1-key']!)
    await run('login', 'all', '--url', url, '--api-key', t.bearer['admin-key']!)
    const { servers } = JSON.parse(readFileSync(file, 'utf8'))
    expect(servers.provider).toMatchObject({ service_provider_sid: t.sids.sp1 })
    expect([servers.provider.account_sid, servers.all.service_provider_sid]).toEqual([
      undefined,
      undefined,
    ])
    expect((await run('servers')).out).toBe(`  home  ${url}\n  provider  ${url}\n* all  ${url}\n`)
    const names = async (server: string) =>
      JSON.parse(
        (await run('accounts', 'list', '--json', '--query', 'name', '--server', server)).out,
      )
    expect(await names('home')).toEqual([{ name: 'a1' }])
    expect(await names('provider')).toHaveLength(2)
    await run('use', 'home')
    expect((await run('account-recent-calls', 'figures', '--days', '1', '--json')).code).toBe(0)
    await run('logout', 'all')
    expect((await run('servers')).out).not.toContain('all')
  })

  it('is refused with a wrong key, which is not kept', async () => {
    const { run } = at()
    const { code, err } = await run('login', 'wrong', '--url', url, '--api-key', 'no-such-key')
    expect([code, err.includes('no-such-key')]).toEqual([4, false])
    expect((await run('servers')).out).not.toContain('wrong')
  })

  it('is asked for', async () => {
    const { code, err } = await testTerminal({ HOME: join(folder, 'nobody') }).run(
      'accounts',
      'list',
    )
    expect([code, err]).toEqual([2, 'error: Log in first: switchroom login --url https://…\n'])
  })
})

describe('a command', () => {
  it('adds, shows, changes and deletes a thing, by its name', async () => {
    const { run } = as('a1-key')
    expect(
      (await run('phone-numbers', 'create', '--number', '+4930501', '--description', 'Sales')).code,
    ).toBe(0)
    const view = await run('numbers', 'view', '+4930501', '--json')
    expect(JSON.parse(view.out)).toMatchObject({ number: '4930501', description: 'Sales' })
    expect((await run('numbers', 'view', '4930501')).out).toMatch(/^account: +a1$/m)
    const { version } = JSON.parse(view.out)
    const update = (...words: string[]) => run('numbers', 'update', '4930501', ...words)
    expect(await update('--description', 'Support', '--if-match', version)).toMatchObject({
      code: 0,
      out: 'Done\n',
    })
    expect((await update('--description', 'Late', '--if-match', version)).code).toBe(6)
    expect((await run('numbers', 'remove', '4930501')).code).toBe(0)
    const gone = await run('numbers', 'view', '4930501')
    expect([gone.code, gone.err]).toEqual([2, 'error: There is no phone number "4930501".\n'])
  })

  it('lists for people: names, no sids, and no more than fits', async () => {
    for (const digits of ['4930511', '4930512']) await number(digits)
    const { run, sent } = as('sp1-key', { isTerminal: true, columns: 40 })
    const words = ['numbers', 'list', '--filter', '493051', '--no-color', '--sort', 'number']
    const { out } = await run(...words, '--page-size', '1')
    expect(out.split('\n')[0]).toMatch(/^NUMBER +/)
    expect(out).toContain('4930511')
    expect(out).toContain('1 of 2. --page 2 shows the next, --all-pages all of them.')
    expect(out).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/)
    for (const line of out.split('\n').slice(0, 2)) expect(line.length).toBeLessThanOrEqual(40)
    expect(sent).toEqual(['GET /PhoneNumbers'])
    await run('accounts', 'list', '--no-color')
    expect(sent).toEqual(['GET /Accounts', 'GET /Names'])
    expect((await run(...words, '--wide')).out).toMatch(/[\da-f]{8}-[\da-f]{4}-/)
    expect((await run(...words, '--all-pages')).out).toContain('4930512')
    expect((await run('numbers', 'list', '--filter', 'nothing')).out).toBe('None\n')
  })

  it('prints for programs: JSON, its lines, and chosen fields', async () => {
    for (const digits of ['4930521', '4930522']) await number(digits)
    const { run, sent } = as('a1-key')
    const words = [
      'numbers',
      'list',
      '--filter',
      '493052',
      '--sort',
      'number',
      '--query',
      'number,account_name',
    ]
    const rows = ['4930521', '4930522'].map((digits) => ({ number: digits, account_name: 'a1' }))
    expect(JSON.parse((await run(...words, '--json')).out)).toEqual(rows)
    expect(sent).toEqual(['GET /PhoneNumbers'])
    const lines = (await run(...words, '--jsonl', '--all-pages')).out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
    expect((await run(...words)).out).toBe('NUMBER   ACCOUNT NAME\n4930521  a1\n4930522  a1\n')
  })

  it('has colours for people only', async () => {
    const coloured = async (isTerminal: boolean, env = {}, ...flags: string[]) => {
      const { run, terminal } = as('a1-key', { isTerminal })
      Object.assign(terminal.env, env)
      return (await run('accounts', 'list', ...flags)).out.includes('\x1b')
    }
    expect(await coloured(true)).toBe(true)
    expect(await coloured(false)).toBe(false)
    expect(await coloured(true, { NO_COLOR: '1' })).toBe(false)
    expect(await coloured(true, {}, '--no-color')).toBe(false)
  })

  it('says which field is at fault, and which request it was', async () => {
    const { run } = as('a1-key')
    const { code, err, out } = await run('numbers', 'create', '--number', 'x')
    expect([code, out]).toEqual([3, ''])
    expect(err).toMatch(/^error: .+\n {2}number: .+\n {2}request: [\da-f-]{36}\n$/)
  })

  it.each([
    [['numbers', 'create', '--nonsense'], 2, "unknown option '--nonsense'"],
    [['numbers', 'craete'], 2, 'Did you mean create?'],
    [['numbers', 'list', '--page', 'x'], 2, '--page takes a number'],
    [['users', 'create', '--is-view-only=maybe'], 2, '--is-view-only takes true or false'],
    [['numbers', 'list', '--sort', 'colour'], 2, '--sort takes number, -number'],
    [['numbers', 'create', '--data', '{'], 2, '--data takes a JSON object'],
    [['numbers', 'import', 'no-such-file.csv'], 2, 'no-such-file.csv cannot be read'],
    [['account-recent-calls', 'figures'], 2, 'Name the account: --account-sid'],
    [['applications', 'view', '00000000-0000-4000-8000-000000000000'], 5, 'No such application'],
    [['service-providers', 'create', '--name', 'x'], 4, 'insufficient permissions'],
  ])('refuses %j with %i', async (words, code, text) => {
    const ran = await as('a1-key').run(...words)
    expect(ran.code).toBe(code)
    expect(ran.err).toContain(text)
  })

  it('is told where no server is', async () => {
    const env = {
      HOME: folder,
      SWITCHROOM_URL: 'http://127.0.0.1:1',
      SWITCHROOM_API_KEY: 'secret-key',
    }
    const away = () => Promise.reject(new TypeError('fetch failed'))
    const { code, err } = await testTerminal(env, { fetch: away }).run(
      'numbers',
      'create',
      '--number',
      '1',
    )
    expect([code, err]).toEqual([7, 'error: http://127.0.0.1:1 cannot be reached\n'])
  })

  it('says what an older server lacks', async () => {
    const older: typeof fetch = async (input) =>
      String(input).endsWith('/openapi.json')
        ? Response.json({ paths: {} })
        : Response.json({ code: 'not_found', msg: 'Not Found', request_id: '' }, { status: 404 })
    const { code, err } = await as('a1-key', { fetch: older }).run('doctor')
    expect([code, err]).toEqual([
      8,
      'error: This server has no doctor.run. Use a client of its version.\n',
    ])
  })

  it('imports a file, tells how far it is, and names bad rows', async () => {
    const file = join(folder, 'numbers.csv')
    const rows = Array.from({ length: 30 }, (_, i) => `49306${String(i).padStart(2, '0')}`)
    writeFileSync(file, `number\n${rows.join('\n')}\n`)
    const { run } = as('a1-key', { isTerminal: true })
    expect(await run('numbers', 'import', file, '--dry-run')).toMatchObject({ code: 0 })
    const imported = await run('numbers', 'import', file, '--no-color')
    expect(imported.out).toMatch(/^added: +30$/m)
    expect(imported.err).toContain('30 of 30 rows')
    const again = await run('numbers', 'import', file, '--json')
    expect(again.code).toBe(2)
    expect(JSON.parse(again.out)).toMatchObject({ added: 0, bad_rows: 30 })
    const csv = await run('numbers', 'export', '--filter', '49306', '--columns', 'number')
    expect(csv.out.trim().split('\n')).toHaveLength(31)
    const saved = join(folder, 'saved.csv')
    await run('numbers', 'export', '--filter', '49306', '--columns', 'number', '--output', saved)
    expect(readFileSync(saved, 'utf8')).toBe(csv.out)
  })

  it('takes a body from a file or a pipe, with flags on top', async () => {
    const file = join(folder, 'body.json')
    writeFileSync(file, JSON.stringify({ number: '4930701', description: 'file' }))
    const stdin = () => new Blob([JSON.stringify({ number: '4930702' })]).stream()
    const { run } = as('a1-key', { stdin })
    expect(
      (await run('numbers', 'create', '--data', `@${file}`, '--description', 'flag')).code,
    ).toBe(0)
    expect((await run('numbers', 'create', '--data', '-')).code).toBe(0)
    const found = await run(
      'numbers',
      'list',
      '--filter',
      '493070',
      '--sort',
      'number',
      '--json',
      '--query',
      'number,description',
    )
    expect(JSON.parse(found.out)).toEqual([
      { number: '4930701', description: 'flag' },
      { number: '4930702', description: null },
    ])
  })

  it('does it once with a key', async () => {
    const { run } = as('a1-key')
    const create = () =>
      run('numbers', 'create', '--number', '4930801', '--idempotency-key', 'cli-1', '--json')
    expect((await create()).out).toBe((await create()).out)
  })

  it('shows again what is watched', async () => {
    const { out } = await as('a1-key', {}, 3).run(
      'accounts',
      'list',
      '--watch',
      '5',
      '--jsonl',
      '--query',
      'name',
    )
    expect(out).toBe('{"name":"a1"}\n'.repeat(3))
  })
})

describe('by hand', () => {
  it('searches', async () => {
    await number('4930901')
    const { out } = await as('a1-key').run('search', '4930901')
    expect(out).toMatch(/^NAME +KIND/)
    expect(out).toContain('phone_number')
  })

  it('opens the screen of a thing', async () => {
    const sid = await number('4930902')
    const { run, opened } = as('a1-key')
    expect((await run('open', '+4930902')).code).toBe(0)
    expect((await run('open')).code).toBe(0)
    expect(opened).toEqual([`${url}/internal/phone-numbers/${sid}`, `${url}/`])
    expect((await run('open', '4930902', '--print')).out).toBe(`${opened[0]}\n`)
  })

  it('checks the set-up of the server', async () => {
    const { code, out } = await as('admin-key').run('doctor')
    expect([0, 9]).toContain(code)
    expect(out).toMatch(/^Switchroom 0\.1\.0 on /)
    expect(JSON.parse((await as('admin-key').run('doctor', '--json')).out)).toHaveProperty(
      'results',
    )
  })

  it('tells which way a call would go', async () => {
    const { run } = as('sp1-key')
    const outbound = await run(
      'route',
      'test',
      '+442079460000',
      '--account-sid',
      'a1',
      '--from',
      '4930',
    )
    expect(outbound.code).toBe(9)
    expect(outbound.out).toContain('carrier')
    const inbound = await run('route', 'test', '4930901', '--source', '192.0.2.1', '--json')
    expect(JSON.parse(inbound.out)).toMatchObject({ outcome: 'failed' })
    expect((await as('admin-key').run('route', 'test', '1')).code).toBe(2)
  })

  it('completes commands, flags and their values', async () => {
    const { run } = as('a1-key')
    const complete = async (...words: string[]) =>
      (await run('__complete', ...words)).out.split('\n').filter(Boolean)
    expect(await complete('phone-n')).toEqual(['phone-numbers'])
    expect(await complete('numbers', 'cre')).toEqual(['create'])
    expect(await complete('numbers', 'create', '--des')).toEqual(['--description'])
    expect(await complete('numbers', 'list', '--sort', '')).toEqual(
      ['number', 'last_call_at', 'calls_7d'].flatMap((column) => [column, `-${column}`]),
    )
    expect(await complete('numbers', 'list', '--unused', '')).toEqual(['7d', '30d', '90d', 'ever'])
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await run('completion', shell)).out).toContain('switchroom __complete')
    expect((await run('completion', 'tcsh')).code).toBe(2)
  })
})
