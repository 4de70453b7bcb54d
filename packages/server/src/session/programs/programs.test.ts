import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { MCP, PING, post, rpc, tool } from '../../../test/mcp.ts'
import { BACK, browser, connect, pageOf, program } from '../../../test/programs.ts'
import { buildApp } from '../../app.ts'
import { BASE_PATH } from '../../http/base-paths.ts'
import { memory } from '../../http/memory.ts'
import { hashPassword } from '../../secrets/passwords.ts'
import { purgeSessions } from '../sessions/start.ts'
import { storeFor } from './store.ts'

const DAY_MS = 86_400_000

let t: TestApp
let client_id: string
beforeAll(async () => {
  t = await testApp(MCP)
  client_id = await listed()
})
afterAll(() => t.close())

const listed = async (name = 'Assistant', redirect_uris = [BACK]) =>
  (await t.as('admin')(api.programs.create, { body: { name, redirect_uris } })).sid

/** A log-in of a2 that ends alone. */
async function logIn() {
  const password = 'correct horse 1'
  const hashed_password = await hashPassword(password)
  const where = t.db.updateTable('users').set({ hashed_password, provider: 'local' })
  await where.where('user_sid', '=', t.users.a2!).execute()
  return (await t.request('', 'POST', '/login', { username: 'a2', password })).json()
    .token as string
}

type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number }
/** Connects a program for somebody. */
async function tokensOf(
  who = 'a1',
  allow: 'read' | 'write' = 'write',
  { id = client_id, more = {} as Record<string, string> } = {},
) {
  const client = program(t, id)
  const back = await connect(t, who, client.address(more), allow)
  const code = back.searchParams.get('code')!
  const tokens: Tokens = (await client.exchange(code)).json()
  return { ...tokens, client, code }
}
const statusOf = async (token: string) => (await post(t, token, PING)).statusCode
const answers = (answer: { statusCode: number; json: () => { error: string } }) =>
  `${answer.statusCode} ${answer.json().error}`
const sessionsOf = (who: string) => t.as(who)(api.sessions.list, {})
const programsOf = async (who: string) =>
  (await sessionsOf(who)).filter(({ method }) => method === 'program')

describe('discovery', () => {
  it('tells a stranger where to ask', async () => {
    const answer = await post(t, '', PING)
    expect(answer.statusCode).toBe(401)
    const challenge = String(answer.headers['www-authenticate'])
    expect(challenge).toBe(
      'Bearer resource_metadata="http://console.test/.well-known/oauth-protected-resource/mcp", scope="read write"',
    )
    expect((await post(t, 'wrong', PING)).headers['www-authenticate']).toContain('invalid_token')
    const url = new URL(/"(.+?)"/.exec(challenge)![1]!).pathname
    expect((await t.app.inject({ url })).json()).toMatchObject({
      resource: 'http://console.test/mcp',
      authorization_servers: ['http://console.test'],
      scopes_supported: ['read', 'write'],
    })
  })

  it('names the operator’s address, whatever a request says', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const url = '/.well-known/oauth-authorization-server'
    const { body } = await t.app.inject({ url, headers })
    expect(body).not.toContain('evil')
    expect(JSON.parse(body)).toMatchObject({
      issuer: 'http://console.test',
      authorization_endpoint: 'http://console.test/oauth/authorize',
      token_endpoint: 'http://console.test/oauth/token',
      revocation_endpoint: 'http://console.test/oauth/revoke',
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
    })
    expect(JSON.parse(body)).not.toHaveProperty('registration_endpoint')
  })

  it('says nothing of agents where there are none', async () => {
    const config = { ...t.ctx.config, mcp: false }
    const app = await buildApp({ ...t.ctx, config })
    const url = '/.well-known/oauth-protected-resource/mcp'
    expect((await app.inject({ url })).statusCode).toBe(404)
    const described = await app.inject({
      url: '/.well-known/oauth-protected-resource/api/v1',
    })
    expect(described.json()).toMatchObject({ resource: 'http://console.test/api/v1' })
    await app.close()
  })
})

