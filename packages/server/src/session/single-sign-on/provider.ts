import { createHash } from 'node:crypto'
import { membersOf } from '@switchroom/contract'
import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose'
import type * as OpenId from 'openid-client'
import type { Context } from '../../http/context.ts'
import type { Memory } from '../../http/memory.ts'
import type { SingleSignOnSettings } from '../../http/single-sign-on.ts'
import type { Outbound } from '../../outbound/outbound.ts'

/** Time limit of a request to the identity provider, in seconds. */
const SECONDS = 10
const MAX_BYTES = 1_000_000
/** Time for which the published configuration is used before it is read again. */
const FRESH_MS = 600_000
/** Tolerance between the clocks, in seconds. */
const TOLERANCE = 30
/** Largest lead over our clock of an ID token's time of issue, in seconds. */
const MAX_AHEAD = 300

export type Secrets = { state: string; code_verifier: string; nonce: string }

/** The claims of a log-in, and the ID token that ends it at the provider. */
export type Verified = {
  claims: Record<string, unknown> & { sub: string; iss: string }
  id_token: string
}

const bodyOf = (body: OpenId.FetchBody): string | Buffer | undefined => {
  if (body === null || body === undefined) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  if (body instanceof Uint8Array) return Buffer.from(body)
  if (body instanceof ArrayBuffer) return Buffer.from(new Uint8Array(body))
  throw new TypeError('Requests to the identity provider are not streamed')
}

const METHODS = ['GET', 'POST'] as const

/** Sends the library's requests through the outbound guard. */
const guardedFetch =
  ({ fetch }: Outbound) =>
  async (url: string, options: { method?: string; headers?: unknown; body?: OpenId.FetchBody }) => {
    const method = METHODS.find((m) => m === (options.method ?? 'GET'))
    if (!method) throw new TypeError(`No request is sent with ${options.method}`)
    const body = bodyOf(options.body)
    const { status, headers, bytes } = await fetch(url, {
      method,
      headers: Object.fromEntries(new Headers(membersOfHeaders(options.headers))),
      ...(body !== undefined && { body }),
      timeout_ms: SECONDS * 1000,
      max_bytes: MAX_BYTES,
    })
    const type = headers['content-type']
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(bytes), {
      status,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    })
  }

const membersOfHeaders = (headers: unknown): [string, string][] =>
  headers instanceof Headers
    ? [...headers]
    : Object.entries(membersOf(headers)).map(([name, value]) => [name, String(value)])

/** Asymmetric signatures only: anyone with the client secret could make the others. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** An identity provider, as it describes itself. */
export type IdentityProvider = {
  issuer: string
  authorize: (redirect_uri: string, scopes: string, secrets: Secrets) => Promise<string>
  /** Exchanges the code. Throws for anything that does not belong to this log-in. */
  identify: (url: URL, secrets: Secrets) => Promise<Verified>
  /** URL at which the browser logs out; undefined if the provider has none. */
  endSession: (id_token: string | undefined, back: string) => string | undefined
  /** The subject or session that a logout token ends. Throws for a token that is not valid. */
  readLogoutToken: (token: string) => Promise<LogoutToken>
}
export type LogoutToken = { sub: string | undefined; sid: string | undefined; jti: string }

type Client = Pick<SingleSignOnSettings, 'issuer' | 'client_id' | 'client_secret'>

export async function openProvider(outbound: Outbound, client: Client): Promise<IdentityProvider> {
  // most servers have no identity provider
  const oauth = await import('openid-client')
  const fetch = guardedFetch(outbound)
  const { issuer, client_id, client_secret } = client
  const configuration = await oauth.discovery(
    new URL(issuer),
    client_id,
    { [oauth.clockTolerance]: TOLERANCE },
    client_secret ? withSecret(oauth, client_secret) : oauth.None(),
    {
      timeout: SECONDS,
      [oauth.customFetch]: fetch,
      execute: [
        oauth.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [oauth.allowInsecureRequests] : []),
      ],
    },
  )
  const server = configuration.serverMetadata()
  const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''), {
    timeoutDuration: SECONDS * 1000,
    [joseFetch]: fetch,
  })
  return {
    issuer: server.issuer,

    async authorize(redirect_uri, scope, { state, nonce, code_verifier }) {
      const url = oauth.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },

    async identify(url, { state, nonce, code_verifier }) {
      const tokens = await oauth.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims || !tokens.id_token) throw new TypeError('The answer has no ID token')
      // the library compares `nbf` and `exp` only
      if (claims.iat > Date.now() / 1000 + MAX_AHEAD)
        throw new TypeError('The ID token was issued in the future')
      // groups are often only in the second one
      const more = server.userinfo_endpoint
        ? await oauth.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
      return { claims: { ...more, ...claims }, id_token: tokens.id_token }
    },

    endSession: (id_token, post_logout_redirect_uri) =>
      server.end_session_endpoint
        ? oauth.buildEndSessionUrl(configuration, {
            post_logout_redirect_uri,
            ...(id_token && { id_token_hint: id_token }),
          }).href
        : undefined,

    async readLogoutToken(token) {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: server.issuer,
        audience: client_id,
        algorithms: ALGORITHMS,
        requiredClaims: ['iat', 'exp', 'jti', 'events'],
        maxTokenAge: 300,
        clockTolerance: TOLERANCE,
      })
      const { sub, sid, jti, nonce, events } = payload
      const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '')
      if (type !== undefined && type !== 'logout+jwt' && type !== 'jwt')
        throw new TypeError('This is not a logout token')
      if (nonce !== undefined || typeof membersOf(events)[LOGOUT_EVENT] !== 'object')
        throw new TypeError('This is not a logout token')
      if (typeof jti !== 'string' || (typeof sub !== 'string' && typeof sid !== 'string'))
        throw new TypeError('The token names neither a user nor a session')
      return { jti, sub, sid: typeof sid === 'string' ? sid : undefined }
    },
  }
}

/** Sends the secret as the provider wants it, in a header unless it only takes the body. */
const withSecret =
  (oauth: typeof OpenId, secret: string): OpenId.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const basic = !methods || methods.includes('client_secret_basic')
    const send = basic ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
    return send(server, client, body, headers)
  }

type Opened = { key: string; until: number; provider: Promise<IdentityProvider> }
const opened = new WeakMap<Memory, Opened>()

/** The configured identity provider. Its configuration is read every ten minutes. */
export async function providerOf(
  { memory, outbound }: Pick<Context, 'memory' | 'outbound'>,
  { issuer, client_id, client_secret }: Client,
): Promise<IdentityProvider> {
  const key = createHash('sha256')
    .update(JSON.stringify([issuer, client_id, client_secret]))
    .digest('hex')
  const known = opened.get(memory)
  if (known && known.key === key && known.until > Date.now()) return known.provider
  const provider = openProvider(outbound, { issuer, client_id, client_secret })
  opened.set(memory, { key, until: Date.now() + FRESH_MS, provider })
  // so that the next log-in tries again
  provider.catch(() => {
    if (opened.get(memory)?.provider === provider) opened.delete(memory)
  })
  return provider
}
