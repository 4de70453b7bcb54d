import { expect, it } from 'vitest'
import {
  isSameView,
  MAX_VIEWS,
  nameProblem,
  type SavedViews,
  savedSearch,
  withoutView,
  withView,
} from './saved-views'

const view = (name: string, filter = '') => ({ name, search: { filter }, view: {} })
const all: SavedViews = { views: [view('A'), view('B')], start: 'A' }

it('keeps filters, order and page size of an address, not the place in the list', () => {
  const search = {
    page: 3,
    page_size: 50,
    sort: '-name',
    filter: 'x',
    open: 'row',
    date: undefined,
  }
  expect(savedSearch(search)).toEqual({ page_size: 50, sort: '-name', filter: 'x' })
})

it('tells views apart by what they show, not by the order of members', () => {
  const a = { search: { sort: 'a', filter: 'b' }, view: { hidden: ['SID'] } }
  expect(isSameView(a, { search: { filter: 'b', sort: 'a' }, view: { hidden: ['SID'] } })).toBe(
    true,
  )
  expect(isSameView(a, { ...a, view: { hidden: ['SID', 'Account'] } })).toBe(false)
  expect(isSameView(a, { ...a, search: { sort: 'a' } })).toBe(false)
  // columns have an order
  const order = (...order: string[]) => ({ search: {}, view: { order } })
  expect(isSameView(order('A', 'B'), order('B', 'A'))).toBe(false)
})

it('asks for a name of its own', () => {
  expect(nameProblem(all, '')).toBe('Enter a name')
  expect(nameProblem(all, 'A')).toMatch('already exists')
  expect(nameProblem(all, 'A', 'A')).toBeUndefined()
  expect(nameProblem(all, 'B', 'A')).toMatch('already exists')
  expect(nameProblem(all, 'x'.repeat(101))).toMatch('at most 100')
  const full = { views: Array.from({ length: MAX_VIEWS }, (_, n) => view(String(n))) }
  expect(nameProblem(full, 'one more')).toMatch('at most 50')
  expect(nameProblem(full, 'renamed', '0')).toBeUndefined()
})

it('saves, renames and deletes, and starts with the renamed view', () => {
  expect(withView(all, view('C')).views.map((v) => v.name)).toEqual(['A', 'B', 'C'])
  expect(withView(all, view('B', 'x')).views[1]!.search).toEqual({ filter: 'x' })
  expect(withView(all, view('Z'), 'A')).toMatchObject({
    views: [{ name: 'Z' }, { name: 'B' }],
    start: 'Z',
  })
  expect(withoutView(all, 'A')).toEqual({ views: [view('B')] })
  expect(withoutView(all, 'B').start).toBe('A')
})