describe('a person', () => {
  it('is asked who wants what', async () => {
    const open = browser(t)
    const asked = await open(program(t, client_id).address({ login_hint: 'admin', prompt: 'none' }))
    expect(asked.statusCode).toBe(303)
    const path = `${BASE_PATH}/ProgramRequests/${pageOf(asked.headers.location)}`
    expect((await open(path, { token: t.bearer.a1! })).json()).toEqual({
      name: 'Assistant',
      client_id,
      is_verified: true,
      returns_to: null,
      use: 'mcp',
      access: 'write',
    })
    // an API key is no person
    expect((await open(path, { token: t.bearer['a1-key']! })).statusCode).toBe(404)
    expect((await open(path)).statusCode).toBe(401)
  })

  it('lets a program act with its rights', async () => {
    const { access_token, expires_in, scope } = await tokensOf()
    expect({ expires_in, scope }).toEqual({ expires_in: 3600, scope: 'read write' })
    const found = await tool(t, access_token, 'read', {
      what: 'accounts.view',
      params: { account_sid: t.sids.a1 },
    })
    expect(found.text).toContain('"name":"a1"')
    const { tools } = await rpc(t, access_token, 'tools/list')
    expect(tools.map(({ name }: { name: string }) => name)).toContain('plan_change')
    const other = await tool(t, access_token, 'read', {
      what: 'accounts.view',
      params: { account_sid: t.sids.b1 },
    })
    expect(other.isError).toBe(true)
  })

  it('may let it read only, and a view-only person gives no more than that', async () => {
    for (const [who, allow] of [
      ['a1', 'read'],
      ['a1-viewer', 'write'],
    ] as const) {
      const { access_token } = await tokensOf(who, allow)
      const { tools } = await rpc(t, access_token, 'tools/list')
      expect(tools.map(({ name }: { name: string }) => name)).not.toContain('plan_change')
    }
    const asked = await tokensOf('a1', 'write', { more: { scope: 'read' } })
    expect(asked.scope).toBe('read')
  })

  it('may refuse', async () => {
    const back = await connect(t, 'a1', program(t, client_id).address(), null)
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('xyz')
  })

  it('decides in the browser that was sent here, once', async () => {
    const open = browser(t)
    const { location } = (await open(program(t, client_id).address())).headers
    const path = `${BASE_PATH}/ProgramRequests/${pageOf(location)}`
    const decide = { method: 'POST', token: t.bearer.a1!, body: { allow: 'write' } } as const
    // an attacker's request, opened by somebody else
    expect((await browser(t)(path, decide)).statusCode).toBe(404)
    const { url } = (await open(path, decide)).json()
    expect((await open(path, decide)).statusCode).toBe(404)
    const elsewhere = await browser(t)(url)
    expect(elsewhere.statusCode).toBe(400)
    expect(elsewhere.headers.location).toBeUndefined()
    expect((await open(url)).headers.location).toContain('code=')
    // used up
    expect((await open(url)).headers.location).toBeUndefined()
  })

  it('is asked each time', async () => {
    const open = browser(t)
    await connect(t, 'a1', program(t, client_id).address(), 'read', open)
    expect(pageOf((await open(program(t, client_id).address())).headers.location)).toBeDefined()
  })

  it('cannot be framed', async () => {
    const page = await t.app.inject({
      url: '/internal/connect/x',
      headers: { accept: 'text/html' },
    })
    const error = await t.app.inject({ url: program(t, 'nobody').address() })
    for (const { headers } of [page, error]) {
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['x-frame-options']).toBe('DENY')
    }
  })
})

