import { Redis, type RedisOptions } from 'ioredis'
import { explainRedisError } from '../config/redis-error.ts'

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
    throw explainRedisError(cause ?? e, options)
  } finally {
    redis.disconnect()
  }
}
