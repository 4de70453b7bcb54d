import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@switchroom/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

const SECONDS = 600

/** The prefix makes browsers refuse one that another host has set, but they take it only over TLS. */
const isSecure = ({ base_url }: Config) => base_url?.startsWith('https:') ?? false
const nameIn = (config: Config) =>
  isSecure(config) ? '__Host-switchroom-oauth' : 'switchroom-oauth'

/**
 * Which browser asks, by a cookie that no script can read: what one browser has begun somewhere else, no
 * other can finish. Undefined where it is only read and there is none.
 */
export function browserOf(
  request: FastifyRequest,
  reply: FastifyReply,
  how: NonNullable<Endpoint['browser']>,
  config: Config,
): string | undefined {
  const name = nameIn(config)
  const known = request.cookies[name]
  if (how === 'known') return known
  const browser = known && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url')
  reply.setCookie(name, browser, {
    path: '/',
    httpOnly: true,
    // the way back from the provider is a navigation from elsewhere
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge: SECONDS,
  })
  return browser
}
