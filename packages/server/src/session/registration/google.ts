import * as oauth from 'openid-client'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { type IdentityProvider, SECONDS } from './identity.ts'

const Claims = z.object({
  sub: z.string().min(1).max(200),
  email: z.email().max(255),
  email_verified: z.boolean().default(false),
})

/** Sign-in with Google, over OpenID Connect. */
export function google(config: NonNullable<Config['oauth']['google']>): IdentityProvider {
  const { issuer, client_id, client_secret } = config
  let discovered: Promise<oauth.Configuration> | undefined
  const discover = async () => {
    discovered ??= oauth.discovery(
      new URL(issuer),
      client_id,
      undefined,
      oauth.ClientSecretPost(client_secret),
      {
        timeout: SECONDS,
        execute: [
          oauth.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [oauth.allowInsecureRequests] : []),
        ],
      },
    )
    try {
      return await discovered
    } catch (e) {
      // so that the next sign-in retries the discovery
      discovered = undefined
      throw e
    }
  }
  return {
    async authorize(redirect_uri, { state, nonce, code_verifier }) {
      const url = oauth.buildAuthorizationUrl(await discover(), {
        redirect_uri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    async identify(redirect_uri, { state, nonce, code_verifier }, callback) {
      const tokens = await oauth.authorizationCodeGrant(
        await discover(),
        returned(redirect_uri, callback),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: code_verifier,
          idTokenExpected: true,
        },
      )
      const { sub, email, email_verified } = Claims.parse(tokens.claims())
      return { id: sub, email: email.toLowerCase(), email_verified }
    },
  }
}

/** The redirect URL with the parameters it was called with. */
export function returned(redirect_uri: string, callback: object) {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries(callback))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}
