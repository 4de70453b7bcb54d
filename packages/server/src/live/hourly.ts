import type { Live } from './live.ts'

const HOUR = 3_600_000

/**
 * Counts something for the hour of the clock. Resolves to the seconds until the next one where it was too
 * often, else to 0. Every hour begins anew: who goes on trying does not keep others out for longer.
 */
export async function hourly({ live }: { live: Live }, what: string, max: number) {
  const now = Date.now()
  const times = await live.increment(`switchroom:${what}:${Math.floor(now / HOUR)}`, HOUR / 1000)
  return times > max ? Math.ceil((HOUR - (now % HOUR)) / 1000) : 0
}
