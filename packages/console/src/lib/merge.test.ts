import { expect, it } from 'vitest'
import { differences, mergeChosen } from './merge'

const base = { name: 'a', hook: { url: 'u', method: 'POST' }, rows: [1], note: '' }

it('lists fields both changed, and fields only the other changed', () => {
  const mine = { ...base, name: 'mine', note: 'mine' }
  const theirs = { ...base, name: 'theirs', hook: { url: 'u', method: 'GET' } }
  expect(differences(base, mine, theirs)).toEqual([
    { path: 'name', mine: 'mine', theirs: 'theirs', side: 'mine' },
    { path: 'hook.method', mine: 'POST', theirs: 'GET', side: 'theirs' },
  ])
})

it('lists nothing when both agree or only I changed anything', () => {
  expect(differences(base, { ...base, name: 'b' }, { ...base, name: 'b' })).toEqual([])
  expect(differences(base, { ...base, rows: [2] }, base)).toEqual([])
})

it('merges the chosen values into my version, at any depth', () => {
  const mine = { ...base, note: 'mine' }
  const theirs = { ...base, note: 'theirs', hook: { url: 'v', method: 'POST' }, rows: [1, 2] }
  const changes = differences(base, mine, theirs)
  expect(mergeChosen(mine, changes)).toEqual({
    ...mine,
    hook: { url: 'v', method: 'POST' },
    rows: [1, 2],
  })
  const all = changes.map((d) => ({ ...d, side: 'theirs' as const }))
  expect(mergeChosen(mine, all)).toEqual(theirs)
})
