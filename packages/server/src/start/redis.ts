import { Redis, type RedisOptions } from 'ioredis'
import { CannotStart } from '../config/cannot-start.ts'
import { errorCode, errorText } from '../errors/members.ts'

/**
 * Checks that Redis answers and accepts our credentials. Throws `CannotStart`, where the server would retry
 * forever.
 */
export async function checkRedis(options: RedisOptions) {
  const redis = new Redis({
    ...options,
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  })
  let cause: unknown
  redis.on('error', (e) => {
    cause = e
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (e) {
    throw explain(cause ?? e, options)
  } finally {
    redis.disconnect()
  }
}

function explain(cause: unknown, { sentinels, host, port, name }: RedisOptions) {
  const code = errorCode(cause) ?? ''
  const message = errorText(cause, 'message') ?? ''
  const at = sentinels
    ? sentinels.map((s) => `${s.host}:${s.port}`).join(', ')
    : `${host ?? ''}:${port ?? ''}`
  const address = sentinels
    ? 'JAMBONES_REDIS_SENTINELS'
    : 'JAMBONES_REDIS_HOST, JAMBONES_REDIS_PORT'
  const later = (text: string) => new CannotStart(text, { status: 1, cause })
  if (/NOAUTH|WRONGPASS|invalid password|without any password/i.test(message))
    return new CannotStart(
      `JAMBONES_REDIS_USERNAME, JAMBONES_REDIS_PASSWORD: Redis at ${at} does not accept these credentials.`,
      { cause },
    )
  if (/ENOTFOUND|EAI_/.test(`${code} ${message}`))
    return later(
      sentinels
        ? `${address}: no host name of ${at} can be resolved.`
        : `JAMBONES_REDIS_HOST: the host name "${host}" cannot be resolved.`,
    )
  if (sentinels)
    return later(`${address}: no sentinel at ${at} knows a reachable master called "${name}".`)
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code))
    return new CannotStart(
      `JAMBONES_REDIS_TLS_CA_FILE: no TLS connection to Redis at ${at} (${code}).`,
      { cause },
    )
  if (code === 'ECONNREFUSED') return later(`${address}: nothing listens at ${at}.`)
  return later(`${address}: Redis at ${at} does not answer.`)
}
