import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { batches, type Outcome } from './batches.ts'

const results = (items: number[]): Outcome<string>[] => items.map((i) => ({ result: `is ${i}` }))

it('runs what comes until it takes as one batch, and what comes later as the next', async () => {
  const batched = batches<number, string>(3)
  const seen: number[][] = []
  const work = async (take: () => number[]) => {
    await setImmediate()
    const items = take()
    seen.push(items)
    await setImmediate()
    return results(items)
  }
  const all = [1, 2, 3, 4, 5].map((i) => batched('one', i, work))
  all.push(batched('other', 6, work))
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5, 6].map((i) => `is ${i}`))
  expect(seen.filter(([i]) => i !== 6)).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
  await batched('one', 7, work)
  expect(seen.at(-1)).toEqual([7])
})

it('gives each item its own outcome, and goes on after a batch that failed', async () => {
  const batched = batches<number, string>(2)
  const failing = async (take: () => number[]) => {
    await setImmediate()
    const items = take()
    if (items.includes(1)) throw new Error('no database')
    return items.map((i) => (i === 3 ? { error: new Error('taken') } : { result: `is ${i}` }))
  }
  const all = [1, 2, 3, 4].map((i) => batched('one', i, failing))
  expect(await Promise.allSettled(all)).toMatchObject([
    { reason: { message: 'no database' } },
    { reason: { message: 'no database' } },
    { reason: { message: 'taken' } },
    { value: 'is 4' },
  ])
})

it('takes the same items when its transaction runs again', async () => {
  const batched = batches<number, string>(2)
  const seen: number[][] = []
  const work = async (take: () => number[]) => {
    seen.push(take())
    await setImmediate()
    const again = take()
    seen.push(again)
    return results(again)
  }
  const all = [1, 2, 3].map((i) => batched('one', i, work))
  expect(await Promise.all(all)).toEqual(['is 1', 'is 2', 'is 3'])
  expect(seen).toEqual([[1, 2], [1, 2], [3], [3]])
})

it('fails those who wait when it fails before it takes any', async () => {
  const batched = batches<number, string>(2)
  const all = [1, 2, 3].map((i) => batched('one', i, () => Promise.reject(new Error('away'))))
  const away = { reason: { message: 'away' } }
  expect(await Promise.allSettled(all)).toMatchObject([away, away, away])
})

it('runs each batch for the first of its items, whose request is still waiting', async () => {
  const batched = batches<number, string>(2)
  const request = new AsyncLocalStorage<number>()
  const seen: unknown[] = []
  const work = async (take: () => number[]) => {
    seen.push(request.getStore())
    return results(take())
  }
  await Promise.all([1, 2, 3].map((i) => request.run(i, () => batched('one', i, work))))
  expect(seen).toEqual([1, 3])
})
