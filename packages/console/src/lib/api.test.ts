import { ApiError } from '@switchroom/contract'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from './api'

// these modules need a browser
vi.mock('./session', () => ({ UNREACHABLE: '' }))
vi.mock('./transport', () => ({ Unreachable: class extends Error {} }))
vi.mock('./capabilities', () => ({}))

afterEach(() => {
  vi.useRealTimers()
})

it('retries a failing read three times within three seconds, and then tells why', async () => {
  vi.useFakeTimers()
  let asked = 0
  const failure = new ApiError(500, {
    code: 'internal',
    msg: 'The store failed',
    request_id: '',
    issues: [],
  })
  const queryFn = () => {
    asked++
    return Promise.reject(failure)
  }
  const reading = queryClient.fetchQuery({ queryKey: ['failing'], queryFn })
  const told = expect(reading).rejects.toBe(failure)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toBe(1)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(asked).toBe(4)
  await told
})
