import type { Live } from './live.ts'

const HOUR = 3_600_000

/**
 * Counts an event in the current clock hour. Resolves to the seconds until the next hour when above `max`,
 * else to 0. Further attempts do not extend the wait.
 */
export async function hourly({ live }: { live: Live }, what: string, max: number) {
  const now = Date.now()
  const times = await live.increment(`switchroom:${what}:${Math.floor(now / HOUR)}`, HOUR / 1000)
  return times > max ? Math.ceil((HOUR - (now % HOUR)) / 1000) : 0
}
