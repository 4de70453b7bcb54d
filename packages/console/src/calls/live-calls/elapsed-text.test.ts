import { expect, it } from 'vitest'
import { elapsedText } from './elapsed-text'

it.each([
  [0, '0:00'],
  [-3, '0:00'],
  [65.9, '1:05'],
  [600, '10:00'],
  [3_600, '1:00:00'],
  [45_296, '12:34:56'],
])('formats %s seconds as %s', (seconds, text) => {
  expect(elapsedText(seconds)).toBe(text)
})
