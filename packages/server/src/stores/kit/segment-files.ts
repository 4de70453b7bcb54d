import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { errorMessage } from '../../errors/members.ts'
import { isDamage, isDiskFull, isEmptied, mayPass, removeFile, setAside } from './damage.ts'
import { writeLine } from './failure-log.ts'
import { knownVersion, migrate, NewerFile, transaction, userVersion } from './formats.ts'

const DAY_MS = 86_400_000
/** The number of files, each of which frees its space at once. */
const PARTS = 16

/** What a file looks like. */
export type SegmentFormat = {
  version: number
  /** What a new file is created with. */
  schema: string
  /** What each version lacks of the next one; a version without a step is complete, or made so later. */
  steps: Record<number, string>
  /** `full`: writes survive a power failure, not only a crash of the process. */
  synchronous: 'full' | 'normal'
}

/** A file of consecutive records, deleted as a whole. */
export class SegmentFile {
  readonly file: string
  readonly db: DatabaseSync
  #statements = new Map<string, StatementSync>()

  /** Throws `NewerFile`. */
  constructor(file: string, { version: newest, schema, steps, synchronous }: SegmentFormat) {
    this.file = file
    this.db = new DatabaseSync(file)
    const { db } = this
    try {
      db.exec(
        `pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma cache_size = -2000`,
      )
      const version = () => knownVersion(file, userVersion(db), newest)
      if (version() === 0)
        transaction(db, () => {
          // another process may have been faster
          if (version() === 0) db.exec(`${schema} pragma user_version = ${newest}`)
        })
      const run = Object.entries(steps).map(([from, sql]) => [from, () => db.exec(sql)])
      migrate(db, Object.fromEntries(run))
    } catch (e) {
      db.close()
      throw e
    }
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
    transaction(this.db, work)
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
    removeFile(this.file)
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
  /** Files of a newer version, and those that cannot be opened now. */
  #unopened = new Set<number>()

  constructor(options: SegmentOptions, make: (file: string) => S) {
    this.#options = { now: Date.now, ...options }
    this.#make = make
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
    this.#openExisting()
  }

  /** Opens files that are not open yet, such as those that `npm run recover` wrote. */
  #openExisting() {
    const { folder } = this.#options
    const begun = readdirSync(folder)
      .filter((name) => /^\d{13,}\.db$/.test(name))
      .map((name) => Number(name.slice(0, -3)))
    const added = begun.filter((at) => !this.#all.has(at))
    if (added.length === 0) return
    for (const at of added) {
      const file = this.#fileOf(at)
      if (isEmptied(file)) setAside(file, 'it is empty but for its WAL')
      else this.#tryOpen(at)
    }
    this.#all = new Map([...this.#all].sort(([a], [b]) => a - b))
  }

  /** Opens a file, unless another program has locked it, or for another reason that may pass. */
  #tryOpen(at: number) {
    try {
      this.#guard(at, () => this.#open(at))
    } catch (e) {
      if (!mayPass(e)) throw e
      this.#leaveAlone(at, e)
    }
  }

  #fileOf = (at: number) => join(this.#options.folder, `${at}.db`)

  /** A file that cannot be made, as on a full disk, leaves nothing: each try would add one. */
  #create(at: number) {
    try {
      return this.#open(at)
    } catch (e) {
      removeFile(this.#fileOf(at))
      throw e
    }
  }

  #open(at: number) {
    const segment = this.#make(this.#fileOf(at))
    this.#all.set(at, segment)
    this.#unopened.delete(at)
    return segment
  }

  /** Runs work on a file. If that is damaged, it is set aside, and the result is undefined. */
  #guard<T>(at: number, work: () => T): T | undefined {
    const segment = this.#all.get(at)
    try {
      return work()
    } catch (e) {
      if (e instanceof NewerFile) return this.#leaveAlone(at, e)
      if (!isDamage(e, segment?.db)) throw e
      this.#all.delete(at)
      segment?.close()
      setAside(this.#fileOf(at), e)
      return undefined
    }
  }

  #leaveAlone(at: number, why: unknown): undefined {
    if (this.#unopened.has(at)) return
    this.#unopened.add(at)
    writeLine('error', { file: this.#fileOf(at) }, errorMessage(why))
  }

  /** Runs work on each file, the oldest first. Damaged files are set aside and skipped. */
  each(work: (segment: S) => void) {
    for (const [at, segment] of [...this.#all]) this.#guard(at, () => work(segment))
  }

  eachNewestFirst(work: (segment: S) => void) {
    for (const [at, segment] of [...this.#all].reverse()) this.#guard(at, () => work(segment))
  }

  /** Writes into the newest file, or into a fresh one if that is damaged or cannot be written now. */
  writeNewest<T>(work: (segment: S) => T): T {
    const newest = this.newest()
    const [at] = [...this.#all].at(-1)!
    try {
      const done = this.#guard(at, () => ({ result: work(newest) }))
      return done ? done.result : work(this.newest())
    } catch (e) {
      if (!mayPass(e) || isDiskFull(e)) throw e
      return this.#writeFresh(work)
    }
  }

  /** Leaves no file if that cannot be written either: each try would add one. */
  #writeFresh<T>(work: (segment: S) => T): T {
    const last = [...this.#all.keys()].at(-1) ?? 0
    const at = Math.max(this.#options.now(), last + 1)
    const fresh = this.#create(at)
    try {
      return work(fresh)
    } catch (e) {
      this.#all.delete(at)
      fresh.remove()
      throw e
    }
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
      return this.#create(Math.max(now, at + 1))
    }
    return this.#create(now)
  }

  bytes() {
    let sum = 0
    for (const segment of this.#all.values()) sum += segment.bytes()
    return sum
  }

  /** Deletes files that are too old, or above the size limit. */
  forget() {
    this.#openExisting()
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
