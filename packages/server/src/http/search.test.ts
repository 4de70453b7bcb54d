import { expect, it } from 'vitest'
import { sidStartOf } from './search.ts'

it.each(['0D4C29ED', '0d4c29ed-', '0d4c29ed-ebe2-4f', '71041419-2242'])(
  '%s may begin a sid',
  (typed) => {
    expect(sidStartOf(` ${typed}`)).toBe(typed.toLowerCase())
  },
)

it.each(['71041419', '7104-1419', '0d4c29edebe2', 'facade', ''])('%j begins none', (typed) => {
  expect(sidStartOf(typed)).toBeUndefined()
})
