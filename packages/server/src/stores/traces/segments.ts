import type { Trace } from '@switchroom/contract'
import { SegmentFiles, type SegmentOptions } from '../segment-files.ts'
import { Segment } from './segment.ts'
import { type Batch, traceOf } from './span.ts'
import { MAX_SPANS } from './store.ts'

/** The most characters of a trace. Traces of calls are shorter. */
const MAX_CHARACTERS = 32_000_000

/** All received spans, in files. */
export class Segments extends SegmentFiles<Segment> {
  constructor(options: SegmentOptions) {
    super(options, (file) => new Segment(file))
  }

  write(batches: Batch[]) {
    this.writeNewest((segment) => segment.write(batches))
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
