import type { CallEvent, Heard } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { currentAt, positionOf, startsOf } from './follow'

const event = (at: number) => ({ kind: 'event', at }) as CallEvent
const heard = (from: number, at: number) => ({ kind: 'heard', from, at }) as Heard

// listening to the third begins before the second
const entries = [event(1_000), event(3_000), heard(2_000, 5_000), event(3_000), heard(6_000, 9_000)]

it.each([
  [999, undefined],
  [1_000, 0],
  [1_999, 0],
  [2_000, 2],
  [2_999, 2],
  [3_000, 3],
  [5_999, 3],
  [6_000, 4],
  [99_000, 4],
])('finds the entry that is heard at %i: %s', (now, index) => {
  expect(currentAt(startsOf(entries), now)).toBe(index)
})

it('finds none without entries', () => {
  expect(currentAt([], 1)).toBeUndefined()
})

it('finds each of many entries', () => {
  const many = startsOf(Array.from({ length: 4_000 }, (_, i) => event(i * 10)))
  for (const i of [0, 1, 1_999, 2_000, 3_998, 3_999]) expect(currentAt(many, i * 10 + 9)).toBe(i)
})

it('plays speech from the start of listening, the rest from its time', () => {
  expect(positionOf(heard(32_000, 35_000), 2_000)).toBe(30)
  expect(positionOf(event(32_500), 2_000)).toBe(30.5)
})

it('plays what the start of the recording cut off from there', () => {
  expect(positionOf(heard(1_000, 5_000), 2_000)).toBe(0)
  expect(positionOf(event(1_800), 2_000)).toBe(0)
})

it('does not play what was over before the recording', () => {
  expect(positionOf(heard(1_000, 1_500), 2_000)).toBeUndefined()
  expect(positionOf(event(1_699), 2_000)).toBeUndefined()
})
