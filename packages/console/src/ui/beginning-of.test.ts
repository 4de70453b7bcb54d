import { expect, it } from 'vitest'
import { beginningOf } from './beginning-of'

it('cuts long texts only, and no character in half', () => {
  expect(beginningOf('a'.repeat(1_100))).toBeUndefined()
  expect(beginningOf('a'.repeat(1_101))).toBe('a'.repeat(1_000))
  expect(beginningOf(`${'a'.repeat(999)}${'😀'.repeat(100)}`)).toBe('a'.repeat(999))
})
