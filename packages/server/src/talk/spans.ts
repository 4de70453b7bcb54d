import type { SpanValue, Trace } from '@switchroom/contract'

export type CallSpan = {
  id: string
  name: string
  /** Whole milliseconds since 1970: the feature server knows a start no better. */
  start: number
  end: number
  attributes: ReadonlyMap<string, string | number | boolean>
  children: CallSpan[]
}

/** Attributes of a span whose words were masked or left out: which of both, and the stand-in for a prompt’s text. */
export const WORDS = 'switchroom.words'
export const SAID_AS = 'switchroom.said'

type Time = Pick<CallSpan, 'start' | 'end'>

export type CallSpans = {
  /** In order of their start, those that end first before others. */
  all: readonly CallSpan[]
  /** The span of the whole call; undefined while it is not over. */
  root: CallSpan | undefined
}

const ms = (nanos: string) => Math.round(Number(BigInt(nanos) / 1_000n) / 1_000)

export const plainOf = ({ stringValue, boolValue, intValue, doubleValue }: SpanValue) =>
  stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(intValue))

const byTime = (a: Time, b: Time) => a.start - b.start || a.end - b.end

/**
 * The spans of a trace, each once, since the feature server exports them twice to Zipkin. A span whose parent never
 * arrived belongs to the shortest one that was open when it started.
 */
export function callSpans(trace: Trace): CallSpans {
  const spans = new Map<string, CallSpan>()
  const parents = new Map<string, string>()
  for (const { scopeSpans } of trace.resourceSpans)
    for (const raw of scopeSpans.flatMap((of) => of.spans)) {
      const start = readTime(raw.startTimeUnixNano)
      const end = readTime(raw.endTimeUnixNano)
      if (start === undefined || end === undefined) continue
      parents.set(raw.spanId, raw.parentSpanId)
      spans.set(raw.spanId, {
        id: raw.spanId,
        name: raw.name,
        start,
        // a clock that was set back must not give a negative duration
        end: Math.max(start, end),
        attributes: new Map(
          raw.attributes.flatMap(({ key, value }) => {
            const attribute = plainOf(value)
            return attribute === undefined ? [] : [[key, attribute]]
          }),
        ),
        children: [],
      })
    }
  const all = [...spans.values()].sort(byTime)
  const root = all.find(({ id, name }) => parents.get(id) === '' && isRoot(name))
  const open = openSpans()
  for (const span of all) {
    const parent = spans.get(parents.get(span.id)!) ?? open.around(span)
    if (parent !== span) parent?.children.push(span)
    if (canHold(span)) open.add(span)
  }
  return { all, root }
}

const readTime = (text: string) => (/^\d{1,20}$/.test(text) ? ms(text) : undefined)

/** True for the name of the span of a whole call, which has no parent and comes last. */
export const isRoot = (name: string) =>
  name === 'incoming-call' || name === 'rest-call' || name === 'outbound-call'

/** True if other spans can be below it. */
const canHold = ({ name }: CallSpan) =>
  isRoot(name) || /^(?:verb:(?!hook)|nested:|whisper:|background-)/.test(name)

/** Most spans open at once in a call. Only hostile traces have more. */
const MAX_OPEN = 100

/** The spans that are open at a moment, which must not go back. */
function openSpans() {
  let open: CallSpan[] = []
  return {
    add(span: CallSpan) {
      open.push(span)
      if (open.length > 2 * MAX_OPEN)
        open = open.filter(({ end }) => end >= span.start).slice(-MAX_OPEN)
    },
    around({ start }: CallSpan): CallSpan | undefined {
      open = open.filter(({ end }) => end >= start)
      let shortest: CallSpan | undefined
      for (const span of open)
        if (!shortest || span.end - span.start < shortest.end - shortest.start) shortest = span
      return shortest
    },
  }
}

/** The index of the first that starts at a moment or later, of some in order of their start. */
export function firstFrom(spans: readonly Time[], at: number) {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.start < at) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * A check: true if any of these times, both ends included, contains a given one. Its cost grows little with their
 * number: a hostile trace has thousands.
 */
export function holding(times: readonly Time[]): (time: Time) => boolean {
  const sorted = times.toSorted(byTime)
  const latest: number[] = []
  for (const { end } of sorted) latest.push(Math.max(end, latest.at(-1) ?? end))
  return ({ start, end }) => (latest[firstFrom(sorted, start + 1) - 1] ?? -1) >= end
}

/** A time without length. */
export const moment = (at: number): Time => ({ start: at, end: at })

/** A text of a span; undefined if it has none, or an empty one. */
export function textOf({ attributes }: CallSpan, key: string): string | undefined {
  const value = attributes.get(key)
  return value === undefined || value === '' ? undefined : String(value)
}

/** A number of a span, which Zipkin's exporter sends as text. */
export function numberOf({ attributes }: CallSpan, key: string): number | undefined {
  const value = attributes.get(key)
  if (typeof value === 'string' && value.trim() === '') return undefined
  const number = Number(value)
  return value === undefined || !Number.isFinite(number) ? undefined : number
}

type Json = Record<string, unknown>
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON in an attribute; empty if it is something else. */
export function jsonOf(span: CallSpan | undefined, key: string): Json {
  const text = span && textOf(span, key)
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : {}
  } catch {
    return {}
  }
}

/** A verb of the application, or a task that the session runs in the background: not a webhook. */
export const isVerb = ({ name }: CallSpan) =>
  name.startsWith('verb:') && !name.startsWith('verb:hook')
export const isGather = ({ name }: CallSpan) =>
  /^(?:verb:|nested:|background-bargeIn:)gather\{/.test(name)
/** A turn of a bot that the feature server asks itself. */
export const isNestedGather = ({ name }: CallSpan) => name.startsWith('nested:gather{')
export const isBackground = ({ name }: CallSpan) => name.startsWith('background-')
/** The webhook with the result of a verb. */
export const isResultHook = ({ name }: CallSpan) => name.startsWith('verb:hook (')
export const isRedirectHook = ({ name }: CallSpan) => name.startsWith('session:redirect')
/** True for the span of any webhook. */
export const isHook = (span: CallSpan) =>
  span.name.startsWith('verb:hook') || isRedirectHook(span) || span.name === 'performAppWebhook'
export const isSynthesis = ({ name }: CallSpan) => name === 'tts-generation'
export const isSaid = ({ name }: CallSpan) =>
  /^(?:(?:verb:|nested:|whisper:)(?:say(?:\{| streaming)|play:)|verb:dub$)/.test(name)

/** Sound without words in the trace: streamed voices, and audio that an application streams by itself. */
export const isStream = ({ name }: CallSpan) =>
  /^(?:background-ttsStream|background-listen|nested:listen)/.test(name)

/** `gather` of `verb:gather{…}`, `sip:refer` of `verb:sip:refer`. */
export const verbOf = ({ name }: CallSpan) => /^verb:([\w:]*\w)/.exec(name)?.[1] ?? ''
/** True for the span of a session with a language model. */
export const isModelSession = (span: CallSpan) =>
  /^(?:Llm_\w+|\w+_s2s|llm|agent)$/.test(verbOf(span))

/** URL or path in the name of a webhook's span, without parts that could be secret. */
export const hookName = ({ name }: CallSpan) =>
  (/\((.*)\)$/s.exec(name)?.[1] ?? name).replace(/\/\/[^/@]*@/, '//').split('?', 1)[0]!
