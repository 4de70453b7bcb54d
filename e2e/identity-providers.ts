import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { freePort } from '../scripts/services.ts'

const CLIENT = { client_id: 'switchroom', client_secret: 'a secret between the two of us' }

const listen = async (port: number, answer: (q: IncomingMessage, r: ServerResponse) => void) => {
  const server = createServer(answer)
  await new Promise<void>((r) => server.listen(port, '127.0.0.1', r))
  return server
}
const close = (server: Server) =>
  new Promise<void>((r) => {
    server.closeAllConnections()
    server.close(() => r())
  })

/**
 * In place of Google: an OpenID provider where everybody may sign in under any name, which becomes their
 * address at example.org. Those whose name begins with `new-` have not proved that it is theirs.
 */
export async function startGoogle(console_url: string) {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${console_url}/oauth-callback/google`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    // as Google has it: what was asked for is in the token
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: `google-${id}`,
        name: id,
        email: `${id}@example.org`,
        email_verified: !id.startsWith('new-'),
      }),
    }),
    cookies: { keys: [randomBytes(16).toString('hex')] },
  })
  const server = await listen(port, provider.callback())
  return {
    environment: {
      GOOGLE_CLIENT_ID: CLIENT.client_id,
      GOOGLE_OAUTH_CLIENT_SECRET: CLIENT.client_secret,
      SWITCHROOM_GOOGLE_ISSUER: issuer,
    },
    stop: () => close(server),
  }
}

type Person = { id: number; emails: { email: string; primary: boolean; verified: boolean }[] }
type Grant = { login: string; redirect_uri: string; challenge: string }

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

async function formOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

/** In place of GitHub, after its documents: the same paths, parameters, checks and answers. */
export async function startGitHub(console_url: string, people: Record<string, Person>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, string>()

  const send = (response: ServerResponse, status: number, type: string, body: string) =>
    response.writeHead(status, { 'content-type': type }).end(body)
  const json = (response: ServerResponse, status: number, body: unknown) =>
    send(response, status, 'application/json; charset=utf-8', JSON.stringify(body))

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    const redirect_uri = asked.get('redirect_uri') ?? ''
    if (asked.get('client_id') !== CLIENT.client_id) return json(response, 404, {})
    if (redirect_uri !== `${console_url}/oauth-callback/github`)
      return send(
        response,
        400,
        'text/plain',
        'The redirect_uri is not associated with this application.',
      )
    if (!asked.get('state') || asked.get('code_challenge_method') !== 'S256')
      return send(response, 400, 'text/plain', 'state and code_challenge are required here')
    const back = (answer: Record<string, string>) => {
      const to = new URL(redirect_uri)
      for (const [name, value] of Object.entries({ ...answer, state: asked.get('state')! }))
        to.searchParams.set(name, value)
      return to.href
    }
    const link = (label: string, to: string) =>
      `<p><a href="${to.replaceAll('&', '&amp;')}">${label}</a></p>`
    const ways = Object.keys(people).map((login) => {
      const code = randomBytes(10).toString('hex')
      grants.set(code, { login, redirect_uri, challenge: asked.get('code_challenge')! })
      return link(`Authorize as ${login}`, back({ code }))
    })
    const denied = link('Cancel', back({ error: 'access_denied' }))
    send(response, 200, 'text/html', `<h1>Authorize Switchroom</h1>${ways.join('')}${denied}`)
  }

  async function exchange(request: IncomingMessage, response: ServerResponse) {
    const asked = await formOf(request)
    const grant = grants.get(asked.get('code') ?? '')
    grants.delete(asked.get('code') ?? '')
    // refusals come with 200, as there
    const refuse = (error: string) => json(response, 200, { error, error_description: error })
    if (asked.get('client_id') !== CLIENT.client_id)
      return json(response, 404, { error: 'Not Found' })
    if (asked.get('client_secret') !== CLIENT.client_secret)
      return refuse('incorrect_client_credentials')
    if (!grant) return refuse('bad_verification_code')
    if (asked.get('redirect_uri') !== grant.redirect_uri) return refuse('redirect_uri_mismatch')
    if (digest(asked.get('code_verifier') ?? '') !== grant.challenge)
      return refuse('bad_verification_code')
    const access_token = `gho_${randomBytes(18).toString('hex')}`
    tokens.set(access_token, grant.login)
    const answer = { access_token, scope: 'user:email', token_type: 'bearer' }
    if (/json/.test(request.headers.accept ?? '')) return json(response, 200, answer)
    const type = 'application/x-www-form-urlencoded; charset=utf-8'
    return send(response, 200, type, String(new URLSearchParams(answer)))
  }

  const server = await listen(port, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (pathname === '/login/oauth/authorize') return authorize(searchParams, response)
    if (pathname === '/login/oauth/access_token' && request.method === 'POST')
      return void exchange(request, response)
    if (!request.headers['user-agent']) return json(response, 403, { message: 'Forbidden' })
    const login = tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
    const person = login === undefined ? undefined : people[login]
    if (!person) return json(response, 401, { message: 'Bad credentials' })
    if (pathname === '/user') return json(response, 200, { login, id: person.id, email: null })
    if (pathname === '/user/emails') return json(response, 200, person.emails)
    json(response, 404, { message: 'Not Found' })
  })
  return {
    environment: {
      GITHUB_CLIENT_ID: CLIENT.client_id,
      GITHUB_CLIENT_SECRET: CLIENT.client_secret,
      SWITCHROOM_GITHUB_URL: url,
      SWITCHROOM_GITHUB_API_URL: url,
    },
    stop: () => close(server),
  }
}
