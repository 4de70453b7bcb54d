import { setImmediate } from 'node:timers/promises'
import type { Trace } from '@switchroom/contract'
import { SegmentFiles, type SegmentOptions } from '../../kit/segment-files.ts'
import { type Batch, traceOf } from '../span.ts'
import { type Arrival, MAX_SPANS } from '../store.ts'
import { Segment } from './segment.ts'

/** The most characters of a trace. Traces of calls are shorter. */
const MAX_CHARACTERS = 32_000_000

/** How many spans of before the update are looked at together, and how often at most for one question. */
const LOOK = 5_000
const MAX_LOOKS = 10

/** All received spans, in files. */
export class Segments extends SegmentFiles<Segment> {
  constructor(options: SegmentOptions) {
    super(options, (file) => new Segment(file))
  }

  write(batches: Batch[]) {
    this.writeNewest((segment) => segment.write(batches))
  }

  /** Traces of which nothing has come since `before`, the longest quiet first, without `except`. */
  async due(before: number, limit: number, except: readonly string[]): Promise<Arrival[]> {
    const excluded = new Set(except)
    let found = this.#quiet(before, limit, excluded)
    // what came before the update is looked at while there is nothing else to do
    for (let i = 0; i < MAX_LOOKS && found.length < limit && this.#noteEarlier(); i++) {
      await setImmediate()
      found = this.#quiet(before, limit, excluded)
    }
    return found
  }

  #quiet(before: number, limit: number, except: ReadonlySet<string>): Arrival[] {
    const candidates = new Set<string>()
    this.each((segment) => {
      let room = limit
      for (const { trace_id } of segment.arrivedBefore(before)) {
        if (except.has(trace_id)) continue
        candidates.add(trace_id)
        if (--room === 0) break
      }
    })
    if (candidates.size === 0) return []
    // spans of a trace may have come in several files
    const merged = new Map<string, Arrival>()
    this.each((segment) => {
      for (const arrival of segment.arrivalsOf([...candidates])) {
        const { trace_id, at, has_root } = arrival
        const other = merged.get(trace_id) ?? arrival
        merged.set(trace_id, {
          trace_id,
          at: Math.max(at, other.at),
          has_root: has_root || other.has_root,
        })
      }
    })
    return [...merged.values()]
      .filter(({ at }) => at < before)
      .sort((a, b) => a.at - b.at)
      .slice(0, limit)
  }

  /** Looks at some spans of before the update, the newest first. Returns whether there were any. */
  #noteEarlier(): boolean {
    let hasLooked = false
    this.eachNewestFirst((segment) => {
      hasLooked ||= segment.noteEarlier(LOOK)
    })
    return hasLooked
  }

  /** These have been dealt with, unless something came since. */
  done(arrivals: readonly Arrival[]) {
    this.each((segment) => segment.markDone(arrivals))
  }

  /** The accounts that spans of these traces name, of those that came first. */
  owners(trace_ids: readonly string[]): Map<string, string> {
    const owners = new Map<string, string>()
    this.each((segment) => {
      for (const trace_id of trace_ids) {
        const owner = owners.has(trace_id) ? undefined : segment.owner(trace_id)
        if (owner !== undefined) owners.set(trace_id, owner)
      }
    })
    return owners
  }

  /** Undefined if there is no such trace. */
  find(trace_id: string): Trace | undefined {
    const batches: Batch[] = []
    const ids = new Map<string, Batch>()
    let spans = 0
    let characters = 0
    let isCut = false
    this.each((segment) => {
      for (const { origin, span, size } of isCut ? [] : segment.read(trace_id)) {
        characters += size
        if (++spans > MAX_SPANS || characters > MAX_CHARACTERS) {
          isCut = true
          return
        }
        const key = JSON.stringify(origin)
        const batch = ids.get(key)
        if (batch) batch.spans.push(span)
        else {
          const begun = { origin, spans: [span] }
          ids.set(key, begun)
          batches.push(begun)
        }
      }
    })
    return traceOf(batches, isCut)
  }
}
