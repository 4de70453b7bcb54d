import type { SpanAttribute, SpanValue } from '@switchroom/contract'
import {
  attribute,
  type Batch,
  MAX_ATTRIBUTES,
  numberValue,
  type Read,
  spanOf,
  textOf,
  Unreadable,
} from './span.ts'
import { readStruct, type Struct, type Thrift } from './thrift.ts'

const structs = (value: Thrift | undefined): Struct[] =>
  Array.isArray(value) ? value.filter((item) => item instanceof Map) : []
const text = (value: Thrift | undefined) =>
  Buffer.isBuffer(value) ? textOf(value.toString()) : undefined
const long = (value: Thrift | undefined) => (typeof value === 'bigint' ? value : undefined)
const id = (value: Thrift | undefined) =>
  BigInt.asUintN(64, long(value) ?? 0n)
    .toString(16)
    .padStart(16, '0')

/** A tag has its value in a field per type. */
function tagValue(tag: Struct): SpanValue | undefined {
  const double = tag.get(4)
  const bool = tag.get(5)
  switch (tag.get(2)) {
    case 0: {
      const parsed = text(tag.get(3))
      return parsed === undefined ? undefined : { stringValue: parsed }
    }
    case 1:
      return typeof double === 'number' ? numberValue(double) : undefined
    case 2:
      return typeof bool === 'boolean' ? { boolValue: bool } : undefined
    case 3: {
      const whole = long(tag.get(6))
      return whole === undefined ? undefined : { intValue: String(whole) }
    }
    case 4: {
      const bytes = tag.get(7)
      return Buffer.isBuffer(bytes) ? { stringValue: textOf(bytes.toString('base64')) } : undefined
    }
  }
  return undefined
}

const tagsIn = (value: Thrift | undefined): SpanAttribute[] =>
  structs(value)
    .slice(0, MAX_ATTRIBUTES)
    .flatMap((tag) => {
      const key = text(tag.get(1))
      const parsed = tagValue(tag)
      return key !== undefined && parsed ? [attribute(key, parsed)] : []
    })

/** Reads a Jaeger `Batch`. Throws `Unreadable`. */
export function fromJaeger(body: Buffer): Read {
  const batch = readStruct(body)
  const process = batch.get(1)
  if (!(process instanceof Map) || !Array.isArray(batch.get(2)))
    throw new Unreadable('no Batch of Jaeger')
  const service = text(process.get(1)) ?? ''
  const origin: Batch['origin'] = {
    resource: [{ key: 'service.name', value: { stringValue: service } }, ...tagsIn(process.get(2))],
    scope: { name: '', version: '' },
  }
  let malformed = 0
  const spans = structs(batch.get(2)).flatMap((span) => {
    const start = long(span.get(8))
    const duration = long(span.get(9))
    const attributes = tagsIn(span.get(10))
    const kind = attributes.find(({ key }) => key === 'span.kind')?.value.stringValue
    const read =
      start === undefined || duration === undefined
        ? undefined
        : spanOf({
            traceId: `${id(span.get(2))}${id(span.get(1))}`,
            spanId: id(span.get(3)),
            parentSpanId: id(span.get(4)),
            name: text(span.get(5)),
            kind: kind ?? 'INTERNAL',
            start: String(start * 1000n),
            end: String((start + duration) * 1000n),
            attributes,
          })
    if (read) return [read]
    malformed++
    return []
  })
  return { batches: [{ origin, spans }], malformed }
}
