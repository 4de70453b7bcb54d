import type { Answer, Expectation } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { fieldFor, issuesOf, NEW, toBody, valuesOf } from './values'

const answers: Answer[] = [
  { kind: 'speech', text: 'yes', confidence: 0.29, after_ms: 1_234 },
  { kind: 'low_confidence', text: 'yes' },
  { kind: 'digits', digits: '12#' },
  { kind: 'nothing' },
  { kind: 'error', details: 'offline' },
  {
    kind: 'answered',
    seconds: 0,
    target: 1,
    by: 'machine',
    ended_by: 'caller',
    digits: '1',
    on_hold: true,
    transfer_to: 'x',
    after_ms: 5,
  },
  { kind: 'busy', after_ms: 1 },
  { kind: 'no_answer' },
  { kind: 'failed', status: 503 },
  { kind: 'status', status: 202, final_status: 486 },
  { kind: 'bridged', seconds: 3 },
  { kind: 'wait', seconds: 3 },
  { kind: 'ended', seconds: 3, reason: 'x' },
  { kind: 'tool_call', name: 'weather', args: { city: 'Rome', days: [1, null] } },
  { kind: 'hang_up' },
]
const expectations: Expectation[] = [
  { kind: 'says', text: 'Welcome', within_ms: 0 },
  { kind: 'plays', url: 'ring.wav' },
  { kind: 'asks' },
  { kind: 'asks', input: 'speech' },
  { kind: 'dials', number: '+1' },
  { kind: 'transfers', to: 'x', within_ms: 10 },
  { kind: 'does_not_say', text: 'sorry', is_pattern: true, after_answer: 1 },
  { kind: 'returns', text: 'x', before_answer: 2 },
  { kind: 'hangs_up' },
]
const start = {
  direction: 'inbound' as const,
  from: '+1',
  to: '+2',
  caller_name: 'Ann',
  sip_headers: { 'X-A': 'b', 'X-C': '' },
}
const content = { name: 'All', start, answers, expectations }

describe('the values of a test case', () => {
  it('become what they were made from', () => {
    expect(toBody(valuesOf(content))).toEqual(content)
    expect(toBody(valuesOf(NEW))).toEqual(NEW)
  })

  it('are equal if read twice, with keys that differ from each other', () => {
    expect(valuesOf(content)).toEqual(valuesOf(content))
    expect(new Set(valuesOf(content).answers.map(({ key }) => key)).size).toBe(answers.length)
  })

  it('are typed as where an answer is given, and leave out members of another kind', () => {
    const [speech] = valuesOf(content).answers
    expect(speech!.typed).toMatchObject({ text: 'yes', confidence: '29', after_ms: '1.234' })
    const values = { ...valuesOf(content), answers: [{ ...speech!, kind: 'hang_up' as const }] }
    expect(toBody(values).answers).toEqual([{ kind: 'hang_up', after_ms: 1_234 }])
  })
})

describe('issues', () => {
  const values = valuesOf(content)
  it('are of answers that cannot be read, and of headers named twice', () => {
    expect(issuesOf(values)).toEqual([])
    const [speech] = values.answers
    const toolCall = values.answers.find(({ kind }) => kind === 'tool_call')!
    const row = (of: typeof toolCall, typed: Record<string, string>) => ({
      ...of,
      typed: { ...of.typed, ...typed },
    })
    const twice = [
      { key: 'a', name: 'X-A', value: '1' },
      { key: 'b', name: 'x-a', value: '2' },
    ]
    expect(
      issuesOf({
        ...values,
        answers: [
          row(toolCall, { args: '[]' }),
          row(toolCall, { args: '{}' }),
          row(speech!, { text: ' ' }),
          row(speech!, { confidence: 'high' }),
        ],
        start: { ...values.start, sip_headers: twice },
      }).map(({ path }) => path.join('.')),
    ).toEqual([
      'answers.0.typed.args',
      'answers.2.typed.text',
      'answers.3.typed.confidence',
      'start.sip_headers.1.name',
    ])
  })

  it('find their fields', () => {
    expect(fieldFor(['start', 'sip_headers', 'X-C'], values)).toEqual([
      'start',
      'sip_headers',
      1,
      'name',
    ])
    const inAnswer = (...path: string[]) => fieldFor(['answers', 2, ...path], values).slice(2)
    expect(inAnswer('args', 'city')).toEqual(['typed', 'args'])
    expect(inAnswer('typed', 'args')).toEqual(['typed', 'args'])
    expect(inAnswer('kind')).toEqual(['kind'])
    expect(fieldFor(['expectations', 0, 'text'], values)).toEqual(['expectations', 0, 'text'])
    expect(fieldFor(['start', 'from'], values)).toEqual(['start', 'from'])
  })
})
