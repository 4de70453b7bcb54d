import { Redis, type RedisOptions } from 'ioredis'
import type { Live } from './live.ts'
import { StateUnreachable } from './state.ts'

/** Connects to Redis with short time limits. */
export function connect(options: RedisOptions, onError: (e: Error) => void): Redis {
  const redis = new Redis({
    ...options,
    // fails after two seconds: callers refuse rather than wait
    commandTimeout: 2_000,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 1,
    // commands of one event loop turn share a packet
    enableAutoPipelining: true,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  })
  redis.on('error', onError)
  return redis
}

const orUnreachable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause) => {
    throw new StateUnreachable('Redis does not answer', { cause })
  })

/** Live state in the platform's Redis, under the same keys as its own API server. */
export function redisLive(options: RedisOptions, onError: (e: Error) => void): Live {
  const redis = connect(options, onError)
  const scan = (prefix: string): AsyncIterable<string[]> =>
    redis.scanStream({ match: `${prefix.replace(/[\\*?[\]]/g, '\\$&')}*`, count: 1_000 })

  const live: Live = {
    isPlatforms: true,
    within: () => live,
    get: async (...keys) => (await orUnreachable(redis.mget(keys))).map((v) => v ?? undefined),
    set: async (key, value, ttl) => {
      await orUnreachable(redis.set(key, value, 'EX', ttl))
    },
    remove: async (...keys) => {
      await orUnreachable(redis.del(keys))
    },
    async increment(key, ttl) {
      const [count] = (await orUnreachable(redis.multi().incr(key).expire(key, ttl).exec())) ?? []
      if (!count || count[0])
        throw new StateUnreachable('Redis refused the transaction', { cause: count?.[0] })
      return Number(count[1])
    },
    async decrement(key) {
      // without the condition, an expired count would come back below zero and never expire
      const script = `if redis.call('exists', KEYS[1]) == 1 then redis.call('decr', KEYS[1]) end`
      await orUnreachable(redis.eval(script, 1, key))
    },
    async count(prefix) {
      const seen = new Set<string>()
      for await (const keys of scan(prefix)) for (const key of keys) seen.add(key)
      return seen.size
    },
    async removeAll(prefix) {
      for await (const keys of scan(prefix)) if (keys.length > 0) await redis.unlink(keys)
    },
    ping: async () => {
      await orUnreachable(redis.ping())
    },
    close: async () => redis.disconnect(),
  }
  return live
}
