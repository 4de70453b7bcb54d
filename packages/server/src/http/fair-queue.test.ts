import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FairQueue, fairQueue, type Lane } from './fair-queue.ts'

const limits = { doing: 'checking passwords', atOnce: 1, perLane: 3, inAll: 4, longest_ms: 5_000 }
let queue: FairQueue
let order: string[]
let open: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  queue = fairQueue(limits)
  order = []
  open = []
})
afterEach(() => vi.useRealTimers())

const add = (lane: Lane, name: string, left?: AbortSignal) => {
  const work = async () => {
    order.push(name)
    await new Promise<void>((resolve) => open.push(resolve))
    return name
  }
  return queue(lane, work, left).catch((e: Error & { code?: string }) => e.code)
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

describe('with a limit for each lane', () => {
  const of = (signedIn: string) => (name: string, left?: AbortSignal) =>
    add({ signedIn }, name, left)
  beforeEach(() => {
    queue = fairQueue({ ...limits, atOnce: 3, atOncePerLane: 2 })
  })

  it('runs no more of one at once, and leaves the rest to others, in turn', async () => {
    const [one, two, three] = [of('one'), of('two'), of('three')]
    for (const name of ['a', 'b', 'c', 'd']) void one(name)
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual(['a', 'b'])
    for (const name of ['e', 'f']) void two(name)
    void three('g')
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual(['a', 'b', 'e'])
    expect(queue.load()).toEqual([
      { lane: { signedIn: 'one' }, running: 2, waiting: 2 },
      { lane: { signedIn: 'two' }, running: 1, waiting: 1 },
      { lane: { signedIn: 'three' }, running: 0, waiting: 1 },
    ])
    await finishAll()
    expect(order).toEqual(['a', 'b', 'e', 'c', 'f', 'g', 'd'])
    expect(queue.load()).toEqual([])
  })

  it('passes over a lane that has its share already', async () => {
    for (const name of ['a', 'b', 'c']) void of('one')(name)
    for (const name of ['d', 'e']) void of('two')(name)
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual(['a', 'b', 'd'])
    open[2]!()
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual(['a', 'b', 'd', 'e'])
    await finishAll()
  })

  it('says when to come again by how long its work takes', async () => {
    const one = of('one')
    for (const name of ['a', 'b']) void one(name)
    await vi.advanceTimersByTimeAsync(30_000)
    await finishAll()
    for (const name of ['c', 'd', 'e', 'f', 'g']) void one(name)
    await expect(queue({ signedIn: 'one' }, async () => 'h')).rejects.toMatchObject({
      code: 'too_many',
      message:
        'The server is still busy checking passwords for you. Please try again in 5 seconds.',
      retry_after: 5,
    })
    expect(queue.refused()).toBe(1)
  })

  it('tells apart who waits for others and who for work of their own', async () => {
    for (const name of ['a', 'b']) void of('one')(name)
    const own = of('one')('c')
    await vi.advanceTimersByTimeAsync(limits.longest_ms)
    expect(await own).toBe('too_many')
    void of('two')('d')
    const others = of('three')('e')
    await vi.advanceTimersByTimeAsync(limits.longest_ms)
    expect(await others).toBe('unavailable')
  })

  it('forgets whoever leaves while waiting', async () => {
    for (const name of ['a', 'b']) void of('one')(name)
    const left = new AbortController()
    const gone = of('one')('c', left.signal)
    void of('one')('d')
    left.abort()
    expect(queue.load()).toMatchObject([{ running: 2, waiting: 1 }])
    expect(await gone).toBe('unavailable')
    await finishAll()
    expect(order).toEqual(['a', 'b', 'd'])
  })
})
