import { api, type Endpoint } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { type Asked, classOf, queriesOf, slowest } from './bench/endpoints.ts'

const { phoneNumbers, carrierHealth } = api
const classesOf = (e: Endpoint) => queriesOf(e).map((query) => classOf(e, query))

it('asks lists for a page and for all of it, and judges each by what it does', () => {
  expect(classesOf(phoneNumbers.list)).toEqual(['page', 'whole list or file'])
  expect(classesOf(phoneNumbers.view)).toEqual(['one thing'])
  expect(classesOf(phoneNumbers.update)).toEqual(['change'])
  expect(classesOf(phoneNumbers.export)).toEqual(['whole list or file'])
  expect(classesOf(phoneNumbers.updateMany)).toEqual(['takes turns'])
  expect(classesOf(carrierHealth.view)).toEqual(['takes turns'])
})

it('tells what the slowest caller of each endpoint waited, and all that are over their budget', () => {
  const asked = (title: string, who: string, ms: number): Asked => ({
    ...{ title, who, ms, class: 'one thing', processor_ms: 1, statements: 1 },
  })
  const rows = slowest(
    [
      asked('a', 'admin', 3),
      asked('a', 'sp1', 4),
      asked('b', 'a1', 12),
      asked('c', 'a1', 11),
      asked('d', 'a1', 2),
    ],
    1,
  )
  expect(rows.map(({ endpoint, as, reached }) => [endpoint, as, reached])).toEqual([
    ['b', 'a1', 'no'],
    ['c', 'a1', 'no'],
  ])
  expect(slowest([asked('a', 'admin', 3), asked('a', 'sp1', 4)])).toMatchObject([
    { as: 'sp1', reached: 'yes' },
  ])
})
