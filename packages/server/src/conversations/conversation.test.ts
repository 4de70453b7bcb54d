import { Conversation } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { checkConversation } from '../../test/conversations/check.ts'
import { call, type ExampleSpan, span } from '../../test/conversations/example.ts'
import { asSpans, examples } from '../../test/conversations.ts'
import { type Batch, traceOf } from '../stores/traces/span.ts'
import { MAX_SPANS } from '../stores/traces/store.ts'
import { conversationOf } from './conversation.ts'

const ORIGIN = { resource: [], scope: { name: 'jambonz', version: '0.9.8' } }
const traceFrom = (spans: Batch['spans']) => traceOf([{ origin: ORIGIN, spans }])!

describe.each(examples.map((example) => [example.name, example] as const))('%s', (_, example) => {
  const spans = asSpans(example, 'ab'.repeat(16))

  it('is told as it was', () => {
    const conversation = conversationOf(traceFrom(spans))
    expect(() => Conversation.parse(conversation)).not.toThrow()
    checkConversation(example, conversation)
  })

  it('is the same when spans come twice, or the last first', () => {
    const conversation = conversationOf(traceFrom(spans))
    expect(conversationOf(traceFrom([...spans, ...spans]))).toEqual(conversation)
    expect(conversationOf(traceFrom(spans.toReversed()))).toEqual(conversation)
  })
})

/** As many spans as a trace returns, two at a time. */
const many = (two: (i: number, id: string) => [ExampleSpan, ExampleSpan]) =>
  asSpans(
    {
      spans: [
        call(1e8),
        ...Array.from({ length: MAX_SPANS / 2 - 1 }, (_, i) => two(i, String(i))).flat(),
      ],
    },
    'ab'.repeat(16),
  )
const resolved = (how: string) => ({ 'stt.resolve': how })
const LATE = 5e7
/** All of each kind are compared with all of another, if nothing prevents that. */
const HOSTILE = {
  'keys before gathers': many((i, id) => [
    span(`k${id}`, 'a', i * 1_000, 1, 'dtmf:4'),
    span(`g${id}`, 'a', LATE, 1, 'verb:gather{', resolved('dtmf-num-digits')),
  ]),
  'gathers before keys': many((i, id) => [
    span(`g${id}`, 'a', i, 1, 'verb:gather{', resolved('dtmf-num-digits')),
    span(`k${id}`, 'a', LATE + i * 1_000, 1, 'dtmf:4'),
  ]),
  'gathers before dials': many((i, id) => [
    span(`g${id}`, 'a', i, 1, 'verb:gather{', resolved('speech')),
    span(`d${id}`, 'a', LATE + i, 1, 'verb:dial{type=phone,number=1}'),
  ]),
  'prompts before gathers in the background': many((i, id) => [
    span(`s${id}`, 'a', i, 10, 'verb:say{text=a}'),
    span(`g${id}`, 'a', LATE + i, 1, 'background-bargeIn:gather{', resolved('speech')),
  ]),
  'gathers that resolve at once before pauses': many((i, id) => [
    span(`g${id}`, 'a', i, LATE, 'verb:gather{', resolved('speech')),
    span(`p${id}`, 'a', LATE + 20_000 + i, 1, 'verb:pause'),
  ]),
  'orphans below verbs that do not end': many((i, id) => [
    span(`v${id}`, 'a', i, LATE, 'verb:say{text=a}'),
    span(`o${id}`, 'lost', 20_000 + i, 5, 'tts-generation'),
  ]),
}
/** The shortest of three tries, in milliseconds. */
function took(spans: Batch['spans']) {
  const trace = traceFrom(spans)
  const times = [0, 1, 2].map(() => {
    const began = performance.now()
    conversationOf(trace)
    return performance.now() - began
  })
  return Math.min(...times)
}

it('takes about as long for any spans, however they are arranged', () => {
  const plain = took(
    many((i, id) => [
      span(`s${id}`, 'a', i * 100, 50, 'verb:say{text=a}'),
      span(`t${id}`, `s${id}`, i * 100, 5, 'tts-generation'),
    ]),
  )
  const slower = Object.entries(HOSTILE).map(([name, spans]) => [name, took(spans) / plain])
  expect(slower.filter(([, times]) => Number(times) > 6)).toEqual([])
})
