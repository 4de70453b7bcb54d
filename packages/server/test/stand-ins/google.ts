import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { loginPage, OAUTH_USERS, type OAuthUserName } from '../oauth-users.ts'

export const GOOGLE = { client_id: 'google-client', client_secret: 'canary-google-secret' }

/** A strict OpenID provider in place of Google. */
export async function testGoogle(redirect_uri: string) {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        ...GOOGLE,
        redirect_uris: [redirect_uri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // in the token itself, as Google does
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_, { uid }) => `/choose/${uid}` },
    findAccount: async (_, sub) => ({
      accountId: sub,
      claims: async () => {
        const { email, verified } = Object.values(OAUTH_USERS).find((p) => String(p.id) === sub)!
        return { sub, email, email_verified: verified, name: 'admin' }
      },
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
    const [, uid] = /^\/choose\/([\w-]+)$/.exec(request.url ?? '') ?? []
    if (!uid) return answer(request, response)
    if (request.method === 'GET')
      return response
        .setHeader('content-type', 'text/html')
        .end(loginPage('Google', `/choose/${uid}`))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const person = new URLSearchParams(Buffer.concat(chunks).toString()).get(
      'person',
    ) as OAuthUserName
    const accountId = String(OAUTH_USERS[person].id)
    await provider.interactionFinished(request, response, { login: { accountId, remember: false } })
  })
  return {
    issuer,
    environment: {
      SWITCHROOM_GOOGLE_ISSUER: issuer,
      GOOGLE_CLIENT_ID: GOOGLE.client_id,
      GOOGLE_OAUTH_CLIENT_SECRET: GOOGLE.client_secret,
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}
