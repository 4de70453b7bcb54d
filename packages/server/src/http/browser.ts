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
  const known = request.cookies[nameIn(config)]
  if (how === 'read') return known
  const { name, browser, options } = browserCookie((name) => request.cookies[name], config)
  reply.setCookie(name, browser, { ...options, maxAge: SECONDS })
  return browser
}

/** The browser's id, if it has one already, and how it keeps it. */
export function browserCookie(read: (name: string) => string | undefined, config: Config) {
  const name = nameIn(config)
  const known = read(name)
  const options = {
    path: '/',
    httpOnly: true,
    // the OAuth provider's redirect back is a cross-site navigation
    sameSite: 'lax',
    secure: isSecure(config),
  } as const
  const isKnown = known && /^[\w-]{43}$/.test(known)
  return { name, browser: isKnown ? known : randomBytes(32).toString('base64url'), options }
}
