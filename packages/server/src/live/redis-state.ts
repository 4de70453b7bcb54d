import type { RedisOptions } from 'ioredis'
import { connect } from './redis.ts'
import { redisCalls } from './redis-calls.ts'
import { redisDevices } from './redis-devices.ts'
import { redisGatherings } from './redis-gatherings.ts'
import { shared } from './shared.ts'
import { type PlatformState, StateUnreachable } from './state.ts'

/** However many people look, Redis is asked for everybody's calls so often. */
const MOMENT_MS = 500
/** These look through all keys there are. */
const LONGER_MS = 1_000
const SWEEP_MS = 600_000

/**
 * The state of the platform's components in their Redis. A connection of its own: what is read here is
 * large, and sessions are not to wait for it.
 */
export function redisState(
  options: RedisOptions,
  cluster_id: string,
  onError: (e: Error) => void,
): PlatformState {
  const redis = connect(options, onError)
  const calls = redisCalls(redis)
  const gatherings = redisGatherings(redis)
  const devices = redisDevices(redis)
  const reach =
    <A extends unknown[], R>(ask: (...asked: A) => Promise<R>) =>
    async (...asked: A) => {
      try {
        return await ask(...asked)
      } catch (cause) {
        throw new StateUnreachable('Redis does not answer', { cause })
      }
    }
  // what has run out is nobody's to delete but the API server's; a look at the calls does it for them
  const sweep = setInterval(() => {
    Promise.all([calls.activeCalls(), redis.zremrangebyscore('active-user', 0, Date.now())]).catch(
      onError,
    )
  }, SWEEP_MS)
  sweep.unref()
  return {
    calls: reach(calls.calls),
    call: reach(calls.call),
    forgetCall: reach(calls.forgetCall),
    activeCalls: reach(shared(calls.activeCalls, MOMENT_MS)),
    callCounts: reach(calls.callCounts),
    queues: reach(gatherings.queues),
    conferences: reach(gatherings.conferences),
    gatherings: reach(shared(gatherings.gatherings, LONGER_MS)),
    registrations: reach(devices.registrations),
    allRegistrations: reach(shared(devices.allRegistrations, LONGER_MS)),
    devices: reach(devices.devices),
    featureServers: reach(async () =>
      (await redis.smembers(`${cluster_id}:fs-service-url`)).sort(),
    ),
    async close() {
      clearInterval(sweep)
      redis.disconnect()
    },
  }
}
