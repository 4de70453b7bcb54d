import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from '@switchroom/contract'
import { errorCode, errorMessage } from '../../../errors/members.ts'
import { every } from '../../../live/every.ts'
import { BatchSpool, SpoolFull } from '../../kit/batch-spool.ts'
import { isDiskFull, mayPass } from '../../kit/damage.ts'
import { failureLog } from '../../kit/failure-log.ts'
import { NewerFile } from '../../kit/formats.ts'
import { groupedWrites } from '../../kit/grouped-writes.ts'
import { Refusal } from '../../kit/ingest-server.ts'
import type { Batch, Point } from '../lines.ts'
import type { WaitingRows } from '../store.ts'
import { DAY_MS } from '../times.ts'
import { byDay, type Ingest } from './ingest.ts'

const MAX_BYTES = 1_000_000_000
const DRAIN_MS = 5_000
/** The most points of a batch, which is read as a whole. */
const AT_ONCE = 10_000
const DAY = /^\d{4}-\d\d-\d\d$/
const nameOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

type Options = {
  ingest: Ingest
  /** Has a folder for each day of which something waits. */
  folder: string
  max_bytes?: number
  /** Whether all of a day is older than what is kept. */
  isExpired: (day: number) => boolean
  onWritten: (points: Point[]) => void
}

/**
 * Stores points. Those of a day whose file cannot be written for a while, as when another program has locked it or a newer
 * version wrote it, wait on the disk and are stored later, in order. Other days do not wait for them.
 */
export class SpooledIngest {
  #options: Options
  /** The days of which something waits, or has just been stored. */
  #spools = new Map<number, BatchSpool>()
  #problems = new Map<number, string>()
  #isOpen = false
  #turn: Promise<unknown> = Promise.resolve()
  #trouble = failureLog('Storing call records')
  #draining: ReturnType<typeof every>

  constructor(options: Options) {
    this.#options = options
    const onError = this.#trouble.failed
    this.#draining = every(DRAIN_MS, () => this.drain(), { onError, atOnce: true })
  }

  /** Resolves when the points are durable. */
  write = groupedWrites<Batch[number]>((batch) => this.#inTurn(() => this.#store(batch)))

  /** One at a time: of two values of a field the later counts. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => {
      if (!this.#isOpen) await this.#open()
      return work()
    })
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Finds what processes before have left. */
  async #open() {
    const names = await readdir(this.#options.folder).catch((e: unknown) => {
      if (errorCode(e) !== 'ENOENT') throw e
      return []
    })
    for (const name of names) if (DAY.test(name)) await this.#spool(Date.parse(name) / DAY_MS)
    this.#isOpen = true
  }

  async #spool(day: number) {
    const { folder, max_bytes = MAX_BYTES } = this.#options
    const spool =
      this.#spools.get(day) ?? (await BatchSpool.open(join(folder, nameOf(day)), max_bytes))
    this.#spools.set(day, spool)
    return spool
  }

  async #store(batch: Batch) {
    const failures: unknown[] = []
    for (const [day, items] of byDay(batch))
      await this.#storeDay(day, items).catch((e: unknown) => failures.push(e))
    if (failures.length > 0) throw failures[0]
  }

  async #storeDay(day: number, items: Batch) {
    if (this.#spools.get(day)?.isEmpty ?? true)
      try {
        return this.#write(day, items)
      } catch (e) {
        // on a full disk there is no room to wait either
        if (!mayPass(e) || isDiskFull(e)) throw e
        this.#fail(day, e)
      }
    await this.#keep(day, items)
  }

  #write(day: number, items: Batch) {
    this.#options.ingest.writeDay(day, items)
    this.#options.onWritten(items.map(({ point }) => point))
    this.#problems.delete(day)
    if (this.#problems.size === 0) this.#trouble.worked()
  }

  #fail(day: number, e: unknown) {
    const why = errorMessage(e)
    this.#trouble.failed(e)
    this.#problems.set(
      day,
      e instanceof NewerFile
        ? why
        : t('{file} cannot be written: {why}', { file: `${nameOf(day)}.db`, why }),
    )
  }

  /** Resolves when the points survive a power cut. Throws a `Refusal` if there is no room. */
  async #keep(day: number, items: Batch) {
    const { max_bytes = MAX_BYTES } = this.#options
    try {
      const spool = await this.#spool(day)
      for (let i = 0; i < items.length; i += AT_ONCE) {
        const body = Buffer.from(JSON.stringify(items.slice(i, i + AT_ONCE)))
        if (this.#bytes() + body.length > max_bytes) throw new SpoolFull()
        await spool.add([{ into: 'points', body }])
      }
    } catch (e) {
      throw e instanceof SpoolFull ? new Refusal(503, e.message) : e
    }
  }

  /** Stores what waits, each day in its order. */
  async drain() {
    await this.#inTurn(async () => undefined)
    for (const [day, spool] of [...this.#spools]) {
      await spool.look().catch((e: unknown) => this.#fail(day, e))
      let hasMore = true
      while (hasMore) hasMore = await this.#inTurn(() => this.#deliver(day))
    }
  }

  /** Stores the oldest batch of a day. Resolves to whether there may be more. */
  async #deliver(day: number): Promise<boolean> {
    const spool = this.#spools.get(day)
    if (!spool) return false
    try {
      const next = await spool.oldest()
      if (!next) {
        await this.#end(day, spool)
        return false
      }
      if (!this.#options.isExpired(day))
        // this class wrote the batch
        for (const { body } of next.batch) this.#write(day, JSON.parse(body.toString()) as Batch)
      await spool.remove(next.name)
      return true
    } catch (e) {
      this.#fail(day, e)
      return false
    }
  }

  async #end(day: number, spool: BatchSpool) {
    if (spool.newer) return
    this.#problems.delete(day)
    this.#spools.delete(day)
    // another process may be writing there
    await rmdir(join(this.#options.folder, nameOf(day))).catch(() => undefined)
  }

  #bytes = () => this.#spools.values().reduce((sum, { bytes }) => sum + bytes, 0)

  /** How much waits, since when, and why. */
  waiting(): WaitingRows {
    const spools = [...this.#spools.values()].filter(({ since }) => since !== undefined)
    if (spools.length === 0) return { bytes: 0, since: undefined, problem: undefined }
    const [problem = spools.find(({ newer }) => newer)?.newer?.message] = this.#problems.values()
    return { bytes: this.#bytes(), since: Math.min(...spools.map(({ since }) => since!)), problem }
  }

  async close() {
    await this.#draining.stop()
    await this.#turn
  }
}