describe('a hostile program', () => {
  const refused = async (more: Record<string, string>, id = client_id, back = BACK) => {
    const answer = await t.app.inject({ url: program(t, id, back).address(more) })
    const { location } = answer.headers
    return { status: answer.statusCode, location: location ? String(location) : undefined }
  }

  it.each([
    'https://evil.example/callback',
    'javascript:alert(1)',
    'http://localhost:6274/callback/../evil',
    'http://localhost:6274/callback?next=https://evil.example',
    'http://localhost.evil.example:6274/callback',
    '//evil.example',
  ])('is not sent to %s', async (uri) => {
    expect(await refused({}, client_id, uri)).toEqual({ status: 400, location: undefined })
  })

  it('is nobody if unknown, and not sent anywhere', async () => {
    expect(await refused({}, 'https://evil.example/client.json')).toEqual({
      status: 400,
      location: undefined,
    })
  })

  it.each([
    ['no PKCE', { code_challenge: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['an implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('may not ask with %s', async (_, more, error) => {
    const { location } = await refused(more)
    expect(location).toMatch(/^http:\/\/localhost:6274\/callback[?#]/)
    expect(location).toMatch(new RegExp(`[?#]error=${error}&`))
  })

  it('is heard on any port of its own machine, and on no other path', async () => {
    const other = 'http://localhost:50123/callback'
    expect((await refused({}, client_id, other)).location).toContain('/internal/connect/')
    expect((await refused({}, client_id, 'http://localhost:50123/x')).location).toBeUndefined()
    const website = await listed('Website', ['https://app.example/callback'])
    expect((await refused({}, website, 'https://app.example:8443/callback')).status).toBe(400)
  })

  it('gets nothing for a code of another, nor without its secret', async () => {
    const client = program(t, client_id)
    const code = (await connect(t, 'a1', client.address())).searchParams.get('code')!
    const other = program(t, await listed('Other'))
    expect(answers(await other.exchange(code))).toBe('400 invalid_grant')
    expect(answers(await program(t, client_id).exchange(code))).toBe('400 invalid_grant')
    expect(
      answers(await client.exchange(code, { redirect_uri: 'http://localhost:1/callback' })),
    ).toBe('400 invalid_grant')
    expect(answers(await client.exchange(code, { resource: 'https://other.example' }))).toMatch(
      /^400 invalid_(?:target|grant)$/,
    )
  })

  it('ends what it has by using a code twice', async () => {
    const { client, code, access_token } = await tokensOf()
    expect(await statusOf(access_token)).toBe(200)
    expect(answers(await client.exchange(code))).toBe('400 invalid_grant')
    expect(await statusOf(access_token)).toBe(401)
  })

  it('ends what it has by using a refresh token twice', async () => {
    const { client, refresh_token, access_token } = await tokensOf()
    const fresh: Tokens = (await client.refresh(refresh_token)).json()
    expect(await statusOf(access_token)).toBe(200)
    expect(await statusOf(fresh.access_token)).toBe(200)
    expect(answers(await client.refresh(refresh_token))).toBe('400 invalid_grant')
    expect(await statusOf(fresh.access_token)).toBe(401)
    expect(answers(await client.refresh(fresh.refresh_token))).toBe('400 invalid_grant')
  })

  it('gets one answer of two that ask at once, in whatever process', async () => {
    const other = await buildApp({ ...t.ctx, memory: memory(t.ctx.databaseUse) })
    const client = program(t, client_id)
    const code = (await connect(t, 'a1', client.address())).searchParams.get('code')!
    const there = { ...client, ...program({ ...t, app: other }, client_id) }
    const { refresh_token } = (await client.exchange(code)).json()
    const both = await Promise.all([client.refresh(refresh_token), there.refresh(refresh_token)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    await other.close()
  })

  it('uses a token up once, though two have found it unused', async () => {
    const tokens = storeFor(t.ctx)('RefreshToken')
    await tokens.upsert('canary', { clientId: client_id }, 60)
    const both = await Promise.allSettled([tokens.consume('canary'), tokens.consume('canary')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('cannot use another’s refresh token, nor get more by it', async () => {
    const { refresh_token, client } = await tokensOf('a1', 'read')
    const other = program(t, await listed('Thief'))
    expect(answers(await other.refresh(refresh_token))).toBe('400 invalid_grant')
    expect(answers(await client.refresh(refresh_token, { scope: 'read write' }))).toBe(
      '400 invalid_scope',
    )
    expect((await client.refresh(refresh_token)).statusCode).toBe(200)
  })

  it('does not take a token to what it is not for', async () => {
    const { access_token } = await tokensOf()
    expect((await t.request(access_token, 'GET', '/Users/me')).statusCode).toBe(401)
    const cli = await cliTokens()
    expect((await t.request(cli.access_token, 'GET', '/Users/me')).statusCode).toBe(200)
    expect(await statusOf(cli.access_token)).toBe(401)
  })

  it('gives nobody access, nor changes how its person logs in', async () => {
    const { access_token } = await cliTokens()
    const { session_sid } = (await sessionsOf('a1'))[0]!
    for (const [method, path, body] of [
      ['DELETE', `/Users/me/Sessions/${session_sid}`, undefined],
      ['DELETE', '/Users/me/Sessions', undefined],
      ['POST', '/ProgramRequests/x', { allow: 'write' }],
    ] as const)
      expect((await t.request(access_token, method, path, body)).statusCode).toBe(403)
  })
})

/** The command line, for the API. */
async function cliTokens(who = 'a1', allow: 'read' | 'write' = 'write') {
  const client = program(t, 'switchroom-cli', 'http://127.0.0.1:40123/callback')
  const more = { resource: 'http://console.test/api/v1' }
  const back = await connect(t, who, client.address(more), allow)
  const tokens: Tokens = (await client.exchange(back.searchParams.get('code')!)).json()
  return { ...tokens, client }
}

describe('the command line', () => {
  it('reaches the API, as its person may', async () => {
    const { access_token } = await cliTokens('a1', 'read')
    expect((await t.request(access_token, 'GET', '/Applications')).statusCode).toBe(200)
    const refused = await t.request(access_token, 'POST', '/PhoneNumbers', { number: '44207' })
    expect(refused.statusCode).toBe(403)
    expect(refused.json().msg).toBe('This program can only read')
    const writes = await cliTokens()
    const number = { number: '442079461234' }
    expect((await t.request(writes.access_token, 'POST', '/PhoneNumbers', number)).statusCode).toBe(
      201,
    )
    const entry = await t.db
      .selectFrom('switchroom_audit')
      .select('actor')
      .where('name', '=', number.number)
      .executeTakeFirstOrThrow()
    expect(entry.actor).toBe('a1 (Switchroom CLI)')
  })
})

describe('what is connected', () => {
  it('is among the person’s sessions, and ends there', async () => {
    const { access_token, client, refresh_token } = await tokensOf('a2', 'read')
    const [one] = await programsOf('a2')
    expect(one).toMatchObject({ program: { name: 'Assistant', use: 'mcp', access: 'read' } })
    await t.as('a2')(api.sessions.end, { params: { session_sid: one!.session_sid } })
    expect(await statusOf(access_token)).toBe(401)
    expect(answers(await client.refresh(refresh_token))).toBe('400 invalid_grant')
    expect(await programsOf('a2')).toEqual([])
  })

  it('ends as the program says', async () => {
    const { access_token, client, refresh_token } = await tokensOf()
    expect((await client.revoke(refresh_token)).statusCode).toBe(200)
    expect(await statusOf(access_token)).toBe(401)
  })

  it('outlives a log-out, and ends with whoever ends all sessions', async () => {
    const token = await logIn()
    const { access_token } = await tokensOf(token)
    const current = (await sessionsOf(token)).find(({ is_current }) => is_current)
    // so that it is the last log-in that ends
    await t.db
      .updateTable('switchroom_sessions')
      .set({ ended_at: 1 })
      .where('user_sid', '=', t.users.a2!)
      .where('session_sid', '!=', current!.session_sid)
      .where('method', '!=', 'program')
      .execute()
    await t.request(token, 'POST', '/logout')
    expect(await statusOf(access_token)).toBe(200)
    await t.as('sp1')(api.sessions.endAllOfUser, { params: { user_sid: t.users.a2! } })
    expect(await statusOf(access_token)).toBe(401)
  })

  it('is in the audit log, with each tool that it calls', async () => {
    const { access_token } = await tokensOf('a1', 'read')
    await tool(t, access_token, 'find', { text: 'a1' })
    const entries = await t.db
      .selectFrom('switchroom_audit')
      .select(['kind', 'name', 'actor', 'after_values'])
      .orderBy('seq', 'desc')
      .limit(2)
      .execute()
    expect(entries).toMatchObject([
      { kind: 'mcp_tool', name: 'find', actor: 'a1 (Assistant)' },
      { kind: 'session', name: 'Assistant', actor: 'a1' },
    ])
    expect(entries.map((e) => JSON.parse(e.after_values!).client_id)).toEqual([
      client_id,
      client_id,
    ])
  })

  it('ends with the program', async () => {
    const id = await listed('Gone')
    const { access_token } = await tokensOf('a1', 'write', { id })
    await t.as('admin')(api.programs.remove, { params: { program_sid: id } })
    expect(await statusOf(access_token)).toBe(401)
  })

  it('is in no table, log or other answer as it is sent', async () => {
    const { access_token, refresh_token, code } = await tokensOf()
    const tables = ['switchroom_program_tokens', 'switchroom_program_grants'] as const
    const rows = await Promise.all(
      tables.map((table) => t.db.selectFrom(table).selectAll().execute()),
    )
    const audit = await t.db.selectFrom('switchroom_audit').selectAll().execute()
    const kept = JSON.stringify([rows, audit, t.lines])
    for (const secret of [access_token, refresh_token, code]) expect(kept).not.toContain(secret)
    for (const { sealed } of rows[0]! as { sealed: string }[])
      for (const secret of [access_token, refresh_token, code])
        expect(t.ctx.box.open(sealed)).not.toContain(secret)
  })
})

describe('rights', () => {
  it('end with a new password, a deactivation, another role and the user', async () => {
    const user = { user_sid: t.users.a2! }
    const own = await logIn()
    const changed = await tokensOf(own)
    const body = { old_password: 'correct horse 1', new_password: 'another horse 27' }
    expect((await t.request(own, 'POST', '/change-password', body)).statusCode).toBeLessThan(300)
    expect(await statusOf(changed.access_token)).toBe(401)
    const viewing = await tokensOf(await logIn())
    await t.as('sp1')(api.users.update, { params: user, body: { is_view_only: true } })
    expect(await statusOf(viewing.access_token)).toBe(401)
    const inactive = await tokensOf(await logIn())
    await t.as('sp1')(api.users.update, { params: user, body: { is_active: 0 } })
    expect(await statusOf(inactive.access_token)).toBe(401)
    await t.as('sp1')(api.users.update, { params: user, body: { is_active: 1 } })
    const deleted = await tokensOf(await logIn())
    await t.as('sp1-key')(api.users.remove, { params: user })
    expect(await statusOf(deleted.access_token)).toBe(401)
    expect(answers(await deleted.client.refresh(deleted.refresh_token))).toBe('400 invalid_grant')
  })
})

describe('time', () => {
  it('ends access after an hour, and what is unused after a month', async () => {
    const { access_token, refresh_token, client } = await tokensOf('sp1')
    t.clock.now = () => Date.now() + 3_601_000
    expect(await statusOf(access_token)).toBe(401)
    expect((await client.refresh(refresh_token)).statusCode).toBe(200)
    t.clock.now = () => Date.now() + 31 * DAY_MS
    expect(answers(await client.refresh(refresh_token))).toBe('400 invalid_grant')
    await purgeSessions(t.db, Date.now() + 31 * DAY_MS)
    const left = t.db.selectFrom('switchroom_program_tokens').select('token_digest')
    const { length } = await left.where('expires_at', '<', Date.now() + 31 * DAY_MS).execute()
    expect(length).toBe(0)
    t.clock.now = () => Date.now()
  })
})
