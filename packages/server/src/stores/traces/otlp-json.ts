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
  wholeOf,
} from './span.ts'

type Thing = Record<string, unknown>
const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** The value if it is an object, else an empty one. The contract's `membersOf` would load the whole contract here. */
export const thing = (value: unknown): Thing => (isThing(value) ? value : {})
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

function typedOf(said: unknown): SpanValue | undefined {
  const v = thing(said)
  if (typeof v.stringValue === 'string') return { stringValue: textOf(v.stringValue) }
  if (typeof v.boolValue === 'boolean') return { boolValue: v.boolValue }
  const whole = wholeOf(v.intValue)
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
function plain(said: unknown): unknown {
  const v = thing(said)
  if (v.arrayValue !== undefined) return list(thing(v.arrayValue).values).map(plain)
  if (v.kvlistValue !== undefined)
    return Object.fromEntries(
      list(thing(v.kvlistValue).values).map((pair) => [
        textOf(thing(pair).key),
        plain(thing(pair).value),
      ]),
    )
  return v.stringValue ?? v.boolValue ?? v.intValue ?? v.doubleValue ?? v.bytesValue ?? null
}

const attributesOf = (said: unknown): SpanAttribute[] =>
  list(said)
    .slice(0, MAX_ATTRIBUTES)
    .flatMap((pair) => {
      const { key, value } = thing(pair)
      const known = typedOf(value)
      return known && typeof key === 'string' ? [attribute(key, known)] : []
    })

/** Reads OTLP JSON of exporters and of Jaeger, with its newer and older field names. */
export function fromOtlp(message: unknown): Read {
  const { resourceSpans } = thing(message)
  if (!Array.isArray(resourceSpans)) throw new Unreadable('no resourceSpans')
  const batches: Batch[] = []
  let malformed = 0
  for (const of of resourceSpans) {
    const { resource, ...more } = thing(of)
    const scopes = list(more.scopeSpans)
    const parts = scopes.length > 0 ? scopes : list(more.instrumentationLibrarySpans)
    const attributes = attributesOf(thing(resource).attributes)
    for (const part of parts) {
      const { spans, ...rest } = thing(part)
      const scope = thing(rest.scope ?? rest.instrumentationLibrary)
      const read = list(spans).map((said) => {
        const s = thing(said)
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
