import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Finding, health } from './registry.ts'

it('keeps since when a part has been in its state, and its last error', () => {
  let ms = Date.parse('2026-01-31T12:00:00Z')
  const { report, parts } = health({ now: () => ms })
  const after = (seconds: number) => {
    ms += seconds * 1_000
  }
  expect(parts()).toEqual([])
  report('redis', 'ok')
  expect(parts()).toEqual([
    {
      part: 'redis',
      state: 'ok',
      since: '2026-01-31T12:00:00.000Z',
      sentence: null,
      last_error: null,
      checked_at: '2026-01-31T12:00:00.000Z',
    },
  ])
  after(10)
  report('redis', 'failing', 'Redis does not answer')
  after(10)
  report('redis', 'failing', 'Redis refuses connections')
  expect(parts()[0]).toMatchObject({
    state: 'failing',
    since: '2026-01-31T12:00:10.000Z',
    last_error: { at: '2026-01-31T12:00:20.000Z', sentence: 'Redis refuses connections' },
    checked_at: '2026-01-31T12:00:20.000Z',
  })
  after(10)
  report('redis', 'ok', 'Answers in 1 ms')
  expect(parts()).toEqual([
    {
      part: 'redis',
      state: 'ok',
      since: '2026-01-31T12:00:30.000Z',
      sentence: 'Answers in 1 ms',
      last_error: { at: '2026-01-31T12:00:20.000Z', sentence: 'Redis refuses connections' },
      checked_at: '2026-01-31T12:00:30.000Z',
    },
  ])
})

it('shows no credentials of a URL, and no end of a long sentence', () => {
  const { report, parts } = health()
  report('mail', 'failing', 'connect smtp://me:pa55@mail.example:25/?key=k1 failed')
  expect(parts()[0]!.sentence).toBe('connect smtp://mail.example:25 failed')
  report('mail', 'failing', 'x'.repeat(10_000))
  expect(parts()[0]!.sentence!.length).toBeLessThan(1_000)
})

it('ends although a check takes long, and reports nothing afterwards', async () => {
  const { watch, start, stop, parts } = health()
  let answer: (found: Finding) => void = () => undefined
  const run = () => new Promise<Finding>((resolve) => (answer = resolve))
  watch({ part: 'mail', every_ms: 60_000, limit_ms: 60_000, run })
  start()
  await stop()
  answer({ state: 'failing' })
  await nextTurn()
  expect(parts()).toEqual([])
})
