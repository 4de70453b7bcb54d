import { Redis, type RedisOptions } from 'ioredis'
import type { Live } from './live.ts'
import { StateUnreachable } from './state.ts'

export type RedisLimits = {
  /** The time limit of a command. Callers refuse rather than wait. */
  command_ms: number
  /** A connection that is owed an answer and receives nothing for this long is replaced. */
  silence_ms: number
  connect_ms: number
  /** The longest pause before the next attempt to connect. */
  pause_ms: number
  /** The most commands that wait for a connection. */
  max_waiting: number
}

export const LIMITS: RedisLimits = {
  command_ms: 2_000,
  silence_ms: 1_500,
  connect_ms: 1_500,
  pause_ms: 500,
  max_waiting: 5_000,
}

/** Connects to Redis with short time limits. */
export function connect(
  options: RedisOptions,
  onError: (e: Error) => void,
  limits: RedisLimits = LIMITS,
): Redis {
  const redis = new BoundedRedis(
    {
      ...options,
      commandTimeout: limits.command_ms,
      socketTimeout: limits.silence_ms,
      connectTimeout: limits.connect_ms,
      sentinelCommandTimeout: limits.connect_ms,
      keepAlive: 5_000,
      maxRetriesPerRequest: 1,
      retryStrategy: (times) => Math.min(times * 100, limits.pause_ms),
      sentinelRetryStrategy: (times) => Math.min(times * 100, limits.pause_ms),
      // after a failover: connects to the new primary and repeats the command there
      reconnectOnError: (e) => (e.message.startsWith('READONLY') ? 2 : false),
    },
    limits.max_waiting,
  )
  redis.on('error', onError)
  return redis
}

/** Commands that the library sends to set a connection up. */
const OF_SETUP = new Set(['hello', 'auth', 'select', 'client', 'info', 'readonly'])

/**
 * The library's queue of commands that wait for a connection has no limit of its own. Commands of one event loop
 * turn share a packet; with the library's own pipelining they would also wait for the answers to those before.
 */
class BoundedRedis extends Redis {
  #waiting = 0
  #max_waiting: number

  constructor(options: Omit<RedisOptions, 'replyMapping'>, max_waiting: number) {
    super(options)
    this.#max_waiting = max_waiting
  }

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>) {
    if (this.status === 'ready') {
      this.#cork()
      return super.sendCommand(command, stream)
    }
    if (OF_SETUP.has(command.name)) return super.sendCommand(command, stream)
    if (this.#waiting >= this.#max_waiting) {
      command.reject(new Error('Too many commands wait for a connection'))
      return command.promise
    }
    this.#waiting++
    const done = () => {
      this.#waiting--
    }
    command.promise.then(done, done)
    return super.sendCommand(command, stream)
  }

  #cork() {
    const { stream } = this
    if (stream.writableCorked > 0) return
    stream.cork()
    setImmediate(() => stream.uncork())
  }
}

const orUnreachable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause) => {
    throw new StateUnreachable('Redis does not answer', { cause })
  })

/** Without the condition, an expired count would come back below zero and never expire. */
const DECREMENT = `
  for _, key in ipairs(KEYS) do
    if redis.call('exists', key) == 1 then redis.call('decr', key) end
  end
  if #ARGV > 0 then redis.call('del', unpack(ARGV)) end`

/** Live state in the platform's Redis, under the same keys as its own API server. */
export function redisLive(
  options: RedisOptions,
  onError: (e: Error) => void,
  limits: RedisLimits = LIMITS,
): Live {
  const redis = connect(options, onError, limits)
  async function* scan(prefix: string): AsyncGenerator<string[]> {
    const match = `${prefix.replace(/[\\*?[\]]/g, '\\$&')}*`
    try {
      yield* redis.scanStream({ match, count: 1_000 })
    } catch (cause) {
      throw new StateUnreachable('Redis does not answer', { cause })
    }
  }

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
    increment: async (key, ttl) => (await live.incrementAll([key], ttl))[0]!,
    async incrementAll(keys, ttl) {
      const commands = redis.multi()
      for (const key of keys) commands.incr(key).expire(key, ttl)
      const replies = (await orUnreachable(commands.exec())) ?? []
      return keys.map((_, i) => {
        const [cause, count] = replies[i * 2] ?? []
        if (cause || count === undefined)
          throw new StateUnreachable('Redis refused the transaction', { cause })
        return Number(count)
      })
    },
    async decrementAll(keys, { remove = [] } = {}) {
      await orUnreachable(redis.eval(DECREMENT, keys.length, ...keys, ...remove))
    },
    async addAll(counts, ttl) {
      const commands = redis.pipeline()
      for (const [key, more] of counts) commands.incrby(key, more).expire(key, ttl)
      const replies = (await orUnreachable(commands.exec())) ?? []
      return [...counts].map((_, i) => {
        const [cause, sum] = replies[i * 2] ?? []
        if (cause || sum === undefined)
          throw new StateUnreachable('Redis refused to count', { cause })
        return Number(sum)
      })
    },
    async count(prefix) {
      const seen = new Set<string>()
      for await (const keys of scan(prefix)) for (const key of keys) seen.add(key)
      return seen.size
    },
    async removeAll(prefix) {
      for await (const keys of scan(prefix))
        if (keys.length > 0) await orUnreachable(redis.unlink(keys))
    },
    ping: async () => {
      await orUnreachable(redis.ping())
    },
    close: async () => redis.disconnect(),
  }
  return live
}
