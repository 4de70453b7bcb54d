import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loginPage, OAUTH_USERS, type OAuthUserName } from '../oauth-users.ts'

export const GITHUB = { client_id: 'github-client', client_secret: 'canary-github-secret' }

type Grant = { person: OAuthUserName; scope: string; challenge: string }

/** GitHub's OAuth web flow and its two user endpoints, as documented. Rejects anything else. */
export async function testGithub(redirect_uri: string) {
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, Grant>()
  const people = structuredClone(OAUTH_USERS)

  function authorize(request: IncomingMessage, url: URL, body: string) {
    const parameter = (name: string) => url.searchParams.get(name) ?? ''
    if (parameter('client_id') !== GITHUB.client_id) return { status: 404 }
    const fits =
      parameter('redirect_uri') === redirect_uri &&
      parameter('state').length >= 20 &&
      parameter('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(parameter('code_challenge'))
    if (!fits) return { status: 400 }
    if (request.method === 'GET')
      return { html: loginPage('GitHub', `${url.pathname}${url.search.replaceAll('&', '&amp;')}`) }
    const code = randomBytes(10).toString('hex')
    const person = new URLSearchParams(body).get('person') as OAuthUserName
    codes.set(code, { person, scope: parameter('scope'), challenge: parameter('code_challenge') })
    return {
      location: `${redirect_uri}?code=${code}&state=${encodeURIComponent(parameter('state'))}`,
    }
  }

  function exchange(request: IncomingMessage, body: string) {
    const sent = new URLSearchParams(body)
    // GitHub returns OAuth errors with status 200
    const refused = (error: string) => ({ json: { error, error_description: error } })
    if (request.method !== 'POST') return { status: 404 }
    if (!request.headers.accept?.includes('application/json')) return { status: 406 }
    if (
      sent.get('client_id') !== GITHUB.client_id ||
      sent.get('client_secret') !== GITHUB.client_secret
    )
      return refused('incorrect_client_credentials')
    if (sent.get('redirect_uri') !== redirect_uri) return refused('redirect_uri_mismatch')
    const code = sent.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    const verifier = createHash('sha256').update(sent.get('code_verifier') ?? '')
    if (grant?.challenge !== verifier.digest('base64url')) return refused('bad_verification_code')
    const access_token = `gho_canary${randomBytes(12).toString('hex')}`
    tokens.set(access_token, grant)
    return { json: { access_token, scope: grant.scope, token_type: 'bearer' } }
  }

  function respond({ headers }: IncomingMessage, path: string) {
    if (!headers['user-agent']) return { status: 403 }
    const grant = tokens.get(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    if (!grant) return { status: 401 }
    const { id, login, email, verified } = people[grant.person]
    if (path === '/user') return { json: { id, login, name: 'admin', email: null } }
    if (!grant.scope.split(/[ ,]/).includes('user:email')) return { status: 404 }
    const second = { email: `${login}@users.noreply.example`, primary: false, verified: true }
    return { json: [second, { email, primary: true, verified, visibility: 'private' }] }
  }

  type Answer = { status?: number; html?: string; json?: unknown; location?: string }
  const send = (response: ServerResponse, { status, html, json, location }: Answer) => {
    if (location) response.setHeader('location', location)
    if (html) response.setHeader('content-type', 'text/html')
    if (json) response.setHeader('content-type', 'application/json; charset=utf-8')
    response.statusCode = status ?? (location ? 302 : 200)
    response.end(html ?? (json ? JSON.stringify(json) : ''))
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/login/oauth/authorize') send(response, authorize(request, url, body))
    else if (url.pathname === '/login/oauth/access_token') send(response, exchange(request, body))
    else if (['/user', '/user/emails'].includes(url.pathname))
      send(response, respond(request, url.pathname))
    else send(response, { status: 404 })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    /** The users of the API. Tests may let someone else take a name. */
    people,
    environment: {
      SWITCHROOM_GITHUB_URL: url,
      SWITCHROOM_GITHUB_API_URL: url,
      GITHUB_CLIENT_ID: GITHUB.client_id,
      GITHUB_CLIENT_SECRET: GITHUB.client_secret,
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}
