import { expect, it } from 'vitest'
import type { Ask } from './ports.ts'
import { streamed, streams } from './streams.ts'

/** Batches of two from a stand-in for another thread. */
function thread(batches: number) {
  const read: number[] = []
  let open = 0
  const operations = streams(async function* () {
    open += 1
    try {
      for (let batch = 0; batch < batches; batch++) {
        read.push(batch)
        yield [2 * batch, 2 * batch + 1]
      }
    } finally {
      open -= 1
    }
  })
  const named = operations as unknown as Record<string, (...args: unknown[]) => unknown>
  const ask: Ask = async (what, ...args) => {
    await Promise.resolve()
    return (await named[what]!(...args)) as never
  }
  return { ask, read, open: () => open }
}

it('streams all, and reads one batch while the last one is used', async () => {
  const { ask, read, open } = thread(4)
  const seen: number[] = []
  for await (const value of streamed<number>(ask)) {
    await new Promise(setImmediate)
    expect(read).toHaveLength(Math.min(4, Math.floor(value / 2) + 2))
    seen.push(value)
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(open()).toBe(0)
})

it('closes what it reads from when its reader leaves', async () => {
  const { ask, read, open } = thread(100)
  for await (const value of streamed<number>(ask)) if (value === 3) break
  expect(open()).toBe(0)
  expect(read.length).toBeLessThan(5)
})

it('tells its reader what failed, and stops', async () => {
  const operations = streams(async function* () {
    yield [1]
    throw new Error('the disk is gone')
  })
  const named = operations as unknown as Record<string, (...args: unknown[]) => unknown>
  const ask: Ask = async (what, ...args) => (await named[what]!(...args)) as never
  const seen: number[] = []
  const all = async () => {
    for await (const value of streamed<number>(ask)) seen.push(value)
  }
  await expect(all).rejects.toThrow('the disk is gone')
  expect(seen).toEqual([1])
})
