import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@switchroom/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

const SECONDS = 600

/** The `__Host-` prefix stops other hosts from setting the cookie, but browsers accept it only over TLS. */
const isSecure = ({ base_url }: Config) => base_url?.startsWith('https:') ?? false
const nameIn = (config: Config) =>
  isSecure(config) ? '__Host-switchroom-oauth' : 'switchroom-oauth'

/**
 * Identifies the browser by an HTTP-only cookie, so that only the browser that started an OAuth sign-in can
 * finish it. Undefined where `how` is `read` and there is no cookie.
 */
export function browserOf(
  request: FastifyRequest,
  reply: FastifyReply,
  how: NonNullable<Endpoint['browserCookie']>,
  config: Config,
): string | undefined {
  const name = nameIn(config)
  const known = request.cookies[name]
  if (how === 'read') return known
  const browser = known && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url')
  reply.setCookie(name, browser, {
    path: '/',
    httpOnly: true,
    // the OAuth provider's redirect back is a cross-site navigation
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge: SECONDS,
  })
  return browser
}
