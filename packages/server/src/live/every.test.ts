import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { every } from './every.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const unexpected = (error: unknown) => expect.fail(String(error))

it('starts after a pause, or immediately', async () => {
  const task = vi.fn(async () => {})
  const later = every(100, task, { onError: unexpected })
  expect(task).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(100)
  expect(task).toHaveBeenCalledTimes(1)
  await later.stop()
  const now = every(100, task, { onError: unexpected, atOnce: true })
  expect(task).toHaveBeenCalledTimes(2)
  await now.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(task).toHaveBeenCalledTimes(2)
})

it('never overlaps itself, and stops once its task is done', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = vi.fn(() => promise)
  const { stop } = every(100, task, { onError: unexpected })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(task).toHaveBeenCalledTimes(1)
  const stopped = vi.fn()
  const stopping = stop().then(stopped)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(stopped).not.toHaveBeenCalled()
  resolve()
  await stopping
  await vi.advanceTimersByTimeAsync(1_000)
  expect(task).toHaveBeenCalledTimes(1)
})

it('reports a failure once, and continues', async () => {
  const outcomes = ['bad', 'bad', 'good', 'bad']
  const errors: unknown[] = []
  const task = vi.fn(async () => {
    if (outcomes.shift() === 'bad') throw new Error(`bad, ${outcomes.length} to go`)
  })
  const { stop } = every(100, task, { onError: (e) => errors.push((e as Error).message) })
  await vi.advanceTimersByTimeAsync(400)
  await stop()
  expect(errors).toEqual(['bad, 3 to go', 'bad, 0 to go'])
})
