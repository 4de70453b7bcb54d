import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

const DAY_MS = 86_400_000
/** The number of files, each of which frees its space at once. */
const PARTS = 16

/** A file of consecutive records, deleted as a whole. */
export class SegmentFile {
  readonly file: string
  readonly db: DatabaseSync
  #statements = new Map<string, StatementSync>()

  /** `full`: writes survive a power failure, not only a crash of the process. */
  constructor(file: string, schema: string, synchronous: 'full' | 'normal') {
    this.file = file
    this.db = new DatabaseSync(file)
    this.db.exec(
      `pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma cache_size = -2000`,
    )
    if (this.sql('pragma user_version').get()!.user_version === 0)
      this.db.exec(`begin; ${schema} commit`)
  }

  sql(text: string): StatementSync {
    const kept = this.#statements.get(text)
    if (kept) return kept
    const made = this.db.prepare(text)
    this.#statements.set(text, made)
    return made
  }

  // the caller that writes the statement names the type of its rows

  get<R>(text: string, ...values: SQLInputValue[]) {
    return this.sql(text).get(...values) as R | undefined
  }

  iterate<R>(text: string, ...values: SQLInputValue[]) {
    return this.sql(text).iterate(...values) as Iterable<R>
  }

  /** Runs work in a transaction. */
  atOnce(work: () => void) {
    this.db.exec('begin immediate')
    try {
      work()
      this.db.exec('commit')
    } catch (e) {
      if (this.db.isTransaction) this.db.exec('rollback')
      throw e
    }
  }

  /** The size on disk, including the WAL. */
  bytes() {
    return ['', '-wal'].reduce(
      (sum, end) => sum + (statSync(`${this.file}${end}`, { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  }

  close() {
    this.#statements.clear()
    this.db.close()
  }

  remove() {
    this.close()
    for (const end of ['', '-wal', '-shm']) rmSync(`${this.file}${end}`, { force: true })
  }
}

export type SegmentOptions = {
  folder: string
  /** Older records are deleted. */
  days: number
  /** Above this size the oldest records are deleted. */
  max_bytes: number
  now?: () => number
}

/** All records, in files by start time. */
export class SegmentFiles<S extends SegmentFile> {
  #options: Required<SegmentOptions>
  #make: (file: string) => S
  /** By start time, oldest first. */
  #all = new Map<number, S>()

  constructor(options: SegmentOptions, make: (file: string) => S) {
    this.#options = { now: Date.now, ...options }
    this.#make = make
    const { folder } = options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const begun = readdirSync(folder)
      .filter((name) => /^\d{13,}\.db$/.test(name))
      .map((name) => Number(name.slice(0, -3)))
    for (const at of begun.sort((a, b) => a - b)) this.#open(at)
  }

  #open(at: number) {
    const segment = this.#make(join(this.#options.folder, `${at}.db`))
    this.#all.set(at, segment)
    return segment
  }

  /** The file for new records. */
  newest(): S {
    const now = this.#options.now()
    const last = [...this.#all].at(-1)
    if (last) {
      const [at, segment] = last
      const isFull = segment.bytes() > this.#options.max_bytes / PARTS
      if (!isFull && now - at < DAY_MS) return segment
      // if the clock was set back, the new file still follows the last one
      return this.#open(Math.max(now, at + 1))
    }
    return this.#open(now)
  }

  /** Oldest first. */
  all = () => this.#all.values()

  bytes() {
    let sum = 0
    for (const segment of this.#all.values()) sum += segment.bytes()
    return sum
  }

  /** Deletes files that are too old, or above the size limit. */
  forget() {
    const { days, max_bytes, now } = this.#options
    const begun = [...this.#all.keys()]
    for (const [i, at] of begun.entries()) {
      // a file ends where the next one starts
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
