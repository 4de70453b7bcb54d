import { expect, it } from 'vitest'
import { linesOf, placesOf, type Slot, scaleOf } from './spans'

const none = { known: 0, p50: null, p95: null, p99: null }
const slot = (hour: number, p95: number | null): Slot => ({
  time: `2026-01-31T${hour}:00:00.000Z`,
  until: `2026-01-31T${hour + 1}:00:00.000Z`,
  calls: 1,
  turns: 1,
  not_understood: 0,
  timed_out: 0,
  failed: 0,
  hung_up: 0,
  response: { ...none, p95 },
  answer: none,
  barge_ins: 0,
  barge_in_known: 0,
  talk_over: none,
  silence_before: none,
  talk_known: 0,
  caller_talk: 0,
  application_talk: 0,
})

it('interrupts a line where hours are empty or times unknown', () => {
  const places = placesOf([slot(10, 1), slot(11, 2), slot(12, null), slot(13, 3), slot(19, 4)])
  expect(places.map(({ left, width }) => [left, width])).toEqual([
    [0, 0.1],
    [0.1, 0.1],
    [0.2, 0.1],
    [0.3, 0.1],
    [0.9, 0.1],
  ])
  const lines = linesOf(places, ({ response }) => response.p95)
  expect(lines.map((line) => line.map(({ value }) => value))).toEqual([[1, 2], [3], [4]])
})

it('scales to round values', () => {
  expect(scaleOf(3_300)).toEqual([0, 1_000, 2_000, 3_000, 4_000])
  expect(scaleOf(30)).toEqual([0, 10, 20, 30])
  expect(scaleOf(1)).toEqual([0, 0.5, 1])
  expect(scaleOf(0)).toEqual([0, 1])
  for (const highest of [2, 7, 99, 101, 1_234, 86_400_000]) {
    const scale = scaleOf(highest)
    expect(scale.at(-1)).toBeGreaterThanOrEqual(highest)
    expect(scale.length).toBeLessThanOrEqual(5)
  }
})
