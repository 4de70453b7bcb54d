import { expect, it } from 'vitest'
import { ViewAlertSet } from './view-alerts.ts'
import { isJudged, percentOfCalls } from './view-measures.ts'

it.each([
  [23, 312, 7.4],
  [0, 20, 0],
  [20, 20, 100],
  [1, 30_000, 0.1],
  [29_999, 30_000, 99.9],
  [30_001, 30_000, 100],
  [45, 20, 225],
])('%i of %i are %d %%', (counted, whole, percent) => {
  expect(percentOfCalls(counted, whole)).toBe(percent)
})

it('tells nothing of few calls, or of too few weeks', () => {
  expect([0, null].map((whole) => isJudged('rows', whole))).toEqual([true, true])
  expect([19, 20, null].map((whole) => isJudged('share', whole))).toEqual([false, true, false])
  expect([9, 10, null].map((whole) => isJudged('usual', whole))).toEqual([false, true, false])
})

const parsed = (measure: string | undefined, comparison: string, threshold: unknown) => {
  const result = ViewAlertSet.safeParse({ measure, comparison, threshold, minutes: 10 })
  return result.success ? result.data.threshold : result.error.issues.map(({ path }) => path[0])
}
const REFUSED = ['threshold']

it.each([
  [undefined, 'more', '0', 0],
  ['rows', 'more', 100_000, 100_000],
  ['rows', 'more', 100_001, REFUSED],
  ['rows', 'more', 0.5, REFUSED],
  ['rows', 'more', null, REFUSED],
  ['rows', 'more', '', REFUSED],
  ['rows', 'more', 'x', REFUSED],
  ['rows', 'fewer', 0, REFUSED],
  ['share', 'more', 0, 0],
  ['share', 'more', 1.1, 1.1],
  ['share', 'more', 99.9, 99.9],
  ['share', 'more', 0.25, REFUSED],
  // never so
  ['share', 'more', 100, REFUSED],
  ['share', 'fewer', 0, REFUSED],
  ['share', 'fewer', 100, 100],
  ['share', 'fewer', 100.1, REFUSED],
  ['share', 'more', -1, REFUSED],
  ['usual', 'fewer', 0.1, 0.1],
  ['usual', 'more', 1_000, 1_000],
  ['usual', 'more', 1_000.1, REFUSED],
])('takes %s %s than %s', (measure, comparison, threshold, result) => {
  expect(parsed(measure, comparison, threshold)).toEqual(result)
})
