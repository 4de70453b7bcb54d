import type {
  ResourceSpans,
  SpanAttribute,
  SpanValue,
  Trace,
  TraceSpan,
} from '@switchroom/contract'
import { MAX_SPANS } from './store.ts'

/** The origin of spans: resource and scope. */
export type Origin = {
  resource: SpanAttribute[]
  scope: { name: string; version: string }
}
/** Spans of an origin, in order of arrival, possibly of several traces. */
export type Batch = { origin: Origin; spans: TraceSpan[] }
export type Read = {
  batches: Batch[]
  /** The number of invalid spans. */
  malformed: number
}

/** A body that cannot be parsed. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

const MAX_NAME = 1_024
/** A transcript of a long monologue takes 100 kB, twice: as the vendor sent it too. */
const MAX_TEXT = 262_144
export const MAX_ATTRIBUTES = 256
/** The most scopes of a message. Platform components send one or two. */
export const MAX_SCOPES = 1_000
const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']

/** Well-formed text, cut to a limit above the platform's longest. */
export const textOf = (value: unknown, max = MAX_TEXT) =>
  typeof value === 'string' ? value.slice(0, max).toWellFormed() : ''

export const kindOf = (kind: unknown) => {
  const name =
    typeof kind === 'number'
      ? KINDS[kind]
      : textOf(kind, 40).toUpperCase().replace('SPAN_KIND_', '')
  return `SPAN_KIND_${KINDS.includes(name ?? '') ? name : KINDS[0]}`
}

/** An integer as text; undefined if it is not one. */
export function integerText(value: unknown): string | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 64
      ? BigInt(value).toString()
      : undefined
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? value : undefined
}

export const numberValue = (value: number): SpanValue =>
  Number.isFinite(value) ? { doubleValue: value } : { stringValue: String(value) }

/** Exporters with text values only send `"false"`. */
const YES_OR_NO = new Set(['tts.cached'])

export function attribute(key: unknown, value: SpanValue): SpanAttribute {
  const name = textOf(key, MAX_NAME)
  const { stringValue: raw } = value
  if (YES_OR_NO.has(name) && (raw === 'true' || raw === 'false'))
    return { key: name, value: { boolValue: raw === 'true' } }
  return { key: name, value }
}

const hexOf = (id: unknown, digits: number): string => {
  if (typeof id !== 'string' || id.length > digits + 8) return ''
  if (/^[\da-f]+$/i.test(id) && (id.length === digits || id.length === digits / 2))
    return id.toLowerCase().padStart(digits, '0')
  // older versions of Jaeger
  const bytes = Buffer.from(id, 'base64')
  return bytes.length * 2 === digits ? bytes.toString('hex') : ''
}
const isZero = (id: string) => /^0*$/.test(id)

type SpanInput = {
  traceId: unknown
  spanId: unknown
  parentSpanId: unknown
  name: unknown
  kind: unknown
  start: unknown
  end: unknown
  attributes: SpanAttribute[]
}

/** A span with valid ids and times, or undefined. */
export function spanOf(raw: SpanInput): TraceSpan | undefined {
  const traceId = hexOf(raw.traceId, 32)
  const spanId = hexOf(raw.spanId, 16)
  const start = integerText(raw.start)
  const end = integerText(raw.end)
  if (isZero(traceId) || isZero(spanId) || !isTime(start) || !isTime(end)) return undefined
  const parentSpanId = hexOf(raw.parentSpanId, 16)
  return {
    traceId,
    spanId,
    parentSpanId: isZero(parentSpanId) ? '' : parentSpanId,
    name: textOf(raw.name, MAX_NAME),
    kind: kindOf(raw.kind),
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    attributes: raw.attributes,
  }
}
const isTime = (time: string | undefined): time is string =>
  time !== undefined && time !== '0' && !time.startsWith('-')

/** A trace in the format of platform clients. Lists each origin once; keeps the first spans if there are too many. */
export function traceOf(batches: Batch[], cut = false): Trace | undefined {
  const origins = new Map<string, ResourceSpans>()
  let room = MAX_SPANS
  let left = cut
  for (const { origin, spans } of batches) {
    const key = JSON.stringify(origin)
    const earlier = origins.get(key)
    const kept = spans.slice(0, room)
    if (kept.length < spans.length) left = true
    room -= kept.length
    if (earlier) {
      for (const span of kept) earlier.scopeSpans[0]!.spans.push(span)
      continue
    }
    if (kept.length === 0) continue
    const ofScope = [{ scope: origin.scope, spans: [...kept] }]
    origins.set(key, {
      resource: { attributes: origin.resource },
      scopeSpans: ofScope,
      instrumentationLibrarySpans: ofScope,
    })
  }
  if (origins.size === 0) return undefined
  return { resourceSpans: [...origins.values()], ...(left && { cut: true }) }
}
