import type { CallCase } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { valuesOfCall } from './of-call'
import { issuesOf, toBody } from './values'

const CALL: CallCase = {
  application_sid: 'app',
  name: 'Call of 2026-11-30 14:05:07',
  start: { direction: 'inbound', from: '442079460958', to: '442079460001' },
  steps: [
    {
      kind: 'expects',
      expected: { kind: 'says', text: 'Hi Ann, how' },
      looser: { kind: 'says', text: 'Hi \\S+, how', is_pattern: true },
    },
    { kind: 'expects', expected: { kind: 'asks', input: 'speech' }, looser: null },
    { kind: 'caller', answer: { kind: 'speech', text: 'a table' } },
  ],
  notes: [],
  file: '',
}

it('plays a call again, and offers what may be loosened', () => {
  const values = valuesOfCall(CALL)
  expect(values.expectations.map(({ looser }) => looser)).toEqual(['Hi \\S+, how', null])
  expect(toBody(values)).toEqual({
    name: CALL.name,
    start: CALL.start,
    answers: [{ kind: 'speech', text: 'a table' }],
    expectations: [
      { kind: 'says', text: 'Hi Ann, how' },
      { kind: 'asks', input: 'speech' },
    ],
  })
})

it('leaves answers blank whose words are not kept, so that they are filled in', () => {
  const values = valuesOfCall({
    ...CALL,
    steps: [
      { kind: 'expects', expected: { kind: 'asks', input: 'digits' }, looser: null },
      { kind: 'caller', answer: null },
      { kind: 'caller', answer: null },
    ],
  })
  expect(values.answers.map(({ kind }) => kind)).toEqual(['digits', 'speech'])
  expect(issuesOf(values).map(({ path }) => path)).toEqual([
    ['answers', 0, 'typed', 'digits'],
    ['answers', 1, 'typed', 'text'],
  ])
})
