import { describe, expect, it } from 'vitest'
import {
  answered,
  call,
  gather,
  hook,
  over,
  say,
  span,
  tts,
} from '../../test/conversations/example.ts'
import { asSpans, examples } from '../../test/conversations.ts'
import { traceOf } from '../stores/traces/span.ts'
import type { Count } from './counts.ts'
import { roundTime, talkOf } from './talk.ts'

const ORIGIN = { resource: [], scope: { name: 'jambonz', version: '0.9.8' } }
const talkIn = (example: Parameters<typeof asSpans>[0]) =>
  talkOf(traceOf([{ origin: ORIGIN, spans: asSpans(example, 'ab'.repeat(16)) }])!)

/** `recognizer google/en-US: response=710 × 2` */
const line = ({ by, key, measure, value, n }: Count) =>
  `${[by, key.replace('\n', '/')].join(' ').trim()}: ${measure}${value > 0 ? `=${value}` : ''} × ${n}`

const VOICE = 'voice google/en-US-Wavenet-C'

/** Reckoned by hand from the expected conversations. */
const EXPECTED: Record<string, string[]> = {
  'A menu with digits and a recording': [
    'all: calls × 1',
    'all: barge_ins × 1',
    'all: barge_in_known × 2',
    'all: ended_by_application × 1',
    'all: turns × 2',
    'all: response=710 × 1',
    'all: response=3800 × 1',
    'all: answer=710 × 1',
    'all: answer=830 × 1',
    'all: spent_on_digits × 3003',
    'all: spent_on_webhook × 814',
    'all: spent_on_hand_over × 11',
    'all: spent_on_voice × 709',
    'all: prompts × 3',
    'all: cached × 1',
    'all: not_cached × 2',
    'all: first_audio=410 × 1',
    'all: first_audio=300 × 1',
    `${VOICE}: prompts × 3`,
    `${VOICE}: cached × 1`,
    `${VOICE}: not_cached × 2`,
    `${VOICE}: first_audio=410 × 1`,
    `${VOICE}: first_audio=300 × 1`,
    `${VOICE}: response=710 × 1`,
    `${VOICE}: response=3800 × 1`,
    `${VOICE}: answer=710 × 1`,
    `${VOICE}: answer=830 × 1`,
    'vendor voice/google: requests × 2',
  ],
  'One question and a streamed voice': [
    'all: calls × 1',
    'all: barge_in_known × 1',
    'all: ended_by_application × 1',
    'all: turns × 1',
    'all: response=1300 × 1',
    'all: answer=950 × 1',
    'all: spent_on_recognition × 362',
    'all: spent_on_webhook × 640',
    'all: spent_on_hand_over × 5',
    'all: spent_on_voice × 306',
    'all: prompts × 2',
    'all: not_cached × 2',
    'all: first_audio=230 × 1',
    'all: first_audio=310 × 1',
    'recognizer deepgram/en-US: turns × 1',
    'recognizer deepgram/en-US: response=1300 × 1',
    'recognizer deepgram/en-US: answer=950 × 1',
    'voice elevenlabs/EXv1: prompts × 2',
    'voice elevenlabs/EXv1: not_cached × 2',
    'voice elevenlabs/EXv1: first_audio=230 × 1',
    'voice elevenlabs/EXv1: first_audio=310 × 1',
    'voice elevenlabs/EXv1: response=1300 × 1',
    'voice elevenlabs/EXv1: answer=950 × 1',
    'vendor recognition/deepgram: requests × 1',
    'vendor voice/elevenlabs: requests × 2',
  ],
  'Nothing is understood four times': [
    'all: calls × 1',
    'all: barge_in_known × 4',
    'all: ended_by_application × 1',
    'all: turns × 4',
    'all: timed_out × 2',
    'all: not_understood × 2',
    'all: prompts × 5',
    'all: cached × 1',
    'recognizer google/en-US: turns × 2',
    'recognizer google/en-US: not_understood × 2',
    `${VOICE}: prompts × 1`,
    `${VOICE}: cached × 1`,
    'vendor recognition/google: requests × 2',
  ],
  'The caller hangs up while the webhook is slow': [
    'all: calls × 1',
    'all: barge_in_known × 1',
    'all: ended_by_caller × 1',
    'all: turns × 1',
    'all: hung_up × 1',
    'all: prompts × 1',
    'all: cached × 1',
    'recognizer google/en-US: turns × 1',
    'recognizer google/en-US: hung_up × 1',
    `${VOICE}: prompts × 1`,
    `${VOICE}: cached × 1`,
    'vendor recognition/google: requests × 1',
  ],
  'Another vendor takes the place of one that failed': [
    'all: calls × 1',
    'all: barge_in_known × 1',
    'all: ended_by_caller × 1',
    'all: turns × 1',
    'all: answer=860 × 1',
    'all: spent_on_webhook × 556',
    'all: spent_on_hand_over × 6',
    'all: spent_on_voice × 302',
    'all: prompts × 2',
    'all: not_cached × 2',
    'all: first_audio=1900 × 1',
    'all: first_audio=300 × 1',
    'recognizer google/en-US: turns × 1',
    'recognizer google/en-US: answer=860 × 1',
    `${VOICE}: prompts × 2`,
    `${VOICE}: not_cached × 2`,
    `${VOICE}: first_audio=1900 × 1`,
    `${VOICE}: first_audio=300 × 1`,
    `${VOICE}: answer=860 × 1`,
    'vendor recognition/deepgram: requests × 1',
    'vendor recognition/deepgram: failed × 1',
    'vendor recognition/google: requests × 1',
    'vendor voice/elevenlabs: requests × 1',
    'vendor voice/elevenlabs: failed × 1',
    'vendor voice/google: requests × 2',
  ],
  'No vendor takes the place of one that failed': [
    'all: calls × 1',
    'all: barge_in_known × 1',
    'all: ended_by_caller × 1',
    'all: prompts × 1',
    'all: not_cached × 1',
    'all: first_audio=180 × 1',
    `${VOICE}: prompts × 1`,
    `${VOICE}: not_cached × 1`,
    `${VOICE}: first_audio=180 × 1`,
    'vendor voice/elevenlabs: requests × 1',
    'vendor voice/elevenlabs: failed × 1',
    'vendor voice/google: requests × 1',
  ],
  'The recognizer reports an error': [
    'all: calls × 1',
    'all: barge_in_known × 1',
    'all: ended_by_application × 1',
    'all: turns × 1',
    'all: failed × 1',
    'all: answer=320 × 1',
    'all: spent_on_webhook × 306',
    'all: spent_on_hand_over × 5',
    'all: spent_on_voice × 4',
    'all: prompts × 1',
    'all: cached × 1',
    'recognizer /: turns × 1',
    'recognizer /: failed × 1',
    'recognizer /: answer=320 × 1',
    `${VOICE}: prompts × 1`,
    `${VOICE}: cached × 1`,
    `${VOICE}: answer=320 × 1`,
  ],
  'A trace is only its root': [],
  'A model talks for the whole call': [],
}

