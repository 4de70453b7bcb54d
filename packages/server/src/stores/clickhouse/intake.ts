import { setTimeout } from 'node:timers/promises'
import { every } from '../../live/every.ts'
import type { Batch as Points } from '../embedded/ingest.ts'
import { failureLog } from '../failure-log.ts'
import { Refusal } from '../ingest-server.ts'
import { type ClickHouse, reasonOf } from './client.ts'
import { Rows } from './rows.ts'
import { type Batch, type BatchSpool, SpoolFull } from './spool.ts'
import { insertInto } from './tables.ts'

/** Points that are inserted together at the most, and that may wait for it. */
const MAX_BATCH = 20_000
const MAX_WAITING = 400_000
const DRAIN_MS = 1_000

type Waiting = { rows: Rows; points: number; senders: PromiseWithResolvers<void>[] }
const nothing = (rows = new Rows()): Waiting => ({ rows, points: 0, senders: [] })

export type IntakeOptions = {
  db: ClickHouse
  spool: BatchSpool
  /** Between two inserts that are not full: each makes a part that has to be merged. */
  pause_ms: number
  /** Resolves once the tables are there. */
  prepare: () => Promise<void>
}

/**
 * Puts points together into batches. A sender is answered when ClickHouse has its points on disk, or while ClickHouse is
 * away, when they are on the disk here.
 */
export class Intake {
  #options: IntakeOptions
  #waiting = nothing()
  /** Memory of the batch before. */
  #spare: Rows | undefined
  /** When the last points came, in nanoseconds: of two values of a field the later counts. */
  #written = 0n
  #inserting: Promise<void> | undefined
  #ended = Number.NEGATIVE_INFINITY
  #isPrepared = false
  #problem: unknown
  #draining: ReturnType<typeof every>
  /** Settles when ClickHouse was asked for the first time, whatever it said. */
  readonly begun: Promise<void>
  #trouble = failureLog('Storing call records in ClickHouse')

  constructor(options: IntakeOptions) {
    this.#options = options
    const begun = Promise.withResolvers<void>()
    this.begun = begun.promise
    this.#draining = every(DRAIN_MS, () => this.#drain().finally(begun.resolve), {
      // told when it failed
      onError: () => undefined,
      atOnce: true,
    })
  }

  /** Why ClickHouse does not get what comes, how much waits for it, and since when (milliseconds since 1970). */
  state = () => {
    const { bytes, since } = this.#options.spool
    return { problem: this.#problem, bytes, since }
  }

  /** Resolves when the points are on a disk. Throws a `Refusal` if there is no room. */
  async write(points: Points): Promise<void> {
    if (this.#waiting.points + points.length > MAX_WAITING)
      throw new Refusal(503, 'too much at once, try again')
    const now = BigInt(Date.now()) * 1_000_000n
    if (now > this.#written) this.#written = now
    for (const { database, point } of points)
      this.#waiting.rows.add(database, point, this.#written++)
    this.#waiting.points += points.length
    const done = Promise.withResolvers<void>()
    this.#waiting.senders.push(done)
    this.#inserting ??= this.#insertAll()
    return done.promise
  }

  async #insertAll() {
    while (this.#waiting.points > 0) {
      const pause = this.#ended + this.#options.pause_ms - performance.now()
      if (this.#waiting.points < MAX_BATCH && pause > 0) await setTimeout(pause)
      // what comes in the same turn belongs together
      else await setTimeout(0)
      const { rows, senders } = this.#waiting
      this.#waiting = nothing(this.#spare)
      this.#spare = undefined
      try {
        const isInserted = await this.#keep(batchOf(rows))
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
    // what came before has to be there before
    if (spool.isEmpty)
      try {
        await this.#insert(batch)
        return true
      } catch (e) {
        this.#fail(e)
      }
    await spool.add(batch)
    return false
  }

  async #insert(batch: Batch) {
    const { db } = this.#options
    await this.#prepare()
    for (const { into, body } of batch) await db.insert(into, body)
    this.#problem = undefined
    this.#trouble.worked()
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

  /** Delivers what waits, in order. */
  async #drain() {
    const { spool } = this.#options
    try {
      await this.#prepare()
      await spool.look()
      for (let next = await spool.oldest(); next; next = await spool.oldest()) {
        await this.#insert(next.batch)
        await spool.remove(next.name)
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

function batchOf({ calls, points }: Rows): Batch {
  const batch: Batch = []
  if (calls.length > 0) batch.push({ into: insertInto('calls'), body: calls.view() })
  if (points.length > 0) batch.push({ into: insertInto('points'), body: points.view() })
  return batch
}
