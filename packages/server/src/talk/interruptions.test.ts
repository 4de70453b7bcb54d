import { expect, it } from 'vitest'
import {
  type Attributes,
  answered,
  call,
  type ExampleSpan,
  gather,
  hook,
  over,
  prompt,
  result,
  SPEECH,
  say,
  span,
  T0,
  tts,
} from '../../test/conversations/example.ts'
import { asSpans } from '../../test/conversations.ts'
import { traceOf } from '../stores/traces/span.ts'
import { conversationOf } from './conversation.ts'

const ORIGIN = { resource: [], scope: { name: 'jambonz', version: '0.9.8' } }

function interruptions(...spans: ExampleSpan[]) {
  const all = [call(30_000), answered(0), ...spans, over(29_000, 'caller')]
  const trace = traceOf([{ origin: ORIGIN, spans: asSpans({ spans: all }, 'ab'.repeat(16)) }])!
  return conversationOf(trace).interruptions
}

/** Talk spurts in seconds of the call, and the time between the end of speech and the result. */
const spoke = (spurts: readonly (readonly [number, number])[], latency?: string): Attributes => ({
  ...result('my order', 0.9),
  'stt.talkspurts': JSON.stringify(spurts.map((pair) => pair.map((s) => T0 / 1_000 + s))),
  ...(latency !== undefined && { 'stt.latency_ms': latency }),
})
/** Something is said from 100 ms after `start` on. */
const saying = (id: string, start: number, duration: number) => [
  say(id, start, duration, 'Welcome to the ...'),
  tts(`t${id}`, id, start, 100, false),
]
/** The caller is listened to, with a result at `end`. */
const listening = (id: string, start: number, end: number, attributes: Attributes) => [
  gather(id, start, end - start + 300, SPEECH, 'speech', attributes),
  hook(`h${id}`, id, end, 300, '/said', { reason: 'speechDetected' }),
]

const UNKNOWN = { talk_over_ms: null, silence_before_ms: null, talk: null }

it('are silence before the caller, and the time that each side spoke', () => {
  expect(
    interruptions(
      ...saying('s', 1_000, 3_400),
      // the second spurt ends 400 ms before the result
      ...listening(
        'g',
        4_400,
        11_000,
        spoke(
          [
            [6, 7],
            [9, 10],
          ],
          '400',
        ),
      ),
    ),
  ).toEqual({
    ...{ barge_ins: 0, barge_in_known: 1 },
    talk_over_ms: 0,
    // from 4.4 to 6.5
    silence_before_ms: 2_100,
    // from 6.5 to 7.5 and from 9.5 to 10.6
    talk: { caller_ms: 2_100, application_ms: 3_300 },
  })
})

it('take speech for an answer if it began in the second in which the prompt ended', () => {
  const { talk_over_ms, silence_before_ms } = interruptions(
    ...saying('s', 1_000, 3_400),
    ...listening('g', 4_400, 8_000, spoke([[4, 6]])),
  )
  // from 4.4 to some time before 5
  expect([talk_over_ms, silence_before_ms]).toEqual([0, 300])
})

const nested = (spurts: [number, number][], ...more: ExampleSpan[]) =>
  interruptions(
    gather('g', 1_000, 8_300, SPEECH, 'speech', spoke(spurts)),
    hook('h', 'g', 9_000, 300, '/said', { reason: 'speechDetected' }),
    tts('t', 'g', 1_000, 100, false),
    ...more,
  )

it('are the time that both spoke, where whole seconds leave no doubt', () => {
  const both = prompt('p', 'g', 1_000, 5_000, 'Welcome to the ...')
  const overOf = (spurts: [number, number][]) => {
    const found = interruptions(
      gather('g', 1_000, 8_300, SPEECH, 'speech', spoke(spurts)),
      hook('h', 'g', 9_000, 300, '/said', { reason: 'speechDetected' }),
      both,
      tts('t', 'p', 1_000, 100, false),
    )
    return [found.talk_over_ms, found.silence_before_ms]
  }
  // from 3.5 to 4.5, within the prompt
  expect(overOf([[3, 4]])).toEqual([1_000, null])
  // from 4.5 to the end of the prompt at 6, and again after it
  expect(
    overOf([
      [4, 7],
      [8, 8],
    ]),
  ).toEqual([1_500, null])
  expect(overOf([[5, 7]])).toEqual([500, null])
  expect(overOf([[6, 7]])).toEqual([0, 500])
})

it('do not know how long a prompt was heard that the caller cut', () => {
  // the trace has the request for its voice alone
  expect(nested([[3, 5]])).toEqual({ ...UNKNOWN, barge_ins: 1, barge_in_known: 1 })
})

it('know it of a verb that speech in the background cut', () => {
  const found = interruptions(
    ...saying('s', 1_000, 3_400),
    span('b', 'a', 500, 6_300, 'background-bargeIn:gather{inputs=speech}', {
      'stt.resolve': 'speech',
      ...spoke([[4, 5]], '200'),
    }),
    hook('h', 'b', 5_900, 300, '/said', { reason: 'speechDetected' }),
  )
  // it began between 4 and 4.4, when the prompt was cut
  expect(found).toMatchObject({ barge_ins: 1, barge_in_known: 1 })
  expect(found).toMatchObject({ talk_over_ms: 200, silence_before_ms: null })
})

it.each<[string, ExampleSpan[]]>([
  ['talk spurts', listening('g', 4_400, 8_000, result('my order', 0.9))],
  ['sound ones', listening('g', 4_400, 8_000, { ...spoke([]), 'stt.talkspurts': '[[9],"x"]' })],
  [
    'ones in order',
    listening(
      'g',
      4_400,
      8_000,
      spoke([
        [7, 7],
        [5, 6],
      ]),
    ),
  ],
  ['ones of its own time', listening('g', 4_400, 8_000, spoke([[2, 6]]))],
  ['any that it heard', listening('g', 4_400, 8_000, spoke([]))],
])('are unknown without %s', (_, turn) => {
  expect(interruptions(...saying('s', 1_000, 3_400), ...turn)).toEqual({
    ...UNKNOWN,
    ...{ barge_ins: 0, barge_in_known: 1 },
  })
})

it.each([
  ['a file is played', span('x', 'a', 4_000, 5_000, 'verb:play:{url=/music.wav}')],
  ['the application streams sound', span('x', 'a', 0, 20_000, 'background-listen:listen')],
  ['a model speaks', span('x', 'a', 4_000, 5_000, 'verb:Llm_OpenAI_s2s')],
  ['something is dubbed', span('x', 'a', 1_000, 20, 'verb:dub')],
])('are unknown while %s', (_, other) => {
  const found = interruptions(
    ...saying('s', 1_000, 2_400),
    other,
    ...listening('g', 3_400, 8_000, spoke([[5, 6]])),
  )
  expect(found).toMatchObject(UNKNOWN)
})

it('have no silence where the caller spoke in between', () => {
  const found = interruptions(
    ...saying('s', 1_000, 2_400),
    ...listening('g', 3_400, 6_000, spoke([[5, 5]])),
    ...listening('f', 7_000, 12_000, spoke([[9, 10]])),
  )
  expect(found).toMatchObject({ talk_over_ms: 0, silence_before_ms: 2_100 })
})