describe('what a call counts for', () => {
  it.each(Object.entries(EXPECTED))('%s', (name, expected) => {
    const talk = talkIn(examples.find((example) => example.name === name)!)
    expect(talk!.counts.map(line).sort()).toEqual(expected.toSorted())
    expect(talk!.call_sid).toBe('c1')
  })

  it('is nothing until the call is over', () => {
    const live = examples.find(({ name }) => name.startsWith('The call is not over'))!
    expect(talkIn(live)).toBeUndefined()
  })

  it.each(examples.map((example) => [example.name, example] as const))(
    'adds up: %s',
    (_, example) => {
      const counts = talkIn(example)?.counts ?? []
      const sum = (by: Count['by'], measure: Count['measure']) =>
        counts.reduce((all, c) => (c.by === by && c.measure === measure ? all + c.n : all), 0)
      expect(sum('all', 'calls')).toBe(counts.length > 0 ? 1 : 0)
      const bad = sum('all', 'not_understood') + sum('all', 'timed_out') + sum('all', 'failed')
      expect(bad).toBeLessThanOrEqual(sum('all', 'turns'))
      expect(sum('all', 'barge_ins')).toBeLessThanOrEqual(sum('all', 'barge_in_known'))
      expect(sum('all', 'talk_over')).toBeLessThanOrEqual(sum('all', 'turns'))
      expect(sum('all', 'response')).toBeLessThanOrEqual(sum('all', 'answer'))
      expect(sum('recognizer', 'turns')).toBeLessThanOrEqual(sum('all', 'turns'))
      expect(sum('vendor', 'failed')).toBeLessThanOrEqual(sum('vendor', 'requests'))
      for (const { value, n, measure } of counts) {
        expect(Number.isInteger(n) && n >= 0, measure).toBe(true)
        expect(Number.isInteger(value) && value >= 0 && value === roundTime(value)).toBe(true)
      }
    },
  )

  it('has the words of both sides and of the application, without pressed keys', () => {
    const gather = (id: string, start: number, attributes: Record<string, string>) =>
      span(id, 'a', start, 900, 'verb:gather{inputs=speech}', attributes)
    const heard = (transcript: string) => ({
      'stt.result': JSON.stringify({ alternatives: [{ transcript }] }),
    })
    const talk = talkIn({
      spans: [
        call(20_000),
        answered(10),
        gather('g1', 3_000, { 'stt.resolve': 'speech', ...heard('My Bill, please') }),
        gather('g2', 4_000, { 'stt.resolve': 'stt-low-confidence', ...heard('mumbled') }),
        gather('g3', 5_000, { 'stt.resolve': 'dtmf-num-digits' }),
        span('h3', 'g3', 5_800, 50, 'verb:hook (/menu)', {
          'http.body': JSON.stringify({ digits: '4711' }),
        }),
        say('s1', 1_000, 500, 'Welcome to the sh...'),
        span('u1', 'a', 7_000, 500, 'stt-listen:1', {
          'stt.resolve': 'transcript',
          ...heard('from behind'),
        }),
        span('u2', 'a', 8_000, 500, 'stt-listen:2', {
          'stt.resolve': 'transcript',
          ...heard('the called party'),
        }),
        over(19_000, 'caller'),
      ],
    })!
    expect(talk.words).toBe(
      ' welcome to the sh ¶ my bill please ¶ mumbled ¶ from behind ¶ the called party ',
    )
  })

  it('has the data of the last tag, without what is nested', () => {
    const posted = (id: string, start: number, body: object | string) =>
      span(id, 'a', start, 50, 'verb:hook (/menu)', {
        'http.body': typeof body === 'string' ? body : JSON.stringify(body),
      })
    const tagOf = (...hooks: ReturnType<typeof posted>[]) =>
      talkIn({ spans: [call(20_000), answered(10), ...hooks, over(19_000, 'caller')] })!.tag
    const first = posted('h1', 1_000, { customerData: { build: '6' } })
    const last = posted('h2', 2_000, { customerData: { build: 7, of: { x: 1 } } })
    expect(tagOf(first, last, posted('h3', 3_000, { reason: 'timeout' }))).toEqual({ build: 7 })
    expect(tagOf(posted('h1', 1_000, '"customerData" of no JSON'))).toEqual({})
    expect(tagOf(posted('h1', 1_000, { customerData: ['x'] }))).toEqual({})
    expect(tagOf()).toEqual({})
  })

  it('has the answer to a time-out and to an error of the recognizer, and no response time of them', () => {
    const turn = (resolve: string) => [
      call(20_000),
      answered(10),
      gather('g', 1_000, 2_000, 'inputs=speech', resolve),
      hook('h', 'g', 3_000, 200, '/next', {}),
      say('s', 3_250, 1_000, 'Sorry?'),
      tts('t', 's', 3_250, 100, false),
      over(19_000, 'caller'),
    ]
    const timesOf = (resolve: string) =>
      talkIn({ spans: turn(resolve) })!
        .counts.filter(({ by, measure }) => by === 'all' && /^(?:answer|response)$/.test(measure))
        .map(({ measure, value, n }) => [measure, value, n])
    expect(timesOf('timeout')).toEqual([['answer', 350, 1]])
    expect(timesOf('stt-error')).toEqual([['answer', 350, 1]])
  })

  it('does not grow with the voices that a trace names', () => {
    const voices = Array.from({ length: 2_000 }, (_, i) => i)
    const talk = talkIn({
      spans: [
        call(90_000),
        answered(10),
        ...voices.flatMap((i) => [
          say(`s${i}`, 100 + i * 40, 30, 'x'),
          tts(`t${i}`, `s${i}`, 101 + i * 40, 10, false, {
            'tts.vendor': `vendor ${i}`,
            'tts.voice': 'v'.repeat(10_000),
          }),
        ]),
        over(80_900, 'caller'),
      ],
    })!
    expect(talk.counts.length).toBeLessThan(300)
    expect(Math.max(...talk.counts.map(({ key }) => key.length))).toBeLessThan(300)
    const prompts = talk.counts.filter((c) => c.by === 'voice' && c.measure === 'prompts')
    expect(prompts.reduce((sum, { n }) => sum + n, 0)).toBe(2_000)
    expect(talk.counts).toContainEqual({
      by: 'vendor',
      key: 'voice\n',
      measure: 'requests',
      value: 0,
      n: 1_960,
    })
  })
})

describe('a rounded time', () => {
  it.each([
    [0, 0],
    [0.4, 0],
    [9.6, 10],
    [99.4, 99],
    [99.6, 100],
    [104, 100],
    [105, 110],
    [1_313, 1_300],
    [9_949, 9_900],
    [9_950, 10_000],
    [123_456, 120_000],
  ])('has two digits: %d is %d', (ms, rounded) => expect(roundTime(ms)).toBe(rounded))

  it('never passes a larger one', () => {
    const times = Array.from({ length: 20_000 }, (_, ms) => ms)
    expect(times.filter((ms) => roundTime(ms + 1) < roundTime(ms))).toEqual([])
  })
})
