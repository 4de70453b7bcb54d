import { type CallCaseStep, Expectation } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import {
  answered,
  call,
  type ExampleSpan,
  gather,
  hook,
  key,
  over,
  prompt,
  result,
  say,
  span,
} from '../../test/conversations/example.ts'
import { asSpans, examples } from '../../test/conversations.ts'
import { type Batch, traceOf } from '../stores/traces/span.ts'
import { callScript } from './call-case.ts'
import { loosened } from './loosened.ts'
import { traceWithoutWords } from './redaction.ts'

const ORIGIN = { resource: [], scope: { name: 'jambonz', version: '0.9.8' } }
const traceFrom = (spans: Batch['spans']) => traceOf([{ origin: ORIGIN, spans }])!
const scriptOf = (spans: ExampleSpan[]) =>
  callScript(traceFrom(asSpans({ spans }, 'ab'.repeat(16))))
const short = (step: CallCaseStep) => {
  if (step.kind === 'caller') return step.answer
  const { kind, ...members } = step.expected
  return [kind, ...Object.values(members)].join(' ')
}

const named = (name: string) => examples.find((example) => example.name === name)!

describe('a call as a script', () => {
  it('has what was said, asked and answered, in order', () => {
    const { steps, notes, isWhole } = scriptOf(named('A bot answers five times').spans)
    expect(steps.map(short)).toEqual([
      'says Hi, this is Ava',
      'asks speech',
      { kind: 'speech', text: 'book a table' },
      'says Sure, for how m',
      'asks speech',
      { kind: 'speech', text: 'four people' },
      'says At what time wo',
      'asks speech',
      { kind: 'speech', text: 'eight tonight', confidence: 0.79 },
      'says One moment',
      'asks speech',
      { kind: 'speech', text: 'yes' },
      'says Booked. Anythin',
      'asks speech',
      { kind: 'speech', text: 'no thanks' },
      'says Goodbye!',
      'hangs_up',
    ])
    expect({ notes, isWhole }).toEqual({ notes: [], isWhole: true })
  })

  it('has keys with the one that ended them, and what was not said', () => {
    const spans = [
      call(30_000),
      answered(200),
      gather('g', 300, 5_000, 'inputs=digits', 'dtmf-terminator-key'),
      prompt('n', 'g', 301, 1_000, '<speak>Enter it'),
      key('k1', 'r', 3_000, '7'),
      key('k2', 'r', 3_400, '*'),
      hook('h', 'g', 3_500, 300, '/pin', { digits: '7' }),
      gather('g2', 6_000, 9_000, 'inputs=speech', 'timeout'),
      hook('h2', 'g2', 14_000, 300, '/pin', { reason: 'timeout' }),
      over(16_000, 'caller'),
    ]
    expect(scriptOf(spans).steps.map(short)).toEqual([
      'says Enter it',
      'asks digits',
      { kind: 'digits', digits: '7*' },
      'asks',
      { kind: 'nothing' },
    ])
  })

  it.each([
    [486, { kind: 'busy' }],
    [480, { kind: 'no_answer' }],
    [503, { kind: 'failed', status: 503 }],
    [200, { kind: 'answered', seconds: 4, ended_by: 'caller' }],
    [null, { kind: 'no_answer' }],
  ])('says of a dial that ended with %s what came of it', (status, answer) => {
    const spans = [
      call(9_000),
      answered(200),
      span('d', 'a', 1_000, 7_050, 'verb:dial{type=phone,number=15550001}'),
      ...(status === null
        ? []
        : [span('i', 'd', 1_100, 2_900, 'invite', { 'invite.status_code': status })]),
      over(8_000, 'caller'),
    ]
    expect(scriptOf(spans).steps.map(short)).toEqual(['dials 15550001', answer])
  })

  it('says what else was asked of whoever plays the caller', () => {
    const spans = [
      call(90_000),
      answered(200),
      span('e', 'a', 1_000, 4_000, 'verb:enqueue'),
      hook('h', 'e', 4_900, 50, '/queue', { queueResult: 'bridged' }),
      span('l', 'a', 6_000, 20_000, 'verb:Llm_OpenAI_s2s'),
      span('x', 'a', 30_000, 2_000, 'verb:sip:refer'),
      span('y', 'x', 30_001, 900, 'send-refer', {
        'refer.refer_to': 'sip:agent@1.2.3.4',
        'refer.status_code': 202,
        'refer.finalNotify': 486,
      }),
      span('p', 'a', 33_000, 500, 'verb:play:{url=https://me:CANARY@a.example/hi.mp3?key=CANARY}'),
    ]
    const { steps, notes } = scriptOf(spans)
    expect(steps.map(short)).toEqual([
      { kind: 'bridged', seconds: 4 },
      { kind: 'ended', seconds: 20 },
      'transfers agent@1.2.3.4',
      { kind: 'status', status: 202, final_status: 486 },
      'plays https://a.example/hi.mp3',
    ])
    expect(notes).toEqual([expect.stringContaining('model session')])
  })

  it('says nothing where a caller did not interrupt an application that always listens', () => {
    const background = (id: string, start: number, ms: number, more: object) =>
      span(id, 'a', start, ms, 'background-bargeIn:gather{inputs=speech}', { ...more })
    const spans = [
      call(20_000),
      answered(200),
      background('q1', 300, 4_000, { 'stt.resolve': 'speech', ...result('stop', 0.9) }),
      say('s1', 400, 1_000, 'Our hours are'),
      say('s2', 1_500, 2_700, 'On weekdays'),
      background('q2', 4_301, 9_000, {}),
      say('s3', 4_400, 2_000, 'What else'),
    ]
    expect(scriptOf(spans).steps.map(short)).toEqual([
      'says Our hours are',
      { kind: 'nothing' },
      'says On weekdays',
      'asks speech',
      { kind: 'speech', text: 'stop' },
      'says What else',
      { kind: 'nothing' },
    ])
  })

  it.each(['mask', 'leave_out'] as const)('has no words that an account wants to %s', (words) => {
    const spans = [
      call(30_000),
      answered(200),
      say('s', 300, 900, 'You owe 42 doll...'),
      gather('g', 1_300, 4_000, 'inputs=speech', 'speech', result('my card is 4711 0815', 0.9)),
      hook('h', 'g', 4_500, 300, '/card', {}),
      gather('g2', 6_000, 4_000, 'inputs=digits', 'dtmf-num-digits'),
      hook('h2', 'g2', 9_500, 300, '/pin', { digits: '4711' }),
      span('d', 'a', 11_000, 500, 'verb:dial{type=phone,number=15550001}'),
    ]
    const trace = traceFrom(asSpans({ spans }, 'ab'.repeat(16)))
    const { steps, notes, isWhole } = callScript(traceWithoutWords(trace, words, 'k'.repeat(32)))
    expect(steps.map(short)).toEqual([
      ...(words === 'mask' ? ['says You owe'] : []),
      'asks speech',
      null,
      'asks digits',
      null,
      // as the call's record has it
      'dials 15550001',
      { kind: 'no_answer' },
    ])
    expect(notes).toEqual([expect.stringContaining('in 2 answers is not kept')])
    expect(isWhole).toBe(false)
  })

  it('ends where a test case can take no more', () => {
    const turns = Array.from({ length: 60 }, (_, i) => say(`s${i}`, 300 + i, 1, `Word ${i}`))
    const { steps, notes } = scriptOf([call(30_000), answered(200), ...turns])
    expect(steps).toHaveLength(50)
    expect(notes).toEqual([expect.stringContaining('only its beginning')])
  })

  it.each(examples.map((example) => [example.name, example] as const))(
    'is one that the contract takes: %s',
    (_, example) => {
      for (const step of scriptOf(example.spans).steps)
        if (step.kind === 'expects') {
          expect(() => Expectation.parse(step.expected)).not.toThrow()
          if (step.looser) expect(() => Expectation.parse(step.looser)).not.toThrow()
        }
    },
  )
})

describe('what varies', () => {
  it.each([
    ['You owe 42.50 now', 'en-US', 'You owe [\\d.,:/-]+ now'],
    ['It is 10:30 (tomorrow)', 'en-US', 'It is [\\d.,:/-]+ \\(\\S+\\)'],
    ['Hi Ann, how ca', 'en-US', 'Hi \\S+, how ca'],
    ['On Monday, the', null, 'On \\S+, the'],
    ['Guten Tag, Ihr Termin', 'de-DE', null],
    ['Bis montag um 9', 'de-DE', 'Bis \\S+ um [\\d.,:/-]+'],
    ['At what time wo', 'en-US', null],
  ])('of %s (%s)', (text, language, pattern) => {
    const loose = loosened({ kind: 'says', text }, language)
    expect(loose).toEqual(pattern && { kind: 'says', text: pattern, is_pattern: true })
    if (pattern) expect(new RegExp(pattern, 'i').test(text)).toBe(true)
  })
})
