import { setImmediate } from 'node:timers/promises'
import { every } from '../../../live/every.ts'
import { failureLog } from '../../kit/failure-log.ts'
import type { Moment, Point } from '../lines.ts'
import { DAY_MS } from '../times.ts'
import type { Folder } from './folder.ts'
import type { Ingest } from './ingest.ts'

type Options = {
  folder: Folder
  ingest: Ingest
  days: number
  max_bytes: number
  /** Brings back what is set aside without being damaged. */
  restore: (isStopped: () => boolean) => Promise<void>
}

const EVERY_MS = 5_000
/** A day without writes for this long is closed. */
const QUIET_MS = 60_000
const TRIM = 2_000

/** Background maintenance: deletes expired records and closes days that are no longer written. */
export class Maintenance {
  #options: Options
  #rounds: ReturnType<typeof every>
  #running: Promise<void> | undefined
  #stopped = false
  #isComplete = false
  #written = new Map<number, number>()
  #last: Moment = { ms: 0, ns: 0 }

  constructor(options: Options) {
    this.#options = options
    const upkeep = failureLog('Upkeep of call records')
    this.#rounds = every(EVERY_MS, () => this.run().then(upkeep.worked), {
      onError: upkeep.failed,
      atOnce: true,
    })
  }

  /** The time for points without one. Never returns the same time twice. */
  now = (): Moment => {
    const ms = Date.now()
    const { ms: before, ns } = this.#last
    this.#last = ms > before ? { ms, ns: 0 } : { ms: before, ns: ns + 1 }
    return this.#last
  }

  /** Whether a time is within retention. Clocks may be up to a day ahead. */
  takes = (ms: number) => ms >= this.#oldest() && ms < Date.now() + DAY_MS

  #oldest = () => Date.now() - this.#options.days * DAY_MS

  /** Whether all of a day is older than what is kept. */
  isExpired = (day: number) => (day + 1) * DAY_MS <= this.#oldest()

  recordWrite(points: Point[]) {
    const now = performance.now()
    let last = Number.NaN
    for (const { ms } of points) {
      const day = Math.floor(ms / DAY_MS)
      if (day !== last) this.#written.set(day, now)
      last = day
    }
  }

  /** Runs a round. `all` includes days that are still written, for which a current round is not enough. */
  run(all = false): Promise<void> {
    const current = this.#running
    if (current && !all) return current
    const run = () => this.#runOnce(all)
    const round = (current ? current.then(run, run) : run()).finally(() => {
      if (this.#running === round) this.#running = undefined
    })
    this.#running = round
    return round
  }

  async #runOnce(all: boolean) {
    if (!this.#isComplete) await this.#begin()
    await this.#forget()
    await this.#closeIdle(all)
  }

  /** Finds what the versions and processes before have left. The newest days are upgraded first. */
  async #begin() {
    const { folder, restore } = this.#options
    await restore(() => this.#stopped)
    for (const day of folder.days().reverse())
      if (!this.#written.has(day)) this.#written.set(day, Number.NEGATIVE_INFINITY)
    this.#isComplete = true
  }

  async #forget() {
    const { folder, ingest, max_bytes } = this.#options
    for (const day of folder.days()) if (this.isExpired(day)) this.#remove(day)
    for (;;) {
      const days = folder.days()
      const used = days.reduce((sum, day) => sum + folder.used(day), 0)
      if (used <= max_bytes || days.length === 0 || this.#stopped) return
      if (days.length > 1) this.#remove(days[0]!)
      else if (ingest.trim(days[0]!, TRIM) === 0) return
      await setImmediate()
    }
  }

  #remove(day: number) {
    this.#options.folder.remove(day)
    this.#written.delete(day)
  }

  async #closeIdle(all: boolean) {
    const { folder, ingest } = this.#options
    const existing = new Set(folder.days())
    for (const [day, at] of this.#written) {
      if (this.#stopped) return
      if (!existing.has(day) || (!all && performance.now() - at < QUIET_MS)) continue
      ingest.upgrade(day)
      this.#written.delete(day)
      folder.closeWritten(day)
      await setImmediate()
    }
  }

  /** Resolves when no round is running. */
  async stop() {
    this.#stopped = true
    await this.#rounds.stop()
    await this.#running?.catch(() => undefined)
  }
}
