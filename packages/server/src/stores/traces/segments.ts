import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Trace } from '@switchroom/contract'
import { MAX_SPANS } from '../traces.ts'
import { Segment } from './segment.ts'
import { type Batch, traceOf } from './span.ts'

const DAY_MS = 86_400_000
/** Space is got back in such parts of the whole. */
const PARTS = 16
/** Characters of a trace that are told: one that is longer was not made by calls. */
const MAX_CHARACTERS = 32_000_000

type Options = {
  folder: string
  /** What is older is forgotten. */
  days: number
  /** What is more is forgotten, the oldest first. */
  max_bytes: number
  now?: () => number
}

/** What has come in, in files by the time when they were begun. */
export class Segments {
  #options: Required<Options>
  /** By that time, the oldest first. */
  #all = new Map<number, Segment>()

  constructor(options: Options) {
    this.#options = { now: Date.now, ...options }
    const { folder } = options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const begun = readdirSync(folder)
      .filter((name) => /^\d{13,}\.db$/.test(name))
      .map((name) => Number(name.slice(0, -3)))
    for (const at of begun.sort((a, b) => a - b)) this.#open(at)
  }

  #open(at: number) {
    const segment = new Segment(join(this.#options.folder, `${at}.db`))
    this.#all.set(at, segment)
    return segment
  }

  #newest(): Segment {
    const now = this.#options.now()
    const last = [...this.#all].at(-1)
    if (last) {
      const [at, segment] = last
      const isFull = segment.bytes() > this.#options.max_bytes / PARTS
      if (!isFull && now - at < DAY_MS) return segment
      // a clock that was put back begins no file before the last one
      return this.#open(Math.max(now, at + 1))
    }
    return this.#open(now)
  }

  write(batches: Batch[]) {
    this.#newest().write(batches)
  }

  /** Undefined where there is none. */
  find(trace_id: string): Trace | undefined {
    const batches: Batch[] = []
    const ids = new Map<string, Batch>()
    let spans = 0
    let characters = 0
    for (const segment of this.#all.values())
      for (const { origin, span, size } of segment.read(trace_id)) {
        characters += size
        if (++spans > MAX_SPANS || characters > MAX_CHARACTERS) return traceOf(batches, true)
        const key = JSON.stringify(origin)
        const batch = ids.get(key)
        if (batch) batch.spans.push(span)
        else {
          const begun = { origin, spans: [span] }
          ids.set(key, begun)
          batches.push(begun)
        }
      }
    return traceOf(batches)
  }

  bytes() {
    let sum = 0
    for (const segment of this.#all.values()) sum += segment.bytes()
    return sum
  }

  /** Forgets what is too old or too much. */
  forget() {
    const { days, max_bytes, now } = this.#options
    const begun = [...this.#all.keys()]
    for (const [i, at] of begun.entries()) {
      // a file is as old as the next one's beginning
      const over = begun[i + 1]
      const isOld = over !== undefined && over <= now() - days * DAY_MS
      const isLast = at + DAY_MS <= now() - days * DAY_MS
      if (!isOld && !(over === undefined && isLast) && this.bytes() <= max_bytes) return
      this.#all.get(at)!.remove()
      this.#all.delete(at)
    }
  }

  close() {
    for (const segment of this.#all.values()) segment.close()
    this.#all.clear()
  }
}
