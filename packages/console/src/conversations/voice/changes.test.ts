import { expect, it } from 'vitest'
import {
  countedShown,
  countShown,
  isUncertain,
  percentileShown,
  shareShown,
  timeShown,
} from './changes'

it('shows counts with what they are compared with', () => {
  expect(countShown(1_120, 1_000)).toEqual({
    text: '1,120',
    other: '1,000',
    change: { way: 'up', text: '12 % more' },
  })
  expect(countShown(50, 100).change).toEqual({ way: 'down', text: '50 % fewer' })
  expect(countShown(5, 5).change).toEqual({ way: 'same', text: 'The same' })
  expect(countShown(5, 0).change).toBeUndefined()
  expect(countShown(5, undefined)).toEqual({ text: '5' })
})

it('shows shares, of which more are worse, better or neither', () => {
  const [more, fewer] = [
    { n: 4, of: 100 },
    { n: 2, of: 100 },
  ]
  expect(shareShown(more, fewer, 'up')).toEqual({
    text: '4.0 %',
    other: '2.0 %',
    change: { way: 'up', text: '2.0 points higher', tone: 'worse' },
  })
  expect(shareShown(more, fewer, 'down').change?.tone).toBe('better')
  expect(shareShown(more, fewer).change?.tone).toBeUndefined()
  expect(shareShown(fewer, more, 'up').change).toEqual({
    way: 'down',
    text: '2.0 points lower',
    tone: 'better',
  })
  // of nothing there is no share, and nothing to compare
  expect(shareShown({ n: 0, of: 0 }, fewer)).toEqual({ text: '–', other: '2.0 %' })
  expect(countedShown({ n: 1_234, of: 10_000 }, undefined).text).toBe('1,234 (12.3 %)')
  expect(countedShown({ n: 0, of: 0 }, undefined).text).toBe('0')
})

it('shows times, unknown ones not as nothing', () => {
  expect(timeShown(2_400, 1_200)).toEqual({
    text: '2.40 s',
    other: '1.20 s',
    change: { way: 'up', text: '1.20 s longer', tone: 'worse' },
  })
  expect(timeShown(900, 1_200).change).toEqual({
    way: 'down',
    text: '300 ms shorter',
    tone: 'better',
  })
  expect(timeShown(0, 0)).toMatchObject({ text: '0 ms', change: { way: 'same' } })
  expect(timeShown(null, 1_200)).toEqual({ text: '–', other: '1.20 s' })
  expect(timeShown(1_200, null)).toEqual({ text: '1.20 s', other: '–' })
  expect(timeShown(null, null)).toEqual({ text: '–' })
})

it('calls no percentile of few times better or worse', () => {
  const times = (known: number, ms: number) => ({ known, p50: ms, p95: ms, p99: ms })
  const worse = { way: 'up', text: '200 ms longer', tone: 'worse' }
  expect(percentileShown(times(30, 700), times(30, 500), 'p95')).toEqual({
    text: '700 ms',
    other: '500 ms',
    change: worse,
  })
  const neither = { ...worse, tone: undefined }
  expect(percentileShown(times(30, 700), times(2, 500), 'p95')).toEqual({
    text: '700 ms',
    other: '500 ms (of 2)',
    change: neither,
  })
  expect(percentileShown(times(2, 700), times(30, 500), 'p50').change).toEqual(neither)
  expect(percentileShown(times(2, 700), undefined, 'p50')).toEqual({ text: '700 ms' })
})

it('takes percentiles of few times for uncertain', () => {
  const known = (known: number) => ({ known, p50: 1, p95: 1, p99: 1 })
  expect([0, 1, 29, 30].map((n) => isUncertain(known(n)))).toEqual([false, true, true, false])
})
