import type { CallCaseStep, RunStep } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { countTexts, pairsOf } from './suite-text'

const expects = (text: string): CallCaseStep => ({
  kind: 'expects',
  expected: { kind: 'says', text },
  looser: null,
})
const said = (text: string): RunStep => ({
  ...{ kind: 'said', at: 0, verb: 'say', side: 'caller', text, loop: 1 },
  ...{ vendor: null, language: null, voice: null, label: null },
})
const outcome = (step: number | null, nearest: string | null = null) => ({
  ...{ is_met: step !== null, step, ms: null, text: '' },
  nearest,
})

it('puts what happened then beside what happened now', () => {
  const steps: CallCaseStep[] = [
    expects('Hello'),
    { kind: 'caller', answer: { kind: 'speech', text: 'sales' } },
    expects('One moment'),
    { kind: 'caller', answer: { kind: 'digits', digits: '1' } },
    { kind: 'expects', expected: { kind: 'hangs_up' }, looser: null },
  ]
  const played: RunStep[] = [
    said('Hello there'),
    { kind: 'answered', at: 1, answer: { kind: 'speech', text: 'sales' } },
    said('Wait a moment'),
  ]
  const outcomes = [outcome(0), outcome(null, 'Wait a moment'), outcome(null)]
  expect(pairsOf(steps, { steps: played, outcomes })).toEqual([
    { before: 'Says “Hello”', now: 'Says “Hello there”', differs: false },
    { before: 'Caller: sales', now: 'Caller: sales', differs: false },
    { before: 'Says “One moment”', now: 'Says “Wait a moment”', differs: true },
    { before: 'Caller: 1', now: 'Not asked', differs: false },
    { before: 'Hangs up', now: 'Not done', differs: true },
  ])
})

it('counts what there is', () => {
  const results = { running: 0, same: 8, differs: 1, interrupted: 0, gone: 0 }
  expect(countTexts(results).map(({ text }) => text)).toEqual(['1 differs', '8 the same'])
})
