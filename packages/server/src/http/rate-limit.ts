import { createHash } from 'node:crypto'
import { t } from '@switchroom/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { bearerToken } from './authenticate.ts'
import { isApi } from './base-paths.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'
import { addressOf, networkOf } from './network.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Endpoints that need no credentials. */
    isPublic?: true
    /** Public endpoints that authenticate callers who send credentials. */
    optionalLogin?: true
  }
}

/** The most callers and networks counted one by one; the others of a window share a count. */
const MAX_COUNTED = 100_000
/** The most API keys whose callers are told from strangers before the database is asked. */
const MAX_KNOWN_KEYS = 10_000

/** Counts in fixed windows of this process, as on the platform's server. */
export function requestCounts(window_ms: number, now = () => performance.now()) {
  let counts = new Map<string, number>()
  let ends_at = Number.NEGATIVE_INFINITY
  return (key: string) => {
    const at = now()
    if (at >= ends_at) {
      counts = new Map()
      ends_at = at + window_ms
    }
    const counted = counts.size < MAX_COUNTED || counts.has(key) ? key : 'others'
    const count = (counts.get(counted) ?? 0) + 1
    counts.set(counted, count)
    return { count, seconds: Math.ceil((ends_at - at) / 1000) }
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * Limits the request rate. Before authentication, requests count for their network, or for their session or
 * API key if that is proved without the database: by a token's signature, or because this key was accepted
 * before. Afterwards they count for the user or key. A header that proves nothing changes nothing.
 */
export function limitRequests(
  app: FastifyInstance,
  { tokens, config }: Pick<Context, 'tokens' | 'config'>,
  { by, minutes, max }: NonNullable<Config['rate_limit']>,
) {
  const countOf = requestCounts(minutes * 60_000)
  const knownKeys = new Set<string>()

  function count(key: string, reply: FastifyReply) {
    const { count, seconds } = countOf(key)
    reply.headers({
      'x-ratelimit-limit': max,
      'x-ratelimit-remaining': Math.max(0, max - count),
      'x-ratelimit-reset': seconds,
    })
    if (count > max)
      throw new Failure('too_many', t('Too many requests, please try again later.'), {
        retry_after: seconds,
      })
  }

  /** What is proved without the database. */
  async function credential({ headers, routeOptions: { config: route } }: FastifyRequest) {
    if (route.isPublic && !route.optionalLogin) return undefined
    const token = bearerToken(headers.authorization)
    if (!token) return undefined
    const claims = await tokens.verify(token)
    if (typeof claims === 'object') return `session:${claims.jti ?? digest(token)}`
    const key = digest(token)
    return knownKeys.has(key) ? `key:${key}` : undefined
  }

  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || !isApi(request)) return
    if (by === 'system') return count('system', reply)
    const proved = by === 'ip' ? undefined : await credential(request)
    count(proved ?? `network:${networkOf(addressOf(request, config))}`, reply)
  })

  app.addHook('preParsing', async ({ scope, headers }, reply) => {
    if (!scope || by === 'system' || by === 'ip') return
    const token = bearerToken(headers.authorization)
    if (scope.api_key_sid && token) {
      if (knownKeys.size >= MAX_KNOWN_KEYS) knownKeys.clear()
      knownKeys.add(digest(token))
    }
    count(`caller:${scope.user_sid ?? scope.api_key_sid}`, reply)
  })

  app.addHook('onResponse', async ({ scope, headers }, reply) => {
    const token = reply.statusCode === 401 && !scope && bearerToken(headers.authorization)
    if (token) knownKeys.delete(digest(token))
  })
}
