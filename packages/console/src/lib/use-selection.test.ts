import { expect, it } from 'vitest'
import { ticked } from './use-selection'

const visible = ['a', 'b', 'c', 'd']
const on = (chosen: string[], key: string, from?: string) =>
  [...ticked(new Set(chosen), visible, { key, on: true, from })].sort().join('')
const off = (chosen: string[], key: string, from?: string) =>
  [...ticked(new Set(chosen), visible, { key, on: false, from })].sort().join('')

it('ticks one row, and keeps those of other pages', () => {
  expect(on(['z'], 'b')).toBe('bz')
  expect(off(['b', 'z'], 'b')).toBe('z')
})

it('ticks all rows between two, in both directions', () => {
  expect(on(['b'], 'd', 'b')).toBe('bcd')
  expect(on(['d'], 'b', 'd')).toBe('bcd')
  expect(off(['a', 'b', 'c', 'd'], 'c', 'b')).toBe('ad')
})

it('ticks one row where the other is not shown any more', () => {
  expect(on(['z'], 'b', 'z')).toBe('bz')
})
