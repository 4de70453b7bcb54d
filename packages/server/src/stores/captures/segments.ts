import { SegmentFiles, type SegmentOptions } from '../segment-files.ts'
import { type Kept, MAX_LEGS, Segment } from './segment.ts'
import {
  type Capture,
  type Captured,
  MAX_CAPTURE_BYTES,
  MAX_MESSAGES,
  type Wanted,
} from './store.ts'

/** Legs of legs of legs. */
const MAX_DEPTH = 3

/** Messages that have come in, in files. */
export class Segments extends SegmentFiles<Segment> {
  constructor(options: SegmentOptions) {
    super(options, (file) => new Segment(file))
  }

  write(messages: Captured[]): number {
    return this.newest().write(messages)
  }

  /**
   * What was made for a call, downwards only. Who calls in may name any call as the one it was made for:
   * following that name would show somebody else's.
   */
  #legs({ call_id, kind }: Wanted): string[] {
    const found = new Set([call_id])
    if (kind === 'registration') return [call_id]
    let last = [call_id]
    for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
      const next = [...this.all()].flatMap((segment) => segment.children(last))
      last = next.filter((id) => !found.has(id)).slice(0, MAX_LEGS - found.size)
      for (const id of last) found.add(id)
    }
    return [...found]
  }

  /** In the order they were seen. Of too many, a call's first and a registration's last are told. */
  find(wanted: Wanted): Capture {
    const legs = this.#legs(wanted)
    const all: Kept[] = []
    for (const segment of this.all()) for (const m of segment.read(legs, wanted)) all.push(m)
    // one that was heard on two ways has the same time: then in the order they came
    all.sort((a, b) => a.time - b.time || a.id - b.id)
    if (wanted.kind === 'registration') all.reverse()
    const told: Captured[] = []
    let bytes = 0
    for (const { id: _, ...m } of all) {
      bytes += m.bytes.length
      if (told.length === MAX_MESSAGES || bytes > MAX_CAPTURE_BYTES) break
      told.push(m)
    }
    const cut = told.length < all.length
    return { messages: wanted.kind === 'registration' ? told.reverse() : told, cut }
  }
}
