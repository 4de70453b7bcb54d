import type { AddToAll } from '../live/live.ts'

/** The most callers and networks counted one by one; the others of a window share a count. */
const MAX_COUNTED = 100_000
/** The most counts that are shared at once. */
const MOST_SHARED = 5_000

type Count = {
  own: number
  /** Number of these that other processes do not know yet. */
  unshared: number
  /** Count of the other processes when it was last shared. */
  others: number
}

type Window = { starts_at: number; counts: Map<string, Count> }

/**
 * Counts in fixed windows, as the platform's server does. No request waits for the counts of other processes, which are
 * as old as the latest `share`.
 */
export function requestCounts(window_ms: number, addToAll?: AddToAll, now = Date.now) {
  let window: Window = { starts_at: Number.NEGATIVE_INFINITY, counts: new Map() }
  return {
    count(key: string) {
      const at = now()
      // the same windows in all processes
      const starts_at = Math.floor(at / window_ms) * window_ms
      if (starts_at !== window.starts_at) window = { starts_at, counts: new Map() }
      const { counts } = window
      const counted = counts.size < MAX_COUNTED || counts.has(key) ? key : 'others'
      const count = counts.get(counted) ?? { own: 0, unshared: 0, others: 0 }
      count.own++
      count.unshared++
      counts.set(counted, count)
      const seconds = Math.ceil((starts_at + window_ms - at) / 1_000)
      return { count: count.own + count.others, seconds }
    },
    /** Shares this process's counts with the others, and reads theirs. */
    async share() {
      if (!addToAll) return
      const { starts_at, counts } = window
      const prefix = `switchroom:requests:${starts_at}:`
      const deltas = new Map<string, number>()
      for (const [key, { unshared }] of counts) {
        if (deltas.size === MOST_SHARED) break
        if (unshared > 0) deltas.set(`${prefix}${key}`, unshared)
      }
      if (deltas.size === 0) return
      const sums = await addToAll(deltas, Math.ceil((2 * window_ms) / 1_000))
      for (const [i, [name, delta]] of [...deltas].entries()) {
        const count = counts.get(name.slice(prefix.length))!
        count.unshared -= delta
        count.others = sums[i]! - (count.own - count.unshared)
      }
    },
  }
}
