import { expect, it } from 'vitest'
import { sidPartsOf } from './search.ts'

it.each([
  ['0D4C29ED', { start: '0d4c29ed' }],
  ['0d4c29ed-', { start: '0d4c29ed-' }],
  ['0d4c29ed-ebe2-4f', { start: '0d4c29ed-ebe2-4f' }],
  ['0d4c', { start: '0d4c' }],
  ['7104', { start: '7104' }],
  ['0d4c…99ae', { start: '0d4c', end: '99ae' }],
  ['0d4c...99ae', { start: '0d4c', end: '99ae' }],
])('%s may be a sid', (typed, parts) => {
  expect(sidPartsOf(` ${typed}`)).toEqual(parts)
})

it.each(['7104-1419', '0d4c29edebe2', '0d4', 'fassade', ''])('%j begins none', (typed) => {
  expect(sidPartsOf(typed)).toBeUndefined()
})
