import { expect, it } from 'vitest'
import { startOf, startValues } from './start-values'

it('begins with the latest call, or one to a number of the application', () => {
  const start = {
    direction: 'inbound',
    from: '1',
    to: '2',
    caller_name: 'Ann',
    sip_headers: { 'X-A': 'b' },
  } as const
  expect(startOf(startValues(start))).toEqual(start)
  expect(startValues(undefined, '15085551234').to).toBe('15085551234')
})

it('leaves out what is empty', () => {
  const headers = [
    { id: 0, name: ' ', value: '' },
    { id: 1, name: ' X-B ', value: 'c' },
  ]
  expect(startOf({ from: '1', to: '2', caller_name: ' ', headers })).toEqual({
    direction: 'inbound',
    from: '1',
    to: '2',
    sip_headers: { 'X-B': 'c' },
  })
})
