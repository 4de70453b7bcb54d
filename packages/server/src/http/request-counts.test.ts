import { expect, it } from 'vitest'
import type { AddToAll } from '../live/live.ts'
import { requestCounts } from './request-counts.ts'

const MINUTE = 60_000

it('counts in windows, and says when the next one begins', () => {
  let now = 10 * MINUTE + 1_500
  const { count } = requestCounts(MINUTE, undefined, () => now)
  expect(count('a')).toEqual({ count: 1, seconds: 59 })
  expect(count('b').count).toBe(1)
  now += 58_000
  expect(count('a')).toEqual({ count: 2, seconds: 1 })
  now += 500
  expect(count('a')).toEqual({ count: 1, seconds: 60 })
})

it('counts callers beyond a hundred thousand together', () => {
  const { count } = requestCounts(MINUTE, undefined, () => 0)
  for (let i = 0; i < 100_000; i++) count(String(i))
  expect([count('new').count, count('newer').count, count('5').count]).toEqual([1, 2, 2])
})

it('adds what other processes have counted', async () => {
  const sums = new Map<string, number>()
  const shared: [number, number][] = []
  const addToAll: AddToAll = async (counts, ttl) => {
    shared.push([counts.size, ttl])
    return [...counts].map(([key, more]) => {
      const sum = (sums.get(key) ?? 0) + more
      sums.set(key, sum)
      return sum
    })
  }
  let now = 0
  const [one, other] = [0, 1].map(() => requestCounts(MINUTE, addToAll, () => now))
  for (let i = 0; i < 3; i++) one!.count('a')
  other!.count('b')
  await one!.share()
  expect(other!.count('a').count).toBe(1)
  await other!.share()
  expect(other!.count('a').count).toBe(5)
  expect(one!.count('a').count).toBe(4)
  await one!.share()
  await other!.share()
  // nothing new is nothing to share
  const times = shared.length
  await one!.share()
  expect(shared).toHaveLength(times)
  expect([one!.count('a').count, other!.count('a').count]).toEqual([6, 7])
  expect(shared.every(([, ttl]) => ttl === 120)).toBe(true)
  now = MINUTE
  expect(one!.count('a').count).toBe(1)
})

it('keeps what it could not share, and counts on meanwhile', async () => {
  let told: number[] = []
  let isAway = true
  const counts = requestCounts(
    MINUTE,
    async (all) => {
      if (isAway) throw new Error('away')
      told = [...all.values()]
      return told
    },
    () => 0,
  )
  counts.count('a')
  await expect(counts.share()).rejects.toThrow('away')
  expect(counts.count('a').count).toBe(2)
  isAway = false
  await counts.share()
  expect(told).toEqual([2])
  expect(counts.count('a').count).toBe(3)
})
