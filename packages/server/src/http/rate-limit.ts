import { createHash } from 'node:crypto'
import { t } from '@switchroom/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { every } from '../live/every.ts'
import { bearerToken } from './authenticate.ts'
import { isApi } from './base-paths.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'
import { addressOf, networkOf } from './network.ts'
import { requestCounts } from './request-counts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Endpoints that need no credentials. */
    isPublic?: true
    /** Public endpoints that authenticate callers who send credentials. */
    optionalLogin?: true
    /** Requests outside the API that count as its own do. */
    isLimited?: true
  }
}

/** Most API keys that are recognized before the database is read. */
const MAX_KNOWN_KEYS = 10_000

/** Age that other processes' counts may have. */
const SHARE_MS = 250

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * Limits the request rate. Before authentication, requests count for their network, or for their session or
 * API key if that is proved without the database: by a token's signature, or because this key was accepted
 * before. Afterwards they count for the user or key. A header that proves nothing changes nothing.
 */
export function limitRequests(
  app: FastifyInstance,
  { tokens, config, live }: Pick<Context, 'tokens' | 'config' | 'live'>,
  { by, minutes, max }: NonNullable<Config['rate_limit']>,
) {
  const requests = requestCounts(minutes * 60_000, live.addAll)
  // without Redis, each process counts for itself
  const sharing = every(SHARE_MS, requests.share, { onError: () => undefined })
  app.addHook('onClose', sharing.stop)
  const knownKeys = new Set<string>()

  function count(key: string, reply: FastifyReply) {
    const { count, seconds } = requests.count(key)
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

  /** The credential as far as it can be verified without the database. */
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
    if (request.is404 || !(isApi(request) || request.routeOptions.config.isLimited)) return
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
