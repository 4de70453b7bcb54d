import { expect, it } from 'vitest'
import { difference } from './difference.ts'

it('takes no other order of keys for a change', () => {
  const before = { name: 'a', hook: { url: 'https://x.example', method: 'POST' } }
  const after = { name: 'b', hook: { method: 'POST', url: 'https://x.example' } }
  expect(difference(before, after)).toEqual({ before: { name: 'a' }, after: { name: 'b' } })
  expect(difference({ list: [1, 2] }, { list: [2, 1] }).after).toEqual({ list: [2, 1] })
})
