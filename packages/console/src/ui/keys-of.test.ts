import { expect, it } from 'vitest'
import { keysOf } from './keys-of'

it('shows digits as keys, and a mask as one', () => {
  expect(keysOf('12*#')).toEqual(['1', '2', '*', '#'])
  expect(keysOf('••••')).toEqual(['••••'])
})
