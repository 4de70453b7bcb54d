import { SegmentFiles, type SegmentOptions } from '../../kit/segment-files.ts'
import {
  ancestors,
  type Capture,
  type Captured,
  MAX_CAPTURE_BYTES,
  MAX_DEPTH,
  MAX_LEGS,
  MAX_MESSAGES,
  type Wanted,
} from '../store.ts'
import { Segment, type StoredMessage } from './segment.ts'

/** All received messages, in files. */
export class Segments extends SegmentFiles<Segment> {
  constructor(options: SegmentOptions) {
    super(options, (file) => new Segment(file))
  }

  write(messages: Captured[]): number {
    return this.writeNewest((segment) => segment.write(messages))
  }

  /**
   * The legs made for a call, downwards only. Callers may name any call as the one theirs was made for:
   * following that name would show other tenants' calls.
   */
  #legs({ call_id, also = [], except = [], kind }: Wanted): string[] {
    if (kind === 'registration') return [call_id]
    let last = [call_id, ...also]
    const callIds = new Set(last)
    for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
      const next: string[] = []
      this.each((segment) => next.push(...segment.children(last)))
      last = next
        .filter((id) => !callIds.has(id) && !except.includes(id))
        .slice(0, MAX_LEGS - callIds.size)
      for (const id of last) callIds.add(id)
    }
    return [...callIds]
  }

  /** The Call-IDs that a leg was made for, the nearest first. */
  parentsOf = (call_id: string) =>
    ancestors(call_id, async (id) => {
      let parent: string | undefined
      this.each((segment) => {
        parent ??= segment.parentOf(id)
      })
      return parent
    })

  /** In order of time. If there are too many, returns a call's first or a registration's last ones. */
  find(wanted: Wanted): Capture {
    const legs = this.#legs(wanted)
    const all: StoredMessage[] = []
    this.each((segment) => {
      for (const m of segment.read(legs, wanted)) all.push(m)
    })
    // messages captured twice have the same time, so the order of arrival counts
    all.sort((a, b) => a.time - b.time || a.id - b.id)
    if (wanted.kind === 'registration') all.reverse()
    const returned: Captured[] = []
    let bytes = 0
    for (const { id: _, ...m } of all) {
      bytes += m.bytes.length
      if (returned.length === MAX_MESSAGES || bytes > MAX_CAPTURE_BYTES) break
      returned.push(m)
    }
    const cut = returned.length < all.length
    return { messages: wanted.kind === 'registration' ? returned.reverse() : returned, cut }
  }
}
