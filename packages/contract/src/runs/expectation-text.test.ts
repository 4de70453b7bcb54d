import { expect, it } from 'vitest'
import { expectationText } from './expectation-text.ts'
import type { Expectation } from './run-expectations.ts'

const all: Exclude<Expectation, { kind: 'does_not_say' }>[] = [
  { kind: 'says', text: 'Welcome' },
  { kind: 'plays', url: 'ring.wav' },
  { kind: 'asks' },
  { kind: 'asks', input: 'speech' },
  { kind: 'asks', input: 'digits' },
  { kind: 'dials', number: '+1555' },
  { kind: 'transfers', to: 'sales@x' },
  { kind: 'returns', text: '12 °C' },
  { kind: 'hangs_up' },
]

it('says what is expected', () => {
  expect(all.map(expectationText)).toEqual([
    'Says “Welcome”',
    'Plays ring.wav',
    'Asks for input',
    'Asks for speech',
    'Asks for digits',
    'Dials +1555',
    'Transfers the caller to sales@x',
    'Returns “12 °C” from a tool',
    'Hangs up',
  ])
})

it('says how soon', () => {
  for (const expected of all)
    expect(expectationText({ ...expected, within_ms: 1_500 })).toBe(
      `${expectationText(expected)} within 1,500 ms`,
    )
  // no time at all is a limit too
  expect(expectationText({ kind: 'hangs_up', within_ms: 0 })).toBe('Hangs up within 0 ms')
})

it('says what must not be, after and before which answer, and patterns', () => {
  expect(expectationText({ kind: 'does_not_say', text: 'sorry' })).toBe('Does not say “sorry”')
  const pattern = { kind: 'says', text: 'two|2', is_pattern: true } as const
  expect(expectationText({ ...pattern, after_answer: 2 })).toBe('Says /two|2/, after answer 2')
  expect(expectationText({ ...pattern, before_answer: 3, within_ms: 9 })).toBe(
    'Says /two|2/ within 9 ms, before answer 3',
  )
  expect(expectationText({ ...pattern, after_answer: 2, before_answer: 3 })).toBe(
    'Says /two|2/, after answer 2 and before answer 3',
  )
})
