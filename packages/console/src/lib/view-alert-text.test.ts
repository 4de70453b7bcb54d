import { expect, it } from 'vitest'
import { conditionText, foundText, measureText } from './view-alert-text'

const condition = { comparison: 'more', threshold: 1_200.5, minutes: 10 } as const

it('says when an alert begins', () => {
  const text = (measure: 'rows' | 'share' | 'usual', more: object = {}) =>
    conditionText({ measure, ...condition, ...more }, 'recent_calls')
  expect(text('rows', { threshold: 1 })).toBe('More than 1 call in 10 minutes')
  expect(text('share', { threshold: 0.5 })).toBe('More than 0.5 % of calls in 10 minutes')
  expect(text('usual')).toBe('More than 1,200.5 % of the usual calls in 10 minutes')
  expect(text('usual', { comparison: 'fewer', threshold: 50 })).toBe(
    'Less than 50 % of the usual calls in 10 minutes',
  )
})

it.each([
  ['rows', 0, null, '0 calls'],
  ['share', 23, 312, '7.4 % of 312 calls'],
  ['share', 0, 0, 'Too few to tell: 0 calls'],
  ['share', 19, 19, 'Too few to tell: 19 calls'],
  ['usual', 48, 1_212, '48 calls, 4 % of the usual 1,212'],
  ['usual', 1, 9, '1 call, but the usual 9 are too few'],
  ['usual', 9, null, '9 calls, but too few weeks with records to tell what is usual'],
] as const)('says by %s what %j of %j are', (measure, counted, whole, text) => {
  expect(foundText(measure, counted, whole, 'recent_calls')).toBe(text)
})

it('says of what a percentage is', () => {
  expect(measureText('rows', {})).toBeUndefined()
  expect(measureText('share', { at_least: 2_000 })).toMatch(/those with a response time\. .* 20 /)
  expect(measureText('share', { voice: 'failed', voice_of: 'vendor/voice/x' })).toMatch(
    /this vendor/,
  )
  expect(measureText('share', { voice: 'turns', answered: false })).toMatch(/however they ended/)
  expect(measureText('usual', {})).toMatch(/last 4 weeks.* 2 weeks .* 10 calls/)
})
