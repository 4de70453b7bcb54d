import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { every } from '../../live/every.ts'
import type { Batch, RefusedPart } from '../kit/batch-file.ts'
import { type BatchSpool, SpoolFull } from '../kit/batch-spool.ts'
import { failureLog } from '../kit/failure-log.ts'
import { Refusal } from '../kit/ingest-server.ts'
import { type ClickHouse, RefusedRows, reasonOf } from './client.ts'
import { rowEnds } from './row-ends.ts'

/** Bytes that are worth an insert at once, and bytes that may wait for one. */
const FULL_BYTES = 8_000_000
const MAX_WAITING_BYTES = 128_000_000
const DRAIN_MS = 1_000
/** Inserts of a batch with refused rows: each that succeeds makes a part. What is not told apart by then is refused. */
const MAX_HALVES = 400
const MAX_REASON = 400

/** The reason without the values that ClickHouse names: numbers of callers are in no log. */
const whyRefused = (e: unknown) =>
  reasonOf(e)
    .replace(/\.? Column values:.*$/s, '')
    .slice(0, MAX_REASON)

/** Rows that are inserted together. */
export type Rows<T> = {
  /** `written` is when, in nanoseconds: larger than of all before. */
  add: (item: T, written: bigint) => void
  bytes: () => number
  /** Valid until `clear` or the next `add`. */
  batch: () => Batch
  /** Starts over in the same memory. */
  clear: () => void
}
type Waiting<T> = { rows: Rows<T>; senders: PromiseWithResolvers<void>[] }

export type IntakeOptions<T> = {
  db: ClickHouse
  spool: BatchSpool
  rows: () => Rows<T>
  /** Between two inserts that are not full: each makes a part that has to be merged. */
  pause_ms: number
  /** Resolves once the tables are there. */
  prepare: () => Promise<void>
}

/**
 * Puts items together into batches. A sender is answered when ClickHouse has its items on disk, or while ClickHouse is
 * away, when they are on the disk here.
 */
export class Intake<T> {
  #options: IntakeOptions<T>
  #waiting: Waiting<T>
  /** Memory of the batch before. */
  #spare: Rows<T> | undefined
  /** Time of the last items, in nanoseconds: of two values of a field the later counts. */
  #written = 0n
  /** Offset within a millisecond, so that two processes rarely write at the same nanosecond. */
  #offset = BigInt(randomInt(1_000_000))
  #inserting: Promise<void> | undefined
  #ended = Number.NEGATIVE_INFINITY
  #isPrepared = false
  #problem: unknown
  #draining: ReturnType<typeof every>
  /** Settles when ClickHouse was asked for the first time, whatever it said. */
  readonly begun: Promise<void>
  #trouble = failureLog('Storing in ClickHouse')

