import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { connect } from '../../server/test/programs.ts'
import type { Terminal } from '../src/terminal.ts'
import { testTerminal } from './terminal.ts'

/** A log-in by browser, against the real server: the person's part is played by its own endpoints. */

const home = mkdtempSync(join(tmpdir(), 'switchroom-browser-login-'))
const file = join(home, '.config/switchroom/servers.json')
let t: TestApp
let url: string
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
  t.ctx.config.base_url = url
})
afterAll(async () => {
  await t.close()
  rmSync(home, { recursive: true, force: true })
})

const stored = () => JSON.parse(readFileSync(file, 'utf8')).servers
/** A terminal whose browser belongs to somebody, who says this. */
const at = (allow: 'read' | 'write' | null = 'write', who = 'a1', more: Partial<Terminal> = {}) =>
  testTerminal(
    { HOME: home },
    {
      isTyped: true,
      browse: async (address) => {
        const back = await connect(t, who, address, allow)
        void fetch(back)
        return true
      },
      ...more,
    },
  )
const expire = () => {
  const servers = stored()
  servers.home.tokens.expires_at = 0
  writeFileSync(file, JSON.stringify({ current: 'home', servers }))
}

it('is kept where nobody else reads it, and shown nowhere', async () => {
  const { run } = at()
  const { code, out } = await run('login', 'home', '--url', url)
  expect([code, out]).toEqual([0, 'Logged in to home\n'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { tokens, ...rest } = stored().home
  expect(rest).toEqual({ url, account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 })
  const shown = [await run('servers'), await run('numbers', 'create', '--number', '4930777')]
  expect(shown.map((one) => one.code)).toEqual([0, 0])
  expect(JSON.stringify(shown)).not.toContain(tokens.access_token)
})

it('is renewed by itself, once for commands that run at once', async () => {
  expire()
  const before = stored().home.tokens
  const all = await Promise.all([0, 0, 0].map(() => at().run('accounts', 'list', '--json')))
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(stored().home.tokens.refresh_token).not.toBe(before.refresh_token)
  expire()
  expect((await at().run('accounts', 'list')).code).toBe(0)
})

it('is ended by a log-out, and says so when it was ended elsewhere', async () => {
  const { access_token } = stored().home.tokens
  await at().run('logout', 'home')
  expect((await t.request(access_token, 'GET', '/Users/me')).statusCode).toBe(401)
  await at().run('login', 'home', '--url', url)
  await t.db.updateTable('switchroom_sessions').set({ ended_at: 1 }).execute()
  expire()
  const { code, err } = await at().run('accounts', 'list')
  expect([code, err]).toEqual([
    4,
    `error: Your log-in has ended. Log in again: switchroom login home --url ${url}\n`,
  ])
  await t.db.updateTable('switchroom_sessions').set({ ended_at: null }).execute()
})

it('may only read, if the person or the command says so', async () => {
  for (const [words, allow] of [
    [['--read-only'], 'write'],
    [[], 'read'],
  ] as const) {
    await at(allow).run('login', 'home', '--url', url, ...words)
    expect((await at().run('accounts', 'list')).code).toBe(0)
    expect((await at().run('numbers', 'create', '--number', '4930778')).code).toBe(4)
  }
})

it('is not kept when the person refuses, or where there is none', async () => {
  const { run } = at(null)
  const { code, err } = await run('login', 'other', '--url', url)
  expect([code, err.includes('You refused the log-in')]).toEqual([2, true])
  expect(stored()).not.toHaveProperty('other')
  const old = at('write', 'a1', { fetch: async () => new Response(null, { status: 404 }) })
  const none = await old.run('login', 'old', '--url', 'https://old.example')
  expect([none.code, none.err]).toEqual([
    2,
    'error: This server has no log-in by browser. Use an API key: --key\n',
  ])
})

it('hears nobody else', async () => {
  const answers: number[] = []
  const { run } = at('write', 'a1', {
    browse: async (address) => {
      const listener = new URL(address).searchParams.get('redirect_uri')!
      for (const forged of ['?code=x', '?code=x&state=guessed', `?code=x&iss=${url}`])
        answers.push((await fetch(listener + forged)).status)
      void fetch(await connect(t, 'a1', address))
      return true
    },
  })
  expect((await run('login', 'home', '--url', url)).code).toBe(0)
  expect(answers).toEqual([404, 404, 404])
})

it('is no agent’s', async () => {
  expect((await at().run('mcp')).err).toContain('Agents need an API key')
})
