import { expect, it } from 'vitest'
import { isSameValue } from './same-value.ts'

it.each([
  [{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
  [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
  [[1, 2], [2, 1], false],
  [{ a: undefined }, {}, true],
  [null, undefined, false],
  ['1', 1, false],
])('%j and %j are the same: %s', (a, b, same) => {
  expect(isSameValue(a, b)).toBe(same)
})
