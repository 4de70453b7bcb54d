import { Conversation } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { checkConversation } from '../../../test/conversations/check.ts'
import { asSpans, examples } from '../../../test/conversations.ts'
import { type Batch, traceOf } from '../../stores/traces/span.ts'
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
