import { createHash } from 'node:crypto'
import type { TokenClaims } from '@switchroom/contract'
import { errors, jwtVerify, SignJWT } from 'jose'

type Claims = Omit<TokenClaims, 'iat' | 'exp' | 'iat_ms' | 'jti'>

/** Session tokens as the platform's API server signs them: HS256, `exp` in seconds. */
export type Tokens = {
  lifetime_seconds: number
  now: () => number
  /** Signs a token of this session. It expires after the usual lifetime, or at `until` (ms) if that is earlier. */
  sign: (
    claims: Claims,
    session: { session_sid: string; until?: number },
  ) => Promise<{ token: string; expires_at: number }>
  /** The claims of a token signed by us or by a stock server, or why it is invalid. Never throws. */
  verify: (token: string) => Promise<Partial<TokenClaims> | 'expired' | 'unknown'>
}

/** Most verified tokens that are cached, since a screen sends several requests with the same one. */
const MAX_REMEMBERED = 2_000

export function tokens(secret: string, lifetime_seconds: number, now = Date.now): Tokens {
  const key = new TextEncoder().encode(secret)
  const remembered = new Map<string, Partial<TokenClaims>>()
  return {
    lifetime_seconds,
    now,
    async sign(claims, { session_sid, until = Number.POSITIVE_INFINITY }) {
      const issued = now()
      const expires = Math.floor(Math.min(issued + lifetime_seconds * 1000, until) / 1000)
      const token = await new SignJWT({ ...claims, iat_ms: issued })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setJti(session_sid)
        .setIssuedAt(Math.floor(issued / 1000))
        .setExpirationTime(expires)
        .sign(key)
      return { token, expires_at: expires * 1000 }
    },
    async verify(token) {
      // API keys have no dots
      if (token.split('.').length !== 3) return 'unknown'
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

const ALLOWED = 'jwt:'
export const isSessionKey = (key: string) => key.startsWith(ALLOWED)

/** The platform's allow-list key for a user's session. */
export const sessionKey = (user_sid: string) =>
  `${ALLOWED}${createHash('md5').update(user_sid).digest('hex')}:version:v2`
