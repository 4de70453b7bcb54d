import { expect, it } from 'vitest'
import { sizeText } from './size-text'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [14_230_000, '14.2 MB'],
  [2_500_000_000, '2.5 GB'],
  [3e15, '3000.0 TB'],
])('shows %d bytes as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
