import { decimalText, type Trace, t, type WordsKept } from '@switchroom/contract'
import { fineTimeText } from '../../../ui/dates'

/** A span of the waterfall. Times are nanoseconds since the start of the trace. */
export type Span = {
  id: string
  name: string
  start: number
  duration: number
  /** Nanoseconds since 1970. */
  began: bigint
  attributes: [key: string, value: string][]
  children: Span[]
}
export type SpanTree = {
  roots: Span[]
  count: number
  length: number
  /** The account's transcript setting, if it changed the words in this span. */
  words?: WordsKept
}

/** Attributes that exporters add for themselves. */
const HIDDEN = /^(?:telemetry|internal|switchroom)/
/** Attribute of spans whose words the account's transcript setting changed. */
const WORDS = 'switchroom.words'
const list = <T>(value: readonly T[] | undefined): readonly T[] =>
  Array.isArray(value) ? value : []

const nanos = (text: unknown): bigint | undefined =>
  typeof text === 'string' && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined

/** Other tracing servers may leave members out, so anything missing is treated as empty. */
const textOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return ''
  const [first] = Object.values(value)
  return typeof first === 'object' ? JSON.stringify(first) : String(first ?? '')
}

/** The spans of a trace as a tree. A span without a known parent is a root. */
export function treeOf(trace: Trace): SpanTree {
  const spans = new Map<string, Span>()
  const parents = new Map<string, string>()
  let words: WordsKept | undefined
  for (const { scopeSpans, instrumentationLibrarySpans } of list(trace.resourceSpans))
    for (const of of list(scopeSpans ?? instrumentationLibrarySpans))
      for (const raw of list(of.spans)) {
        const began = nanos(raw.startTimeUnixNano)
        const ended = nanos(raw.endTimeUnixNano)
        if (began === undefined || ended === undefined || !raw.spanId) continue
        parents.set(raw.spanId, raw.parentSpanId ?? '')
        const kept = list(raw.attributes).find(({ key }) => key === WORDS)?.value?.stringValue
        if (kept === 'leave_out' || (kept === 'mask' && !words)) words = kept
        spans.set(raw.spanId, {
          id: raw.spanId,
          name: String(raw.name ?? ''),
          start: 0,
          // a clock that was set back must not give a negative duration
          duration: Math.max(0, Number(ended - began)),
          began,
          attributes: list(raw.attributes)
            .filter(({ key }) => typeof key === 'string' && !HIDDEN.test(key))
            .map(({ key, value }) => [key, textOf(value)]),
          children: [],
        })
      }
  const all = [...spans.values()].sort((a, b) =>
    // of spans that begin in one millisecond, the shorter one comes first, as the platform ends them
    a.began === b.began ? a.duration - b.duration : a.began < b.began ? -1 : 1,
  )
  const zero = all[0]?.began ?? 0n
  let length = 0
  for (const span of all) {
    span.start = Number(span.began - zero)
    length = Math.max(length, span.start + span.duration)
  }
  return {
    roots: buildTree(all, spans, parents),
    count: all.length,
    length,
    ...(words && { words }),
  }
}

function buildTree(all: Span[], spans: Map<string, Span>, parents: Map<string, string>) {
  const parentOf = (span: Span) => spans.get(parents.get(span.id)!)
  const roots: Span[] = []
  for (const span of all) {
    const parent = parentOf(span)
    if (parent) parent.children.push(span)
    else roots.push(span)
  }
  const reached = new Set<Span>()
  const reach = (root: Span) => {
    const waiting = [root]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      reached.add(next)
      for (const child of next.children) if (!reached.has(child)) waiting.push(child)
    }
  }
  roots.forEach(reach)
  // spans in a parent cycle are unreachable: the first of them becomes a root
  for (const span of all) {
    if (reached.has(span)) continue
    const parent = parentOf(span)!
    parent.children = parent.children.filter((child) => child !== span)
    roots.push(span)
    reach(span)
  }
  return roots
}

/** Nanoseconds as 0.12ms, 250ms, 1.25s or 2m 5s. */
export function durationOf(ns: number): string {
  const ms = ns / 1e6
  if (ms < 1) return `${decimalText(ms, 2)}ms`
  if (ms < 1_000) return `${ms.toFixed(0)}ms`
  if (ms < 60_000) return `${decimalText(ms / 1_000, 2)}s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
}

/** In the reader's time zone: `Nov 21, 2026, 09:05:01.250`. */
export function momentOf(ns: bigint): string {
  const at = new Date(Number(ns / 1_000_000n))
  return Number.isNaN(at.getTime()) ? t('Unknown') : fineTimeText(at)
}

/** Attributes of a tts-generation span that its parent shows already. */
const SHOWN_BY_PARENT = new Set([
  'tts.vendor',
  'tts.language',
  'tts.voice',
  'tts.cached',
  'engine',
  'voice',
])

/** A span's own attributes, with those of its tts-generation children. */
export const factsOf = ({ attributes, children }: Span): [key: string, value: string][] => [
  ...attributes,
  ...children
    .filter(({ name }) => name.includes('tts-generation'))
    .flatMap((child) => child.attributes.filter(([key]) => !SHOWN_BY_PARENT.has(key))),
]

export type Row = {
  span: Span
  level: number
  /** Position among its siblings, from 1, and their number. */
  place: number
  of: number
  open: boolean
}

/** The visible rows while these spans are collapsed. */
export function rowsOf(roots: readonly Span[], shut: ReadonlySet<string>): Row[] {
  const rows: Row[] = []
  const waiting: Omit<Row, 'open'>[] = []
  const push = (spans: readonly Span[], level: number) => {
    for (let i = spans.length - 1; i >= 0; i--)
      waiting.push({ span: spans[i]!, level, place: i + 1, of: spans.length })
  }
  push(roots, 1)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const open = !shut.has(next.span.id)
    rows.push({ ...next, open })
    if (open) push(next.span.children, next.level + 1)
  }
  return rows
}

/** The kind of a span, by the platform's naming. */
export function kindOf(name: string): 'speech' | 'hook' | 'listen' | 'other' {
  if (name.includes('tts-generation') || /^verb:say|^verb:play/.test(name)) return 'speech'
  if (name.includes(':gather{') || /stt-listen:|transcribe|dtmf:/.test(name)) return 'listen'
  return /hook|webhook|\(.*\)$/i.test(name) ? 'hook' : 'other'
}
