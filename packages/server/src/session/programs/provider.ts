import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { errors, type InteractionResults, interactionPolicy, Provider } from 'oidc-provider'
import { browserCookie } from '../../http/browser.ts'
import type { Context } from '../../http/context.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { CLI, issuerOf, useOf } from './addresses.ts'
import * as programs from './queries.ts'
import { storeFor } from './store.ts'

const MINUTE = 60
const DAY = 86_400

/** Time limit for the person's decision. */
const REQUEST_SECONDS = 10 * MINUTE
/** Longest time that a connection lasts unused, and altogether. */
export const UNUSED_SECONDS = 30 * DAY
const LONGEST_SECONDS = 90 * DAY

/** Longest client id that is stored. */
const MAX_CLIENT_ID = 500

const browserKey = (request_id: string) => `switchroom:program-request:${request_id}`

/** A request, and the browser that sent it: no other browser decides about it. */
export async function findRequest(
  { live }: Pick<Context, 'live'>,
  provider: Provider,
  request_id: string,
  browser: string | undefined,
) {
  const [its] = await live.get(browserKey(request_id))
  return its !== undefined && its === browser ? provider.Interaction.find(request_id) : undefined
}

/** The answer of the person, which the browser takes back to the library. */
export async function answerRequest(
  request: NonNullable<Awaited<ReturnType<typeof findRequest>>>,
  result: InteractionResults,
) {
  Object.assign(request, { result })
  await request.save(request.exp - Math.floor(Date.now() / 1000))
  return request.returnTo
}

/** The authorization server of OAuth 2.1: codes with PKCE for public clients, and nothing else. */
export const providerOf = (ctx: Context) => (ctx.memory.programServer ??= open(ctx))

function open(ctx: Context) {
  const { config, db, outbound, live, log } = ctx
  const issuer = issuerOf(config)
  const secure = issuer.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure } as const
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { Check, Prompt } = interactionPolicy
  const provider = new Provider(issuer, {
    adapter: storeFor(ctx),
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      registration: '/oauth/register',
      jwks: '/oauth/jwks',
    },
    // it wants one to sign with; there are no ID tokens
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    clientDefaults: {
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: ['read', 'write'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    cookies: { keys: [ctx.box.digest('cookies of programs')], short: cookie, long: cookie },
    ttl: {
      AccessToken: 60 * MINUTE,
      AuthorizationCode: MINUTE,
      Grant: LONGEST_SECONDS,
      Interaction: REQUEST_SECONDS,
      RefreshToken: UNUSED_SECONDS,
      Session: REQUEST_SECONDS,
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    // pages of any website may be clients: neither codes nor tokens come by cookies
    clientBasedCORS: () => true,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
      },
      registration: {
        enabled: config.programs === 'any',
        issueRegistrationAccessToken: false,
        idFactory: () => randomUUID(),
      },
      clientIdMetadataDocument: {
        enabled: config.programs !== 'listed',
        ack: 'draft-02',
        allowFetch: async (_, { length }) => length <= MAX_CLIENT_ID,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_, __, several) => several ?? [],
        useGrantedResource: async () => true,
        async getResourceServerInfo(_, resource, client) {
          const use = useOf(config, resource)
          if (!use || (use === 'api' && !(await isListed(ctx, client.clientId))))
            throw new errors.InvalidTarget()
          return { scope: 'read write', accessTokenFormat: 'opaque' }
        },
      },
    },
    async findAccount(_, accountId) {
      const user = await db
        .selectFrom('users')
        .select('user_sid')
        .where('user_sid', '=', accountId)
        .where('is_active', '=', 1)
        .executeTakeFirst()
      return user && { accountId, claims: async () => ({ sub: accountId }) }
    },
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId
      return id ? provider.Grant.find(id) : undefined
    },
    interactions: {
      policy: [
        new Prompt(
          { name: 'login', requestable: true },
          new Check(
            'undecided',
            'the person has not decided yet',
            ({ oidc }) => !oidc.result?.login,
          ),
        ),
      ],
      async url({ cookies }, { uid }) {
        const read = (name: string) => cookies.get(name, { signed: false })
        const { name, browser, options } = browserCookie(read, config)
        const maxAge = REQUEST_SECONDS * 1000
        cookies.set(name, browser, { ...options, maxAge, signed: false })
        await live.set(browserKey(uid), browser, REQUEST_SECONDS)
        return `${config.base_url}/internal/connect/${uid}`
      },
    },
    fetch: guardedFetch(outbound),
    async renderError(response, { error, error_description }) {
      response.type = 'text'
      response.body = `Not connected: the request of the program is not valid, or has expired. Start again in the program.\n\n${error}: ${error_description}\n`
    },
  })
  // its addresses come from the issuer, see `serve.ts`
  provider.proxy = true
  provider.on('server_error', (_, err) => log.error({ err }, 'a request of a program failed'))
  return provider
}

/** True if an administrator vouches for a program, or it is our own. */
export async function isListed({ db }: Pick<Context, 'db'>, client_id: string) {
  if (client_id === CLI.program_sid) return true
  const program = await programs.find(db, client_id)
  return program !== undefined && !program.is_self_registered
}

const DOCUMENT = { timeout_ms: 2_500, max_bytes: 20_000 }

/** Fetch for the library, which reads documents of clients. */
const guardedFetch =
  ({ fetch }: Outbound) =>
  async (url: string | URL | Request) => {
    const { status, headers, bytes } = await fetch(String(url), {
      ...DOCUMENT,
      method: 'GET',
      headers: { accept: 'application/json' },
    })
    const control = headers['cache-control']
    return new Response(new Uint8Array(bytes), {
      status,
      headers: typeof control === 'string' ? { 'cache-control': control } : {},
    })
  }
