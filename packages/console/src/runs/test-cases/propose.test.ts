import type { Question, RunStep } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { proposedExpectations, valuesOfRun } from './propose'
import { toBody } from './values'

const said = (at: number, text: string | null): RunStep => ({
  kind: 'said',
  at,
  verb: 'say',
  side: 'caller',
  text,
  vendor: null,
  language: null,
  voice: null,
  label: null,
  loop: 1,
})
const asked = (at: number, question: Partial<Question>): RunStep => ({
  kind: 'asked',
  at,
  question: {
    verb: 'gather',
    side: 'caller',
    answers: [],
    targets: [],
    timeout_ms: null,
    digits: null,
    ...question,
  },
})
const digits = (at: number): RunStep => ({
  kind: 'answered',
  at,
  answer: { kind: 'digits', digits: '1' },
})
const ended = (at: number, by: 'caller' | 'application'): RunStep => ({
  kind: 'ended',
  at,
  by,
  text: '',
  sip_status: null,
  sip_reason: null,
  x_reason: null,
  is_answered: true,
})
const both = ['speech', 'digits', 'nothing', 'hang_up'] as const

const steps: RunStep[] = [
  said(120, '<speak>Welcome <break time="1s"/> to\n Acme</speak>'),
  { kind: 'paused', at: 120, ms: 500 },
  asked(700, { answers: [...both] }),
  digits(3_700),
  { kind: 'played', at: 3_820, verb: 'play', side: 'caller', url: 'https://x/ring.wav', loop: 1 },
  asked(4_820, { verb: 'dial', answers: ['busy'], targets: [{ type: 'phone', to: '+1555' }] }),
  { kind: 'answered', at: 4_820, answer: { kind: 'busy' } },
  asked(4_900, {
    verb: 'sip:refer',
    answers: ['status'],
    targets: [{ type: 'transfer', to: 'sip:sales@acme' }],
  }),
  { kind: 'answered', at: 5_000, answer: { kind: 'status', final_status: 200 } },
  ended(5_040, 'application'),
]
const of = (...some: RunStep[]) => proposedExpectations(some).map(({ expected }) => expected)

describe('proposed expectations', () => {
  it('are what the application did, with the time since the latest answer', () => {
    expect(proposedExpectations(steps)).toEqual([
      { expected: { kind: 'says', text: 'Welcome to Acme' }, took_ms: 120 },
      { expected: { kind: 'asks', input: 'digits' }, took_ms: 700 },
      { expected: { kind: 'plays', url: 'https://x/ring.wav' }, took_ms: 120 },
      { expected: { kind: 'dials', number: '+1555' }, took_ms: 1_120 },
      { expected: { kind: 'transfers', to: 'sip:sales@acme' }, took_ms: 80 },
      { expected: { kind: 'hangs_up' }, took_ms: 40 },
    ])
  })

  it('leave out time in which nobody waited for the application', () => {
    expect(proposedExpectations([{ ...said(10_100, 'Hello'), idle: 10_000 }])).toMatchObject([
      { took_ms: 100 },
    ])
  })

  it('ask for what was answered, or can be', () => {
    expect(of(asked(0, { answers: ['speech', 'hang_up'] }))).toEqual([
      { kind: 'asks', input: 'speech' },
    ])
    expect(of(asked(0, { answers: [...both] }), ended(1, 'caller'))).toEqual([{ kind: 'asks' }])
  })

  it('leave out what has no text, other questions, and a caller who hangs up', () => {
    expect(
      of(
        said(0, null),
        said(0, '<speak> </speak>'),
        asked(0, { verb: 'enqueue', answers: ['bridged', 'wait'] }),
        asked(0, { verb: 'dial', answers: ['busy'] }),
        ended(0, 'caller'),
      ),
    ).toEqual([])
  })

  it('are cut to what a test case takes', () => {
    expect(of(said(0, 'x'.repeat(4_000)))).toEqual([{ kind: 'says', text: 'x'.repeat(2_000) }])
    expect(of(...Array.from({ length: 60 }, () => said(0, 'Hello')))).toHaveLength(50)
  })
})

it('makes a test case that plays the run again', () => {
  const start = { direction: 'inbound' as const, from: '+1', to: '+2', sip_headers: { 'X-A': 'b' } }
  const values = valuesOfRun({ start, steps })
  expect(values.expectations.map(({ took_ms }) => took_ms)).toEqual([120, 700, 120, 1_120, 80, 40])
  expect(toBody(values)).toEqual({
    name: '',
    start,
    answers: [
      { kind: 'digits', digits: '1' },
      { kind: 'busy' },
      { kind: 'status', final_status: 200 },
    ],
    expectations: of(...steps),
  })
})
