import { expect, it } from 'vitest'
import { type ListView, moved, ordered, resized, toggledColumn, viewColumns } from './view-columns'

const columns = ['Name', 'Account', 'Status', 'SID'].map((header) => ({ header, cell: () => '' }))
const names = (view: ListView) => viewColumns(columns, view).map(({ header }) => header)

it('shows all columns in their own order by default', () => {
  expect(names({})).toEqual(['Name', 'Account', 'Status', 'SID'])
})

it('keeps the first column, which has the row’s link', () => {
  expect(names({ hidden: ['Name', 'Status'] })).toEqual(['Name', 'Account', 'SID'])
  expect(names({ order: ['SID', 'Name'] })[0]).toBe('Name')
  expect(moved(columns, {}, 'Account', -1)).toEqual({})
})

it('moves a column, and stays within the table', () => {
  const view = moved(columns, {}, 'SID', -1)
  expect(names(view)).toEqual(['Name', 'Account', 'SID', 'Status'])
  expect(names(moved(columns, view, 'Status', 1))).toEqual(names(view))
})

it('shows columns that it does not know yet where they are by default, and forgets those that are gone', () => {
  expect(names({ order: ['SID', 'Account', 'Gone'] })).toEqual(['Name', 'SID', 'Account', 'Status'])
  expect(ordered([], { order: ['SID'] })).toEqual([])
})

it('bounds widths, and drops what is as by default', () => {
  expect(resized({}, 'SID', 5)).toEqual({ widths: { SID: 48 } })
  expect(resized({}, 'SID', 1e6)).toEqual({ widths: { SID: 1200 } })
  expect(resized({ widths: { SID: 90 } }, 'SID', undefined)).toEqual({})
  expect(toggledColumn(toggledColumn({}, 'SID', false), 'SID', true)).toEqual({})
})