  constructor(options: IntakeOptions<T>) {
    this.#options = options
    this.#waiting = this.#nothing()
    const begun = Promise.withResolvers<void>()
    this.begun = begun.promise
    this.#draining = every(DRAIN_MS, () => this.#drain().finally(begun.resolve), {
      // the failure was reported when it happened
      onError: () => undefined,
      atOnce: true,
    })
  }

  /** Reason why inserts fail, how much is waiting, since when (milliseconds since 1970), and what was refused. */
  state = () => {
    const { bytes, since, newer, refused } = this.#options.spool
    return { problem: this.#problem ?? newer, bytes, since, refused }
  }

  #nothing = (): Waiting<T> => {
    const rows = this.#spare ?? this.#options.rows()
    this.#spare = undefined
    return { rows, senders: [] }
  }

  /** Resolves when the items are on a disk. Throws a `Refusal` if there is no room. */
  async write(items: readonly T[]): Promise<void> {
    if (items.length === 0) return
    const { rows, senders } = this.#waiting
    if (rows.bytes() > MAX_WAITING_BYTES) throw new Refusal(503, 'too much at once, try again')
    const now = BigInt(Date.now()) * 1_000_000n + this.#offset
    if (now > this.#written) this.#written = now
    for (const item of items) rows.add(item, this.#written++)
    const done = Promise.withResolvers<void>()
    senders.push(done)
    this.#inserting ??= this.#insertAll()
    return done.promise
  }

  async #insertAll() {
    while (this.#waiting.senders.length > 0) {
      const pause = this.#ended + this.#options.pause_ms - performance.now()
      if (this.#waiting.rows.bytes() < FULL_BYTES && pause > 0) await setTimeout(pause)
      // items of the same turn belong together
      else await setTimeout(0)
      const { rows, senders } = this.#waiting
      this.#waiting = this.#nothing()
      try {
        const isInserted = await this.#keep(rows.batch())
        // of an insert that failed, something may still be sent
        if (isInserted) {
          rows.clear()
          this.#spare = rows
        }
        for (const { resolve } of senders) resolve()
      } catch (e) {
        const refusal = e instanceof SpoolFull ? new Refusal(503, e.message) : e
        for (const { reject } of senders) reject(refusal)
      }
      this.#ended = performance.now()
    }
    this.#inserting = undefined
  }

  /** Resolves when the batch is on a disk, to whether that is ClickHouse's. */
  async #keep(batch: Batch): Promise<boolean> {
    const { spool } = this.#options
    // earlier batches must be inserted first
    if (spool.isEmpty)
      try {
        await this.#insert(batch)
        return true
      } catch (e) {
        // which rows is found out when it is delivered
        if (!(e instanceof RefusedRows)) this.#fail(e)
      }
    await spool.add(batch)
    return false
  }

  async #insert(batch: Batch) {
    const { db } = this.#options
    await this.#prepare()
    for (const { into, body } of batch) await db.insert(into, body)
    this.#worked()
  }

  #worked() {
    this.#problem = undefined
    this.#trouble.worked()
  }

  /** Inserts the rows that ClickHouse takes. Resolves to the others. */
  async #insertGood({ into, body }: Batch[number]): Promise<RefusedPart[]> {
    const { db } = this.#options
    const ends = rowEnds(into, body)
    const startOf = (row: number) => (row === 0 ? 0 : ends[row - 1]!)
    const refused: RefusedPart[] = []
    let inserts = 0
    const tryRows = async (from: number, to: number): Promise<void> => {
      const rows = body.subarray(startOf(from), startOf(to))
      try {
        inserts++
        await db.insert(into, rows)
      } catch (e) {
        if (!(e instanceof RefusedRows)) throw e
        if (to - from === 1 || inserts >= MAX_HALVES)
          refused.push({ into, body: rows, rows: to - from, why: whyRefused(e) })
        else {
          const middle = (from + to) >> 1
          await tryRows(from, middle)
          await tryRows(middle, to)
        }
      }
    }
    await tryRows(0, ends.length)
    return refused
  }

  /** A batch that was inserted in part counts once when it is delivered again. */
  async #deliver({ name, batch }: { name: string; batch: Batch }) {
    const { spool } = this.#options
    const refused: RefusedPart[] = []
    for (const part of batch) refused.push(...(await this.#insertGood(part)))
    if (refused.length > 0) await spool.refuse(name, refused)
    else await spool.remove(name)
    this.#worked()
  }

  async #prepare() {
    if (this.#isPrepared) return
    await this.#options.prepare()
    this.#isPrepared = true
    this.#problem = undefined
  }

  #fail(problem: unknown) {
    this.#problem = problem
    this.#trouble.failed(reasonOf(problem))
    // somebody may have dropped them
    this.#isPrepared = false
  }

  /** Delivers the waiting batches, in order. */
  async #drain() {
    const { spool } = this.#options
    try {
      await this.#prepare()
      await spool.look()
      for (let next = await spool.oldest(); next; next = await spool.oldest()) {
        await this.#deliver(next)
      }
    } catch (e) {
      this.#fail(e)
      throw e
    }
  }

  async close() {
    await this.#draining.stop()
    await this.#inserting
  }
}
