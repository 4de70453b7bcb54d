import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { api } from '@switchroom/contract'
import { afterEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { MCP } from '../../../test/mcp.ts'
import { BACK, browser, connect, pageOf, program } from '../../../test/programs.ts'
import { BASE_PATH } from '../../http/base-paths.ts'
import { outbound } from '../../outbound/outbound.ts'

let t: TestApp
afterEach(() => t.close())

const METADATA = {
  client_name: 'Assistant',
  redirect_uris: [BACK],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

/** A program made with the protocol's own SDK, and its storage. */
function sdkProgram(client_id: string | undefined) {
  const kept = { client_id, tokens: undefined as OAuthTokens | undefined, verifier: '', asked: '' }
  const auth: OAuthClientProvider = {
    redirectUrl: BACK,
    clientMetadata: METADATA,
    clientInformation: () => (kept.client_id ? { client_id: kept.client_id } : undefined),
    saveClientInformation: (made) => void Object.assign(kept, { client_id: made.client_id }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { asked: url.href }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
  }
  return { kept, auth }
}

async function listening(programs: string) {
  t = await testApp({ ...MCP, SWITCHROOM_PROGRAMS: programs })
  const url = await t.app.listen({ host: '127.0.0.1', port: 0 })
  t.ctx.config.base_url = url
  const open = (auth: OAuthClientProvider) => {
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      authProvider: auth,
    })
    return { transport, client: new Client({ name: 'test', version: '1' }) }
  }
  return { url, open }
}

it.each([
  ['that an administrator has listed', 'listed'],
  ['that registers itself', 'any'],
])('a client of the protocol’s SDK %s goes all the way', async (_, programs) => {
  const { open } = await listening(programs)
  const body = { name: 'Assistant', redirect_uris: [BACK] }
  const listed = programs === 'listed' && (await t.as('admin')(api.programs.create, { body })).sid
  const { kept, auth } = sdkProgram(listed || undefined)
  const first = open(auth)
  await expect(first.client.connect(first.transport as never)).rejects.toThrow(UnauthorizedError)
  expect(new URL(kept.asked).searchParams.get('resource')).toMatch(/\/mcp$/)
  const back = await connect(t, 'a1', kept.asked)
  await first.transport.finishAuth(back.searchParams.get('code')!)
  const { client, transport } = open(auth)
  await client.connect(transport as never)
  const found = await client.callTool({ name: 'find', arguments: { text: 'a1' } })
  expect(JSON.stringify(found.content)).toContain('a1')
  // an expired token is refreshed by itself
  const { access_token } = kept.tokens!
  await t.db
    .updateTable('switchroom_program_tokens')
    .set({ expires_at: 0 })
    .where('session_sid', 'is not', null)
    .where('sealed', 'in', await sealedOf('AccessToken'))
    .execute()
  await client.callTool({ name: 'find', arguments: { text: 'a1' } })
  expect(kept.tokens!.access_token).not.toBe(access_token)
  const [session] = await t.as('a1')(api.sessions.list, {})
  expect(session).toMatchObject({ method: 'program', program: { name: 'Assistant' } })
  await t.as('a1')(api.sessions.end, { params: { session_sid: session!.session_sid } })
  await expect(client.callTool({ name: 'find', arguments: { text: 'a1' } })).rejects.toThrow()
  await client.close()
})

async function sealedOf(kind: string) {
  const rows = await t.db.selectFrom('switchroom_program_tokens').select('sealed').execute()
  return rows
    .map(({ sealed }) => sealed)
    .filter((sealed) => t.ctx.box.open(sealed)?.includes(`"kind":"${kind}"`))
}

it('lets nobody register unless the operator lets everybody', async () => {
  t = await testApp(MCP)
  const register = { method: 'POST', url: '/oauth/register', payload: METADATA } as const
  expect((await t.app.inject(register)).statusCode).toBe(404)
})

it('registers nobody who could be sent to run something', async () => {
  t = await testApp({ ...MCP, SWITCHROOM_PROGRAMS: 'any' })
  for (const uri of [
    'javascript:alert(1)',
    'data:text/html,x',
    'http://evil.example/',
    'nonsense',
  ]) {
    const payload = { ...METADATA, redirect_uris: [uri] }
    const answer = await t.app.inject({ method: 'POST', url: '/oauth/register', payload })
    expect(answer.statusCode, uri).toBe(400)
  }
  const made = await t.app.inject({ method: 'POST', url: '/oauth/register', payload: METADATA })
  expect(made.json()).not.toHaveProperty('client_secret')
  const open = browser(t)
  const { client_id } = made.json()
  const asked = await open(program(t, client_id).address())
  const path = `${BASE_PATH}/ProgramRequests/${pageOf(asked.headers.location)}`
  expect((await open(path, { token: t.bearer.a1! })).json()).toMatchObject({ is_verified: false })
  // nobody vouches for it, so that it gets the tools for agents and no more
  const api_too = program(t, client_id).address({ resource: 'http://console.test/api/v1' })
  expect((await t.app.inject({ url: api_too })).headers.location).toContain('invalid_target')
})

it('knows a program by its published document', async () => {
  const client_id = 'https://assistant.example/client.json'
  const asked: string[] = []
  const guarded = outbound([])
  t = await testApp(
    { ...MCP, SWITCHROOM_PROGRAMS: 'published' },
    {
      ...guarded,
      fetch: async (url) => {
        asked.push(url)
        const text = JSON.stringify({
          ...METADATA,
          client_id,
          client_name: `Pub\u202elished${'x'.repeat(200)}`,
        })
        return { status: 200, headers: {}, bytes: Buffer.from(text), text }
      },
    },
  )
  const open = browser(t)
  const { location } = (await open(program(t, client_id).address())).headers
  const path = `${BASE_PATH}/ProgramRequests/${pageOf(location)}`
  expect((await open(path, { token: t.bearer.a1! })).json()).toMatchObject({
    name: `Published${'x'.repeat(91)}`,
    client_id,
    is_verified: false,
  })
  expect(asked).toEqual([client_id])
  const long = `https://assistant.example/${'x'.repeat(500)}`
  expect((await open(program(t, long).address())).statusCode).toBe(400)
  expect(asked).toEqual([client_id])
  const metadata = await t.app.inject({ url: '/.well-known/oauth-authorization-server' })
  expect(metadata.json()).toMatchObject({ client_id_metadata_document_supported: true })
})

it('asks no internal address for a document', async () => {
  t = await testApp({ ...MCP, SWITCHROOM_PROGRAMS: 'published' })
  for (const host of ['127.0.0.1:1', '10.0.0.1', '169.254.169.254', 'localhost:1']) {
    const { statusCode, headers } = await t.app.inject({
      url: program(t, `https://${host}/client.json`).address(),
    })
    expect({ statusCode, location: headers.location }).toEqual({
      statusCode: 400,
      location: undefined,
    })
  }
})

it('is asked for behind a proxy that ends TLS, with cookies that no other host can set', async () => {
  t = await testApp({ ...MCP, JAMBONZ_BASE_URL: 'https://console.test' })
  const body = { name: 'Assistant', redirect_uris: [BACK] }
  const { sid } = await t.as('admin')(api.programs.create, { body })
  const client = program(t, sid)
  const asked = await t.app.inject({ url: client.address() })
  expect(asked.headers.location).toMatch(/^https:\/\/console\.test\/internal\/connect\//)
  const { cookies } = asked
  expect(cookies.length).toBeGreaterThan(1)
  for (const one of cookies) expect(one).toMatchObject({ secure: true, httpOnly: true })
  expect(cookies.map(({ name }) => name)).toContain('__Host-switchroom-oauth')
  const back = await connect(t, 'a1', client.address())
  expect((await client.exchange(back.searchParams.get('code')!)).statusCode).toBe(200)
})
