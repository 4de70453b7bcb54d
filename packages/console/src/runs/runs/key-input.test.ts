import { expect, it } from 'vitest'
import { keyState, keysIn } from './key-input'

const digits = { min: null, max: null, finish_keys: '' }

it.each([
  ['12', { max: 2 }, 'complete'],
  ['1', { max: 2 }, 'open'],
  ['1#', { finish_keys: '#*' }, 'complete'],
  ['12', { finish_keys: '#' }, 'open'],
  ['12', { min: 2, max: 9 }, 'pause'],
  ['1', { min: 2 }, 'open'],
  ['123', {}, 'open'],
])('takes %s with %j as %s', (keys, more, state) => {
  expect(keyState(keys, { ...digits, ...more })).toBe(state)
})

it('takes of a text what a telephone has', () => {
  expect(keysIn('(508) 555-12a*#e')).toBe('50855512A*#')
})
