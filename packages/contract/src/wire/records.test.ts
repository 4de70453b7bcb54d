import { expect, it } from 'vitest'
import { entriesOf, isKeyOf, isOneOf, keysOf, membersOf } from './records.ts'

it.each([null, undefined, 'text', 7, [], ['a']])('finds no members in %j', (value) => {
  expect(membersOf(value)).toEqual({})
})

it('finds the members of an object', () => {
  expect(membersOf({ a: 1 })).toEqual({ a: 1 })
  expect(keysOf({ a: 1, b: 2 })).toEqual(['a', 'b'])
  expect(entriesOf({ a: 1 })).toEqual([['a', 1]])
})

it('takes nothing inherited for a key', () => {
  expect(isKeyOf({ a: 1 }, 'a')).toBe(true)
  expect(isKeyOf({ a: 1 }, 'toString')).toBe(false)
})

it('compares without conversion', () => {
  expect(isOneOf([1, 2], 2)).toBe(true)
  expect(isOneOf([1, 2], '2')).toBe(false)
})
