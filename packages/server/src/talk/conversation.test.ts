import { Conversation } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { checkConversation } from '../../test/conversations/check.ts'
import { call, type ExampleSpan, span } from '../../test/conversations/example.ts'
import { asSpans, examples, T0 } from '../../test/conversations.ts'
import { stepsOf } from '../../test/steps.ts'
import { type Batch, traceOf } from '../stores/traces/span.ts'
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

it('tells verbs that it does not know, which are no silence', () => {
  const spans = [
    call(60_000),
    span('s', 'a', 0, 60_000, 'call-status:in-progress'),
    span('v', 'a', 1_000, 50_000, 'verb:room2'),
    span('l', 'a', 51_500, 8_000, 'verb:Llm_Qwen_s2s'),
    span('e', 'a', 60_000, 1, 'call-status:completed'),
  ]
  const { entries, findings } = conversationOf(traceFrom(asSpans({ spans }, 'ab'.repeat(16))))
  const texts = entries.map((entry) => (entry.kind === 'event' ? entry.text : ''))
  expect(texts.slice(1, 3)).toEqual([
    'The verb “room2” ran for 50 s.',
    expect.stringContaining('Conversation with a model (“Qwen”) for 8.0 s.'),
  ])
  expect(findings).toEqual([])
})

/** True if a prompt that ended at 3 s, of a bot that always listens, is reported as cut. */
const isCutBy = (
  resolved: number,
  words: string,
  more: ExampleSpan[] = [],
  latency: object = {},
) => {
  const spans = [
    call(60_000),
    span('c', 'a', 0, 10, 'call-status:in-progress'),
    span('s', 'a', 1_000, 2_000, 'verb:say{text=Our opening hou...}'),
    span('q', 'a', 500, resolved - 500, 'background-bargeIn:gather{inputs=speech}', {
      'stt.resolve': 'speech',
      'stt.result': JSON.stringify({ alternatives: [{ transcript: words }] }),
      ...latency,
    }),
    ...more,
  ]
  const { entries } = conversationOf(traceFrom(asSpans({ spans }, 'ab'.repeat(16))))
  const said = entries.find((entry) => entry.kind === 'said')
  expect(said?.end).toBe(T0 + 3_000)
  return said?.is_interrupted
}

it('tells a prompt as cut where the caller must have begun to speak before its end', () => {
  expect(isCutBy(4_000, 'stop')).toBe(true)
  expect(isCutBy(5_500, 'I would like to book a table for four')).toBe(true)
  // who answers later may have waited for its end
  expect(isCutBy(6_000, 'stop')).toBe(null)
  // the platform's own recognition takes precedence
  const spurt = (from: number) => ({
    'stt.talkspurts': `[[${T0 / 1_000 + from},${T0 / 1_000 + 5}]]`,
  })
  expect(isCutBy(6_000, 'stop', [], spurt(2))).toBe(true)
  expect(isCutBy(4_000, 'stop', [], spurt(4))).toBe(null)
  // another verb followed at once
  expect(isCutBy(4_000, 'stop', [span('n', 'a', 3_010, 5_000, 'verb:pause')])).toBe(null)
})

type TwoSpans = (i: number, id: string) => [ExampleSpan, ExampleSpan]
/** A call with this many pairs of spans. */
const many = (pairs: number, two: TwoSpans) =>
  asSpans(
    {
      spans: [call(1e8), ...Array.from({ length: pairs }, (_, i) => two(i, String(i))).flat()],
    },
    'ab'.repeat(16),
  )
const resolved = (how: string) => ({ 'stt.resolve': how })
const LATE = 5e7
/** All of each kind are compared with all of another, if nothing prevents that. */
const HOSTILE: Record<string, TwoSpans> = {
  'keys before gathers': (i, id) => [
    span(`k${id}`, 'a', i * 1_000, 1, 'dtmf:4'),
    span(`g${id}`, 'a', LATE, 1, 'verb:gather{', resolved('dtmf-num-digits')),
  ],
  'gathers before keys': (i, id) => [
    span(`g${id}`, 'a', i, 1, 'verb:gather{', resolved('dtmf-num-digits')),
    span(`k${id}`, 'a', LATE + i * 1_000, 1, 'dtmf:4'),
  ],
  'gathers before dials': (i, id) => [
    span(`g${id}`, 'a', i, 1, 'verb:gather{', resolved('speech')),
    span(`d${id}`, 'a', LATE + i, 1, 'verb:dial{type=phone,number=1}'),
  ],
  'prompts before gathers in the background': (i, id) => [
    span(`s${id}`, 'a', i, 10, 'verb:say{text=a}'),
    span(`g${id}`, 'a', LATE + i, 1, 'background-bargeIn:gather{', resolved('speech')),
  ],
  'gathers that resolve at once before pauses': (i, id) => [
    span(`g${id}`, 'a', i, LATE, 'verb:gather{', resolved('speech')),
    span(`p${id}`, 'a', LATE + 20_000 + i, 1, 'verb:pause'),
  ],
  'talk spurts that last as long as prompts': (i, id) => [
    span(`s${id}`, 'a', i * 1_000, LATE, 'verb:play:{url=a}'),
    span(`g${id}`, 'a', 0, LATE + i, 'verb:gather{', {
      ...resolved('speech'),
      'stt.talkspurts': `[[${T0 / 1_000},${T0 / 1_000 + 40_000}]]`,
    }),
  ],
  'talk spurts beside prompts': (i, id) => [
    span(`s${id}`, 'a', i * 1_000, 900, 'verb:play:{url=a}'),
    span(`g${id}`, 'a', i * 1_000, 900, 'verb:gather{', {
      ...resolved('speech'),
      'stt.talkspurts': `[[${T0 / 1_000 + i},${T0 / 1_000 + i}]]`,
    }),
  ],
  'orphans below verbs that do not end': (i, id) => [
    span(`v${id}`, 'a', i, LATE, 'verb:say{text=a}'),
    span(`o${id}`, 'lost', 20_000 + i, 5, 'tts-generation'),
  ],
}

it('takes steps that grow with the number of spans, however they are arranged', async () => {
  const module = new URL('conversation.ts', import.meta.url)
  const sizes = [600, 1_200]
  const calls = Object.values(HOSTILE).flatMap((two) => sizes.map((n) => [traceFrom(many(n, two))]))
  const steps = await stepsOf(module, 'conversationOf', calls)
  const growth = Object.keys(HOSTILE).map((name, i) => [name, steps[2 * i + 1]! / steps[2 * i]!])
  // 2 and a little where it sorts; 4 where all are compared with all
  expect(growth.filter(([, times]) => Number(times) > 2.4)).toEqual([])
})
