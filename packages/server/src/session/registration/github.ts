import * as oauth from 'openid-client'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { returned } from './google.ts'
import { type IdentityProvider, SECONDS } from './identity.ts'

const User = z.object({ id: z.number().int().positive(), login: z.string().min(1).max(100) })
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** Sign-in with GitHub, over OAuth and GitHub's own user API. */
export function github(config: NonNullable<Config['oauth']['github']>): IdentityProvider {
  const { url, api_url, client_id, client_secret } = config
  const server = new oauth.Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    client_id,
    undefined,
    oauth.ClientSecretPost(client_secret),
  )
  server.timeout = SECONDS
  if (url.startsWith('http:')) oauth.allowInsecureRequests(server)

  async function getJson<T>(path: string, token: string, shape: z.ZodType<T>) {
    const answer = await fetch(`${api_url}${path}`, {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'Switchroom',
        'x-github-api-version': '2022-11-28',
      },
      redirect: 'error',
      signal: AbortSignal.timeout(SECONDS * 1000),
    })
    if (!answer.ok) {
      await answer.body?.cancel()
      throw new Error(`GitHub answered ${answer.status} for ${path}`)
    }
    return shape.parse(await answer.json())
  }

  return {
    async authorize(redirect_uri, { state, code_verifier }) {
      const to = oauth.buildAuthorizationUrl(server, {
        redirect_uri,
        scope: 'user:email',
        allow_signup: 'false',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      })
      return to.href
    },
    async identify(redirect_uri, { state, code_verifier }, callback) {
      const { access_token } = await oauth.authorizationCodeGrant(
        server,
        returned(redirect_uri, callback),
        { expectedState: state, pkceCodeVerifier: code_verifier },
      )
      const user = await getJson('/user', access_token, User)
      const emails = await getJson('/user/emails', access_token, Emails)
      const primary = emails.find((e) => e.primary)
      return {
        // logins can be renamed and reused; they never contain a colon
        id: `id:${user.id}`,
        formerly: user.login,
        email: primary?.email.toLowerCase() ?? '',
        email_verified: primary?.verified ?? false,
      }
    },
  }
}
