import { expect, it } from 'vitest'
import { toggled } from './use-selection'

const visible = ['a', 'b', 'c', 'd']
const select = (chosen: string[], key: string, from?: string) =>
  [...toggled(new Set(chosen), visible, { key, on: true, from })].sort().join('')
const deselect = (chosen: string[], key: string, from?: string) =>
  [...toggled(new Set(chosen), visible, { key, on: false, from })].sort().join('')

it('selects one row, and keeps selections of other pages', () => {
  expect(select(['z'], 'b')).toBe('bz')
  expect(deselect(['b', 'z'], 'b')).toBe('z')
})

it('selects a range in both directions', () => {
  expect(select(['b'], 'd', 'b')).toBe('bcd')
  expect(select(['d'], 'b', 'd')).toBe('bcd')
  expect(deselect(['a', 'b', 'c', 'd'], 'c', 'b')).toBe('ad')
})

it('selects one row if the start of the range is no longer shown', () => {
  expect(select(['z'], 'b', 'z')).toBe('bz')
})
