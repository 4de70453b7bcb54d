import { objectOf } from './otlp-json.ts'
import {
  attribute,
  type Batch,
  MAX_ATTRIBUTES,
  type Read,
  spanOf,
  textOf,
  Unreadable,
} from './span.ts'

/** Converts microseconds to nanoseconds. Undefined for other values, which makes the span invalid. */
const nanos = (micros: unknown) =>
  typeof micros === 'number' && Number.isFinite(micros)
    ? BigInt(Math.round(micros)) * 1000n
    : undefined
const asText = (tag: unknown) => textOf(typeof tag === 'string' ? tag : JSON.stringify(tag))

/** Reads Zipkin v2 JSON, in which all tags are text. */
export function fromZipkin(message: unknown): Read {
  if (!Array.isArray(message)) throw new Unreadable('no list of spans')
  const services = new Map<string, Batch>()
  let malformed = 0
  for (const one of message) {
    const raw = objectOf(one)
    const start = nanos(raw.timestamp)
    const length = nanos(raw.duration ?? 0)
    const span =
      start !== undefined && length !== undefined
        ? spanOf({
            traceId: raw.traceId,
            spanId: raw.id,
            parentSpanId: raw.parentId,
            name: raw.name,
            kind: raw.kind ?? 'INTERNAL',
            start: String(start),
            end: String(start + length),
            attributes: Object.entries(objectOf(raw.tags))
              .slice(0, MAX_ATTRIBUTES)
              .map(([key, value]) => attribute(key, { stringValue: asText(value) })),
          })
        : undefined
    if (!span) {
      malformed++
      continue
    }
    const service = textOf(objectOf(raw.localEndpoint).serviceName, 256)
    const batch = services.get(service)
    if (batch) batch.spans.push(span)
    else services.set(service, { origin: originOf(service), spans: [span] })
  }
  return { batches: [...services.values()], malformed }
}

/** The origin of a sender that sends only its name. */
export const originOf = (service: string): Batch['origin'] => ({
  resource: service ? [{ key: 'service.name', value: { stringValue: service } }] : [],
  scope: { name: '', version: '' },
})
