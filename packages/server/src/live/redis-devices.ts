import { isRecord } from '@switchroom/contract'
import type { Redis } from 'ioredis'
import { members } from './redis-calls.ts'
import type { Device, PlatformState, Registration } from './state.ts'

const USERS = 'active-user'
const BATCH = 1_000
const MAX_REGISTRATIONS = 100_000

const asText = (pattern: string) => pattern.replace(/[\\*?[\]^-]/g, '\\$&')

/** Parses `user:<user>@<realm>`; the user part may contain an @. */
function registration(key: string, expires: number): Registration | undefined {
  const at = key.lastIndexOf('@')
  if (!key.startsWith('user:') || at < 0) return undefined
  return { user: key.slice(5, at), realm: key.slice(at + 1).toLowerCase(), expires }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

/** Parses the registrar's record; undefined when invalid. */
function device(json: string | null): Device | undefined {
  if (json === null) return undefined
  try {
    const parsed: unknown = JSON.parse(json)
    if (!isRecord(parsed)) return undefined
    return {
      contact: text(parsed.contact),
      sbcAddress: text(parsed.sbcAddress),
      protocol: text(parsed.protocol),
      proxy: text(parsed.proxy),
      expiryTime: Number(parsed.expiryTime) || 0,
    }
  } catch {
    return undefined
  }
}

type Devices = Pick<PlatformState, 'registrations' | 'allRegistrations' | 'devices'>

export const redisDevices = (redis: Redis): Devices => ({
  async registrations(realm) {
    const wanted = realm.toLowerCase()
    const keys = await members(redis, USERS, `user:*@${asText(wanted)}`)
    if (keys.length === 0) return []
    const expiry: (string | null)[] = []
    for (let i = 0; i < keys.length; i += BATCH)
      expiry.push(...(await redis.zmscore(USERS, ...keys.slice(i, i + BATCH))))
    return keys.flatMap((key, i) => {
      const found = registration(key, Number(expiry[i]))
      // the pattern's star may match an @
      return found && found.realm === wanted && found.expires > Date.now() ? [found] : []
    })
  },
  async allRegistrations() {
    const flat = await redis.zrangebyscore(
      USERS,
      Date.now(),
      '+inf',
      'WITHSCORES',
      'LIMIT',
      0,
      MAX_REGISTRATIONS + 1,
    )
    const found = Array.from({ length: Math.min(flat.length / 2, MAX_REGISTRATIONS) }, (_, i) =>
      registration(flat[2 * i]!, Number(flat[2 * i + 1])),
    )
    return {
      items: found.filter((r) => r !== undefined),
      complete: flat.length / 2 <= MAX_REGISTRATIONS,
    }
  },
  async devices(users) {
    const found: (Device | undefined)[] = []
    for (let i = 0; i < users.length; i += BATCH) {
      const keys = users.slice(i, i + BATCH).map((user) => `user:${user}`)
      found.push(...(await redis.mget(keys)).map(device))
    }
    return found
  },
})
