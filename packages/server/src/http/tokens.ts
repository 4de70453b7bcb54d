import { createHash, randomUUID } from 'node:crypto'
import type { TokenClaims } from '@switchroom/contract'
import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'

/** Session tokens as the platform's API server signs them: HS256, `exp` in seconds. */
export type Tokens = {
  lifetime_seconds: number
  sign: (claims: Omit<TokenClaims, 'iat' | 'exp' | 'iat_ms' | 'jti'>) => Promise<string>
  /** The claims of a token signed by us or by a stock server, or why it is invalid. Never throws. */
  verify: (token: string) => Promise<Partial<TokenClaims> | 'expired' | 'unknown'>
}

/** How many verified tokens are cached, since a screen sends several requests with the same one. */
const MAX_REMEMBERED = 2_000

export function tokens(secret: string, lifetime_seconds: number, now = Date.now): Tokens {
  const key = new TextEncoder().encode(secret)
  const remembered = new Map<string, Partial<TokenClaims>>()
  return {
    lifetime_seconds,
    sign: (claims) => {
      const issued = now()
      return new SignJWT({ ...claims, iat_ms: issued })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setJti(randomUUID())
        .setIssuedAt(Math.floor(issued / 1000))
        .setExpirationTime(Math.floor(issued / 1000) + lifetime_seconds)
        .sign(key)
    },
    async verify(token) {
      const known = remembered.get(token)
      if (known) return (known.exp ?? 0) * 1000 > now() ? known : 'expired'
      try {
        const options = { algorithms: ['HS256'], currentDate: new Date(now()) }
        const { payload } = await jwtVerify<Partial<TokenClaims>>(token, key, options)
        if (payload.exp === undefined) return 'unknown'
        if (remembered.size >= MAX_REMEMBERED) remembered.clear()
        remembered.set(token, payload)
        return payload
      } catch (e) {
        return e instanceof errors.JWTExpired ? 'expired' : 'unknown'
      }
    },
  }
}

/** The platform's allow-list key for a user's session. */
export const sessionKey = (user_sid: string) =>
  `jwt:${createHash('md5').update(user_sid).digest('hex')}:version:v2`

/** Our own key beside it: which tokens of a user are refused, even if the user has logged in again. */
export const endedKey = (user_sid: string) => `switchroom:ended:${user_sid}`

/** Tokens issued until `before` (ms) are refused, except for the token whose id is `keep`. */
export const Ended = z.object({ before: z.number(), keep: z.string().optional() })
export type Ended = z.infer<typeof Ended>
