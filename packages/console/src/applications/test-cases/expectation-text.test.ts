import type { Expectation } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { expectationText } from './expectation-text'

const all: Expectation[] = [
  { kind: 'says', text: 'Welcome' },
  { kind: 'plays', url: 'ring.wav' },
  { kind: 'asks' },
  { kind: 'asks', input: 'speech' },
  { kind: 'asks', input: 'digits' },
  { kind: 'dials', number: '+1555' },
  { kind: 'transfers', to: 'sales@x' },
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
