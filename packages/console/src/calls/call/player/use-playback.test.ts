import { expect, it } from 'vitest'
import { clock, jumpTarget } from './use-playback'

it.each([
  [0, -1, 60, 0],
  [10, -1, 60, 0],
  [20, -1, 60, 5],
  [20, 1, 60, 35],
  [50, 1, 60, 59],
  [60, 1, 60, 59],
  [0, 1, 0.5, 0],
  [0, 1, 0, 0],
] as const)(
  'jumps from second %d %d times 15 s in a recording of %d s to %d',
  (at, by, length, to) => {
    expect(jumpTarget(at, by, length)).toBe(to)
  },
)

it.each([
  [0, '00:00'],
  [59.99, '00:59'],
  [61, '01:01'],
  [4_503, '75:03'],
  [-1, '00:00'],
])('formats %d as %s', (seconds, text) => expect(clock(seconds)).toBe(text))
