import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

export const CLIENT = { client_id: 'switchroom', client_secret: 'canary-sso-client-secret' }

type Claims = Record<string, unknown>
/** People at the identity provider, by the name on its log-in page; tests change their claims. */
export const newPeople = (): Record<string, Claims> => ({
  olga: {
    email: 'olga@acme.example',
    email_verified: true,
    preferred_username: 'olga',
    groups: ['ops', 'staff'],
  },
  vera: {
    email: 'vera@acme.example',
    email_verified: true,
    preferred_username: 'vera',
    tenant: 'X',
  },
  stranger: { email: 'stranger@acme.example', email_verified: true, groups: [] },
})

type Uris = { redirect_uri: string; log_out_uri: string; backchannel_logout_uri: string }
type TokenAnswer = { id_token: string } & Record<string, unknown>

/** Made once: it takes longer than most tests. */
let signing: ReturnType<typeof generateKeyPair> | undefined

/** A strict OpenID provider, whose token answers tests can tamper with. */
export async function identityProvider(uris: Uris) {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = newPeople()
  signing ??= generateKeyPair('RS256', { extractable: true })
  const { privateKey } = await signing
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'first' }
  const behavior: {
    /** Replaces the answer of the token endpoint. */
    tamper: ((answer: TokenAnswer) => Promise<object>) | undefined
    /** Delivers logout tokens in place of the network, which the provider would not let it reach. */
    deliver: ((form: string) => Promise<number>) | undefined
  } = { tamper: undefined, deliver: undefined }
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [uris.redirect_uri],
        post_logout_redirect_uris: [uris.log_out_uri],
        backchannel_logout_uri: uris.backchannel_logout_uri,
        backchannel_logout_session_required: true,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [key] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub', 'sid', 'groups', 'tenant'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
    },
    // in the token itself, as most providers do
    conformIdTokenClaims: false,
    fetch: async (_, options) => {
      const status = await behavior.deliver?.(String(options?.body))
      return new Response(null, { status: status ?? 404 })
    },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_, { uid }) => `/choose/${uid}` },
    findAccount: async (_, sub) => ({
      accountId: sub,
      claims: async () => ({ ...people[sub.replace(/^id-/, '')], sub }),
    }),
    // choosing a user grants the requested scopes
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (request.url === '/token' && behavior.tamper) {
      const { tamper } = behavior
      const end = response.end.bind(response)
      response.end = ((body: Buffer | string) => {
        tamper(JSON.parse(body.toString())).then((tampered) => {
          response.removeHeader('content-length')
          end(JSON.stringify(tampered))
        })
        return response
      }) as typeof response.end
    }
    const [, uid] = /^\/choose\/([\w-]+)$/.exec(request.url ?? '') ?? []
    if (!uid) return answer(request, response)
    if (request.method === 'GET') {
      const buttons = Object.keys(people).map(
        (name) => `<button name="person" value="${name}">Continue as ${name}</button>`,
      )
      return response
        .setHeader('content-type', 'text/html')
        .end(
          `<!doctype html><html lang="en"><title>Acme ID</title><h1>Acme ID</h1><form method="post" action="/choose/${uid}">${buttons.join('')}</form></html>`,
        )
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const person = new URLSearchParams(Buffer.concat(chunks).toString()).get('person')
    await provider.interactionFinished(request, response, {
      login: { accountId: `id-${person}`, remember: false },
    })
  })
  return {
    issuer,
    people,
    behavior,
    /** Signs claims with the provider's own key. */
    sign: (claims: JWTPayload, header: object = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header })
        .sign(privateKey),
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}
export type IdentityProviderStandIn = Awaited<ReturnType<typeof identityProvider>>
