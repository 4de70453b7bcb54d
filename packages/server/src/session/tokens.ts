import { createHash, randomUUID } from 'node:crypto'
import type { TokenClaims } from '@switchroom/contract'
import { errors, jwtVerify, SignJWT } from 'jose'

/** Signed tokens as the platform's API server makes them: HS256, `exp` in seconds. */
export type Tokens = {
  lifetime_seconds: number
  sign: (claims: Omit<TokenClaims, 'iat' | 'exp' | 'iat_ms' | 'jti'>) => Promise<string>
  /** The claims of a token of ours or of a stock server, or why not. Never throws. */
  verify: (token: string) => Promise<Partial<TokenClaims> | 'expired' | 'unknown'>
}

/** Tokens that were good a moment ago: checking a signature for every call of a screen is work for nothing. */
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
        const { payload } = await jwtVerify(token, key, options)
        if (payload.exp === undefined) return 'unknown'
        if (remembered.size >= MAX_REMEMBERED) remembered.clear()
        remembered.set(token, payload as Partial<TokenClaims>)
        return payload as Partial<TokenClaims>
      } catch (e) {
        return e instanceof errors.JWTExpired ? 'expired' : 'unknown'
      }
    },
  }
}

/** The platform's allow-list key of a user's sessions. */
export const sessionKey = (user_sid: string) =>
  `jwt:${createHash('md5').update(user_sid).digest('hex')}:version:v2`

/** Ours beside it: which tokens of a user are refused although the user may have signed in again. */
export const endedKey = (user_sid: string) => `switchroom:ended:${user_sid}`

/** Tokens issued until `before` (ms) are refused, but for the one to `keep`. */
export type Ended = { before: number; keep?: string }
