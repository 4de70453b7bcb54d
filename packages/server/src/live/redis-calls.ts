import { ACTIVE_STATUSES, isOneOf, membersOf } from '@switchroom/contract'
import type { Redis } from 'ioredis'
import type { ActiveCall, CallRecord, Excerpt, PlatformState } from './state.ts'

const CALLS = 'active-call-sids'
const BATCH = 1_000
/** The most calls read at once, including those that ended in the last hour. */
const MAX_CALLS = 50_000
/** A call without a record for this long has ended: the record is written along with its set entry. */
const GONE_MS = 60_000

const FIELDS = [
  'callStatus',
  'from',
  'to',
  'direction',
  'applicationSid',
  'originatingSipTrunkName',
  'callId',
] as const

const keyOf = (account_sid: string, call_sid: string) => `call:${account_sid}:${call_sid}`
const isActive = (status: string) => isOneOf(ACTIVE_STATUSES, status)

/** Runs commands in one pipeline and returns their values. Throws the first error. */
export async function pipeline(redis: Redis, commands: [string, ...(string | number)[]][]) {
  const values: unknown[] = []
  for (let i = 0; i < commands.length; i += BATCH) {
    const results = await redis.pipeline(commands.slice(i, i + BATCH)).exec()
    for (const [error, value] of results ?? []) {
      if (error) throw error
      values.push(value)
    }
  }
  return values
}

/** Members of a sorted set that match; the scan may return duplicates. */
export async function members(redis: Redis, set: string, match: string) {
  const found = new Set<string>()
  // members and scores by turns
  const scan: AsyncIterable<string[]> = redis.zscanStream(set, { match, count: BATCH })
  for await (const some of scan) for (let i = 0; i < some.length; i += 2) found.add(some[i]!)
  return [...found]
}

type Calls = Pick<PlatformState, 'calls' | 'call' | 'forgetCall' | 'activeCalls' | 'callCounts'>

export function redisCalls(redis: Redis): Calls {
  // most of the set are ended calls, which never come back, so each is read only once
  let ended = new Set<string>()

  async function activeCalls(): Promise<Excerpt<ActiveCall>> {
    const flat = await redis.zrevrange(CALLS, 0, MAX_CALLS, 'WITHSCORES')
    const found = Array.from({ length: Math.min(flat.length / 2, MAX_CALLS) }, (_, i) => ({
      key: flat[2 * i]!,
      since: Number(flat[2 * i + 1]),
    }))
    const toRead = found.filter(({ key }) => !ended.has(key))
    const values = await pipeline(
      redis,
      toRead.map(({ key }) => ['hmget', key, ...FIELDS]),
    )
    const stillEnded = new Set(found.flatMap(({ key }) => (ended.has(key) ? [key] : [])))
    const items: ActiveCall[] = []
    const expired: string[] = []
    toRead.forEach(({ key, since }, i) => {
      const read = values[i]
      const record: CallRecord = {}
      if (Array.isArray(read))
        for (const [n, field] of FIELDS.entries())
          if (typeof read[n] === 'string') record[field] = read[n]
      const [, account_sid, call_sid] = key.split(':')
      if (!record.callStatus) {
        if (Date.now() - since > GONE_MS) expired.push(key)
      } else if (!isActive(record.callStatus)) stillEnded.add(key)
      else if (account_sid && call_sid) items.push({ account_sid, call_sid, since, record })
    })
    ended = stillEnded
    if (expired.length > 0) await redis.zrem(CALLS, ...expired)
    return { items, complete: flat.length / 2 <= MAX_CALLS }
  }

  return {
    activeCalls,
    async calls(account_sid) {
      const keys = await members(redis, CALLS, keyOf(account_sid, '*'))
      const commands = keys.slice(0, MAX_CALLS).map((key): [string, string] => ['hgetall', key])
      const found = await pipeline(redis, commands)
      return found.map(toRecord).filter((call) => Object.keys(call).length > 0)
    },
    async call(account_sid, call_sid) {
      const call = await redis.hgetall(keyOf(account_sid, call_sid))
      return Object.keys(call).length > 0 ? call : undefined
    },
    async forgetCall(account_sid, call_sid) {
      const key = keyOf(account_sid, call_sid)
      const [deleted] = await pipeline(redis, [
        ['del', key],
        ['zrem', CALLS, key],
      ])
      return deleted === 1
    },
    async callCounts(account_sids) {
      if (account_sids.length === 0) return []
      const keys = account_sids.flatMap((sid) => [
        `incalls:account:${sid}`,
        `outcalls:account:${sid}`,
      ])
      const counts = (await redis.mget(keys)).map((n) => (n === null ? undefined : Number(n)))
      return account_sids.map((_, i) => ({ inbound: counts[2 * i], outbound: counts[2 * i + 1] }))
    },
  }
}

/** Pipelines given as a list return hashes either as objects or as flat arrays. */
const toRecord = (answer: unknown): CallRecord =>
  Object.fromEntries(
    Array.isArray(answer)
      ? Array.from({ length: answer.length / 2 }, (_, i) => [
          String(answer[2 * i]),
          String(answer[2 * i + 1]),
        ])
      : Object.entries(membersOf(answer)).map(([name, value]) => [name, String(value)]),
  )
