import { Hash } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import { type Group, keepDownTo } from './palette-item'

const group = (value: string, ...ids: string[]): Group => ({
  value,
  items: ids.map((id) => ({ id, label: id, icon: Hash })),
})
const shown = [group('Pages', 'numbers', 'calls'), group('Number', 'assign', 'calls of it')]
const ids = (groups: Group[]) =>
  groups.map(({ value, items }) => [value, ...items.map((i) => i.id)])

describe('What the palette finds after somebody has moved in it', () => {
  it('comes below the item that is highlighted, whose place does not change', () => {
    const found = [
      group('Simulate', 'simulate'),
      group('Pages', 'numbers', 'live', 'calls'),
      group('Number', 'assign', 'new', 'calls of it', 'failed'),
      group('In lists', 'all calls'),
    ]
    expect(ids(keepDownTo('assign', shown, found))).toEqual([
      ['Pages', 'numbers', 'calls'],
      ['Number', 'assign', 'new', 'calls of it', 'failed'],
      ['Simulate', 'simulate'],
      ['In lists', 'all calls'],
      ['More results', 'live'],
    ])
  })

  it('keeps what is no longer found above it, and leaves it out below', () => {
    expect(ids(keepDownTo('calls', shown, [group('Pages', 'live')]))).toEqual([
      ['Pages', 'numbers', 'calls', 'live'],
    ])
  })

  it('is shown alone when the item was not in the list', () => {
    const found = [group('Pages', 'live')]
    expect(keepDownTo('gone', shown, found)).toBe(found)
  })
})
