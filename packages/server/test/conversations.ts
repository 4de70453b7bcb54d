import { createHash } from 'node:crypto'
import type { SpanValue, TraceSpan } from '@switchroom/contract'
import { answers } from './conversations/answers.ts'
import { type Example, type ExampleSpan, T0 } from './conversations/example.ts'
import { factCalls } from './conversations/fact-calls.ts'
import { factTurns } from './conversations/fact-turns.ts'
import { hostile } from './conversations/hostile.ts'
import { keys } from './conversations/keys.ts'
import { platform } from './conversations/platform.ts'
import { speech } from './conversations/speech.ts'

export { type Example, T0 } from './conversations/example.ts'

/** Calls with their expected conversations, written by hand. */
export const examples: Example[] = [
  ...factTurns,
  ...factCalls,
  ...speech,
  ...keys,
  ...answers,
  ...platform,
  ...hostile,
]

/** An example's spans as a store of traces hands them out. */
export function asSpans({ spans }: Pick<Example, 'spans'>, traceId: string): TraceSpan[] {
  const idOf = (id: string) =>
    createHash('sha256').update(`${traceId} ${id}`).digest('hex').slice(0, 16)
  return spans.map(({ id, parent, start, duration, name, attributes }) => ({
    traceId,
    spanId: idOf(id),
    parentSpanId: parent === undefined ? '' : idOf(parent),
    name,
    kind: 'SPAN_KIND_INTERNAL',
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(start + duration),
    attributes: Object.entries({ ...summaryOf(name), ...attributes }).map(([key, value]) => ({
      key,
      value: otlpValue(value),
    })),
  }))
}

/** The summary attribute that the platform adds to each verb. */
function summaryOf(name: string): ExampleSpan['attributes'] {
  const summary = /^verb:(?!hook\b)(.+)$/s.exec(name)?.[1]
  return summary === undefined ? {} : { 'verb.summary': summary }
}

const nanoseconds = (offset: number) =>
  String(BigInt(T0) * 1_000_000n + BigInt(Math.round(offset * 1_000_000)))

/** A value in OTLP. */
function otlpValue(value: string | number | boolean): SpanValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
