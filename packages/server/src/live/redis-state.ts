import type { RedisOptions } from 'ioredis'
import { every } from './every.ts'
import { memoFor } from './memo-for.ts'
import { connect } from './redis.ts'
import { redisCalls } from './redis-calls.ts'
import { redisDevices } from './redis-devices.ts'
import { redisQueues } from './redis-queues.ts'
import { type PlatformState, StateUnreachable } from './state.ts'

/** Shortest interval between reads of the active calls, over all users. */
const MOMENT_MS = 500
/** Shortest interval between reads that scan all keys. */
const LONGER_MS = 1_000
const SWEEP_MS = 600_000

/**
 * The state of the platform's components in Redis. Uses its own connection, so that large reads do not
 * delay sessions.
 */
export function redisState(
  options: RedisOptions,
  cluster_id: string,
  onError: (error: unknown) => void,
): PlatformState {
  const redis = connect(options, onError)
  const calls = redisCalls(redis)
  const queues = redisQueues(redis)
  const devices = redisDevices(redis)
  const orUnreachable =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      try {
        return await ask(...args)
      } catch (cause) {
        throw new StateUnreachable('Redis does not answer', { cause })
      }
    }
  // expired calls are removed by whichever API server reads them, so this reads them regularly
  const sweep = every(
    SWEEP_MS,
    () => Promise.all([calls.activeCalls(), redis.zremrangebyscore('active-user', 0, Date.now())]),
    { onError },
  )
  return {
    calls: orUnreachable(calls.calls),
    call: orUnreachable(calls.call),
    forgetCall: orUnreachable(calls.forgetCall),
    activeCalls: orUnreachable(memoFor(calls.activeCalls, MOMENT_MS)),
    callCounts: orUnreachable(calls.callCounts),
    queues: orUnreachable(queues.queues),
    conferences: orUnreachable(queues.conferences),
    queuesAndConferences: orUnreachable(memoFor(queues.queuesAndConferences, LONGER_MS)),
    registrations: orUnreachable(devices.registrations),
    allRegistrations: orUnreachable(memoFor(devices.allRegistrations, LONGER_MS)),
    devices: orUnreachable(devices.devices),
    featureServers: orUnreachable(async () =>
      (await redis.smembers(`${cluster_id}:fs-service-url`)).sort(),
    ),
    avoidedGateways: orUnreachable(async (sids) => {
      if (sids.length === 0) return new Set<string>()
      const marks = await redis.mget(sids.map((sid) => `blacklist-sip-gateway:${sid}`))
      return new Set(sids.filter((_, i) => marks[i] !== null))
    }),
    async close() {
      const swept = sweep.stop()
      redis.disconnect()
      await swept
    },
  }
}
