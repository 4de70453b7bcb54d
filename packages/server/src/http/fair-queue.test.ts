import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fairQueue, type Lane } from './fair-queue.ts'

const limits = { doing: 'checking passwords', atOnce: 1, perLane: 3, inAll: 4, longest_ms: 5_000 }
let queue: ReturnType<typeof fairQueue>
let order: string[]
let open: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  queue = fairQueue(limits)
  order = []
  open = []
})
afterEach(() => vi.useRealTimers())

const add = (lane: Lane, name: string) => {
  const done = queue(lane, async () => {
    order.push(name)
    await new Promise<void>((resolve) => open.push(resolve))
    return name
  })
  return done.catch((e: Error & { code?: string }) => e.code)
}
const from = (network: string) => (name: string) => add({ network }, name)
const finishAll = async () => {
  for (let i = 0; i < 20; i++) {
    open.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
}

it('serves people who are signed in first, and networks in turn', async () => {
  const [one, two] = [from('one'), from('two')]
  void one('a')
  for (const name of ['b', 'c', 'd']) void one(name)
  void two('e')
  void add({ signedIn: 'user' }, 'f')
  await finishAll()
  expect(order).toEqual(['a', 'f', 'b', 'e', 'c', 'd'])
})

it('refuses what is too much for one lane, and for all', async () => {
  void from('one')('running')
  const waiting = ['a', 'b', 'c', 'd'].map(from('one'))
  expect(await waiting[3]).toBe('too_many')
  void from('two')('e')
  // the network that waits most gives way to one that does not wait yet
  void from('three')('f')
  expect(await waiting[2]).toBe('unavailable')
  void from('four')('g')
  expect(await waiting[1]).toBe('unavailable')
  expect(await from('five')('h')).toBe('unavailable')
  void add({ signedIn: 'user' }, 'i')
  await finishAll()
  expect(order).toEqual(['running', 'i', 'a', 'e', 'f', 'g'])
})

it('refuses what waits too long, and goes on', async () => {
  void from('one')('a')
  const late = from('one')('b')
  await vi.advanceTimersByTimeAsync(limits.longest_ms)
  expect(await late).toBe('unavailable')
  await finishAll()
  void from('one')('c')
  await finishAll()
  expect(order).toEqual(['a', 'c'])
})

it('goes on after work that failed', async () => {
  await expect(queue({ network: 'one' }, () => Promise.reject(new Error('no')))).rejects.toThrow()
  void from('one')('a')
  await finishAll()
  expect(order).toEqual(['a'])
})
