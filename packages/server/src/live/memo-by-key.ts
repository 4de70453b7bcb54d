import { memoFor } from './memo-for.ts'

/** Caches reads by key for `max_age_ms`, the latest `most` keys. Concurrent callers share one read. */
export function memoByKey<T>(max_age_ms: number, most: number, now?: () => number) {
  const kept = new Map<string, () => Promise<T>>()
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const memo = kept.get(key) ?? memoFor(read, max_age_ms, now)
    kept.delete(key)
    kept.set(key, memo)
    if (kept.size > most) kept.delete(kept.keys().next().value!)
    return memo()
  }
}
export type MemoByKey<T> = ReturnType<typeof memoByKey<T>>
