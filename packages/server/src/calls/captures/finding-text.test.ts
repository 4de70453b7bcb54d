import { expect, it } from 'vitest'
import { seconds } from './finding-text.ts'

it.each([
  [0, '0.0 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min 0 s'],
  [119.7, '2 min 0 s'],
  [125, '2 min 5 s'],
])('writes %d seconds as %s', (s, text) => expect(seconds(s * 1e6)).toBe(text))
