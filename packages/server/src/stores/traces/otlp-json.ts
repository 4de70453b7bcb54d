import type { SpanAttribute, SpanValue } from '@switchroom/contract'
import {
  attribute,
  type Batch,
  integerText,
  MAX_ATTRIBUTES,
  numberValue,
  type Read,
  spanOf,
  textOf,
  Unreadable,
} from './span.ts'

type JsonObject = Record<string, unknown>
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** The value if it is an object, else an empty one. The contract's `membersOf` would load the whole contract here. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const MAX_DEPTH = 64

/** Parses untrusted JSON. Throws `Unreadable`, also for excessive nesting. */
export function jsonOf(text: string): unknown {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (quoted) {
      if (c === 92) i++
      else if (c === 34) quoted = false
    } else if (c === 34) quoted = true
    else if (c === 91 || c === 123) {
      if (++depth > MAX_DEPTH) throw new Unreadable('nested too deep')
    } else if (c === 93 || c === 125) depth--
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('not JSON')
  }
}

function typedOf(raw: unknown): SpanValue | undefined {
  const v = objectOf(raw)
  if (typeof v.stringValue === 'string') return { stringValue: textOf(v.stringValue) }
  if (typeof v.boolValue === 'boolean') return { boolValue: v.boolValue }
  const whole = integerText(v.intValue)
  if (whole !== undefined) return { intValue: whole }
  // numbers that JSON lacks, such as NaN, are text
  if (typeof v.doubleValue === 'number') return numberValue(v.doubleValue)
  if (typeof v.doubleValue === 'string') return { stringValue: textOf(v.doubleValue, 40) }
  if (typeof v.bytesValue === 'string') return { stringValue: textOf(v.bytesValue) }
  if (v.arrayValue !== undefined || v.kvlistValue !== undefined)
    return { stringValue: textOf(JSON.stringify(plain(v))) }
  return undefined
}

/** A value without type tags, to display. */
function plain(raw: unknown): unknown {
  const v = objectOf(raw)
  if (v.arrayValue !== undefined) return list(objectOf(v.arrayValue).values).map(plain)
  if (v.kvlistValue !== undefined)
    return Object.fromEntries(
      list(objectOf(v.kvlistValue).values).map((pair) => [
        textOf(objectOf(pair).key),
        plain(objectOf(pair).value),
      ]),
    )
  return v.stringValue ?? v.boolValue ?? v.intValue ?? v.doubleValue ?? v.bytesValue ?? null
}

const attributesOf = (raw: unknown): SpanAttribute[] =>
  list(raw)
    .slice(0, MAX_ATTRIBUTES)
    .flatMap((pair) => {
      const { key, value } = objectOf(pair)
      const typed = typedOf(value)
      return typed && typeof key === 'string' ? [attribute(key, typed)] : []
    })

/** Reads OTLP JSON of exporters and of Jaeger, with its newer and older field names. */
export function fromOtlp(message: unknown): Read {
  const { resourceSpans } = objectOf(message)
  if (!Array.isArray(resourceSpans)) throw new Unreadable('no resourceSpans')
  const batches: Batch[] = []
  let malformed = 0
  for (const of of resourceSpans) {
    const { resource, ...more } = objectOf(of)
    const scopes = list(more.scopeSpans)
    const parts = scopes.length > 0 ? scopes : list(more.instrumentationLibrarySpans)
    const attributes = attributesOf(objectOf(resource).attributes)
    for (const part of parts) {
      const { spans, ...rest } = objectOf(part)
      const scope = objectOf(rest.scope ?? rest.instrumentationLibrary)
      const read = list(spans).map((raw) => {
        const s = objectOf(raw)
        return spanOf({
          traceId: s.traceId,
          spanId: s.spanId,
          parentSpanId: s.parentSpanId,
          name: s.name,
          kind: s.kind,
          start: s.startTimeUnixNano,
          end: s.endTimeUnixNano,
          attributes: attributesOf(s.attributes),
        })
      })
      const sound = read.filter((span) => span !== undefined)
      malformed += read.length - sound.length
      if (sound.length === 0) continue
      batches.push({
        origin: {
          resource: attributes,
          scope: { name: textOf(scope.name, 256), version: textOf(scope.version, 256) },
        },
        spans: sound,
      })
    }
  }
  return { batches, malformed }
}
