import type { Redis } from 'ioredis'
import { pipeline } from './redis-calls.ts'
import type { Excerpt, PlatformState, QueueOrConference } from './state.ts'

/** Keys per scan step, and the most steps. */
const STEP = 2_000
const STEPS = 1_000

async function keys(redis: Redis, match: string) {
  const found = new Set<string>()
  let cursor = '0'
  for (let step = 0; step < STEPS; step++) {
    const [next, some] = await redis.scan(cursor, 'MATCH', match, 'COUNT', STEP)
    for (const key of some) found.add(key)
    if (next === '0') return { found: [...found], complete: true }
    cursor = next
  }
  return { found: [...found], complete: false }
}

/** Parses `queue:<account>:<name>`; like the platform, takes the text after the last colon as the name. */
const parts = (key: string) => ({
  account_sid: key.split(':')[1] ?? '',
  name: key.slice(key.lastIndexOf(':') + 1),
})
/** True for a conference's list of callers who wait for its start. */
const isWaitList = (key: string) => /^conf:[^:]*:.+:waitlist$/s.test(key)

const byName = (a: QueueOrConference, b: QueueOrConference) => a.name.localeCompare(b.name, 'en')

async function queues(redis: Redis, match: string): Promise<Excerpt<QueueOrConference>> {
  const { found, complete } = await keys(redis, match)
  const lengths = await pipeline(
    redis,
    found.map((key) => ['zcard', key]),
  )
  const items = found.map((key, i) => ({
    kind: 'queue' as const,
    ...parts(key),
    length: Number(lengths[i]),
  }))
  return { items: items.sort(byName), complete }
}

async function conferences(redis: Redis, match: string): Promise<Excerpt<QueueOrConference>> {
  const { found, complete } = await keys(redis, match)
  const held = found.filter((key) => !isWaitList(key))
  const waiting = await pipeline(
    redis,
    held.map((key) => ['scard', `${key}:waitlist`]),
  )
  const items = held.map((key, i) => ({
    kind: 'conference' as const,
    ...parts(key),
    length: Number(waiting[i]),
  }))
  return { items: items.sort(byName), complete }
}

type QueuesAndConferences = Pick<PlatformState, 'queues' | 'conferences' | 'queuesAndConferences'>

export const redisQueues = (redis: Redis): QueuesAndConferences => ({
  queues: async (account_sid, glob = '*') =>
    (await queues(redis, `queue:${account_sid}:${glob}`)).items,
  conferences: async (account_sid) => (await conferences(redis, `conf:${account_sid}:*`)).items,
  async queuesAndConferences() {
    const all = await Promise.all([queues(redis, 'queue:*'), conferences(redis, 'conf:*')])
    return { items: all.flatMap((a) => a.items), complete: all.every((a) => a.complete) }
  },
})
