import { expect, it } from 'vitest'
import { titleOf } from './title'

it('names who is not known', () => {
  expect(titleOf({ from: null, to: '200' }, (n) => n)).toBe('Unknown → 200')
})
