import { type SipLadder, type SipMessage, t } from '@switchroom/contract'
import { toneOf } from '../sip/ladder-text'
import { durationOf, kindOf, type Span, type SpanTree } from '../tracing/spans'
import { isRecording, spansOf, startOf } from './align'

/** A message or span on the axis. Times are milliseconds since 1970. */
export type Item = {
  id: string
  start: number
  end: number
  row: number
  label: string
  /** Look of a SIP message. */
  mark?: { tone: string; toRight: boolean }
  message?: SipMessage
  span?: Span
}
export type LaneId = 'network' | 'application' | 'out' | 'in'
export type Lane = { id: LaneId; name: string; rows: number; items: Item[] }

const MAX_ROWS = 4
/** Two spans of one row need not touch. */
const GAP_MS = 1

/** Sorts items by time into rows: each into the first where it overlaps none, else the last. */
export function packed(items: readonly Omit<Item, 'row'>[]): { items: Item[]; rows: number } {
  const ends: number[] = []
  const placed = items
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map((item) => {
      const free = ends.findIndex((end) => end + GAP_MS <= item.start)
      const row = free >= 0 ? free : Math.min(ends.length, MAX_ROWS - 1)
      ends[row] = Math.max(ends[row] ?? 0, item.end)
      return { ...item, row }
    })
  return { items: placed, rows: Math.max(1, ends.length) }
}

/** SIP messages, a row per leg. */
function networkLane({ messages }: SipLadder): Lane | undefined {
  if (messages.length === 0) return undefined
  const rows = Math.min(MAX_ROWS, Math.max(...messages.map(({ leg }) => leg)) + 1)
  const items = messages.map((message): Item => {
    const at = message.at / 1_000
    return {
      id: `m${message.id}`,
      start: at,
      end: at,
      row: Math.min(message.leg, rows - 1),
      label: message.label,
      mark: { tone: toneOf(message), toRight: message.source <= message.destination },
      message,
    }
  })
  return { id: 'network', name: t('Network'), rows, items }
}

const NAMES: Record<Exclude<LaneId, 'network'>, string> = {
  application: t('Application'),
  out: t('Speech out'),
  in: t('Speech in'),
}

function laneOf(span: Span): keyof typeof NAMES {
  const kind = kindOf(span.name)
  return kind === 'speech' ? 'out' : kind === 'listen' ? 'in' : 'application'
}

/** Lanes of spans by kind, without the root (the call itself) and the recording (its sound). */
function spanLanes({ roots }: SpanTree, shift: number): Lane[] {
  const by: Record<keyof typeof NAMES, Omit<Item, 'row'>[]> = { application: [], out: [], in: [] }
  const isRoot = new Set(roots)
  for (const span of spansOf(roots)) {
    if (isRecording(span) || (isRoot.has(span) && span.children.length > 0)) continue
    const start = startOf(span) + shift
    by[laneOf(span)].push({
      id: `s${span.id}`,
      start,
      end: start + span.duration / 1e6,
      label: `${span.name}, ${durationOf(span.duration)}`,
      span,
    })
  }
  return (['application', 'out', 'in'] as const).flatMap((id) =>
    by[id].length > 0 ? [{ id, name: NAMES[id], ...packed(by[id]) }] : [],
  )
}

/** The lanes that have anything. */
export const lanesOf = (
  ladder: SipLadder | undefined,
  tree: SpanTree | undefined,
  shift: number,
): Lane[] => [
  ...((ladder && [networkLane(ladder)].filter((lane) => lane !== undefined)) ?? []),
  ...(tree ? spanLanes(tree, shift) : []),
]

/** From the first to the last time on the axis. `sound`: of the recording, if it is loaded. */
export function extentOf(
  lanes: readonly Lane[],
  sound: { start: number; end: number } | undefined,
): { start: number; end: number } | undefined {
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const include = (from: number, to: number) => {
    start = Math.min(start, from)
    end = Math.max(end, to)
  }
  for (const lane of lanes) for (const item of lane.items) include(item.start, item.end)
  if (sound) include(sound.start, sound.end)
  return start <= end ? { start, end: Math.max(end, start + 1) } : undefined
}

export const nearestTo = (items: readonly Item[], at: number): Item | undefined =>
  items.reduce<Item | undefined>(
    (nearest, item) =>
      nearest && Math.abs(nearest.start - at) <= Math.abs(item.start - at) ? nearest : item,
    undefined,
  )
