import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { errorMessage } from '../../errors/members.ts'
import { isDamage, isEmptied, removeFile, setAside } from './damage.ts'
import { writeLine } from './failure-log.ts'
import { NewerFile } from './formats.ts'

const DAY_MS = 86_400_000

const MAX_OPEN = 40

const inode = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino ?? 0

/** The file of a UTC day. */
export type DayFile = {
  /** Since 1970. */
  day: number
  db: DatabaseSync
  get: <R>(sql: string) => R | undefined
  /** False while its writer has not made it complete. */
  isReadable: () => boolean
  close: () => void
}

export type Use = 'write' | 'read'

/** The day files: `2026-11-21.db`. `make` opens one; to read, only if it exists. */
export class DayFiles<Shard extends DayFile> {
  path: string
  #use: Use
  #make: (file: string, day: number, use: Use) => Shard
  #open = new Map<number, Shard>()
  /** How many are reading a day. */
  #kept = new Map<number, number>()
  /** Called when a day's file closes, so that caches of it can be cleared. */
  onClose: (shard: Shard) => void = () => undefined
  /** Called when a day's file turns out to be damaged. `file_id` is its inode. */
  onDamage: (day: number, file_id: number, why: unknown) => void = () => undefined
  /** Damaged days that are not read, by inode: a fresh file of the day has another. */
  #damaged = new Map<number, number>()
  /** Days whose files are of a newer version, by inode. */
  #newer = new Map<number, number>()

  constructor(path: string, use: Use, make: (file: string, day: number, use: Use) => Shard) {
    this.path = path
    this.#use = use
    this.#make = make
    mkdirSync(path, { recursive: true, mode: 0o700 })
  }

  file = (day: number) => join(this.path, `${new Date(day * DAY_MS).toISOString().slice(0, 10)}.db`)

  /** Oldest first. */
  days(): number[] {
    const days = readdirSync(this.path)
      .filter((name) => /^\d{4}-\d\d-\d\d\.db$/.test(name))
      .map((name) => Date.parse(name.slice(0, 10)) / DAY_MS)
      .sort((a, b) => a - b)
    const existing = new Set(days)
    for (const [day, shard] of this.#open) if (!existing.has(day)) this.#closeShard(shard)
    return days
  }

  /** Undefined if the day was just removed or is not readable yet. */
  open(day: number): Shard | undefined {
    const kept = this.#open.get(day)
    if (kept) {
      this.#open.delete(day)
      this.#open.set(day, kept)
      return kept
    }
    const file = this.file(day)
    if (this.#use === 'read' && this.#damaged.get(day) === inode(file)) return undefined
    if (this.#use === 'write' && isEmptied(file)) setAside(file, 'it is empty but for its WAL')
    const shard = this.#openFile(day)
    if (!shard) return undefined
    if (this.#use === 'read' && !isReadable(shard)) {
      shard.close()
      return undefined
    }
    this.#open.set(day, shard)
    if (this.#open.size > MAX_OPEN) this.#closeOldest(day)
    return shard
  }

  /** Closes the one that was used least recently, unless somebody is reading it. */
  #closeOldest(opened: number) {
    for (const [day, shard] of this.#open)
      if (day !== opened && !this.#kept.has(day)) return this.#closeShard(shard)
  }

  /** Keeps a day open while others are opened, until `release`. */
  keep(day: number) {
    this.#kept.set(day, (this.#kept.get(day) ?? 0) + 1)
  }

  release(day: number) {
    const left = this.#kept.get(day)! - 1
    if (left > 0) this.#kept.set(day, left)
    else this.#kept.delete(day)
  }

  #openFile(day: number): Shard | undefined {
    const file = this.file(day)
    try {
      return this.#make(file, day, this.#use)
    } catch (e) {
      // removed or set aside
      if (this.#use === 'read' && !existsSync(file)) return undefined
      throw e
    }
  }

  /** Closes a day whose file was replaced. */
  closeDay(day: number) {
    const open = this.#open.get(day)
    if (open) this.#closeShard(open)
  }

  #closeShard(shard: Shard) {
    this.#open.delete(shard.day)
    this.onClose(shard)
    shard.close()
  }

  /**
   * Runs work on a day's file. If that is damaged, resolves to undefined: the writer sets the file aside, and a
   * reader skips it and tells the writer. The same for a file of a newer version, which stays as it is.
   */
  guard<T>(day: number, work: () => T): T | undefined {
    try {
      return work()
    } catch (e) {
      if (e instanceof NewerFile) return this.#leaveAlone(day, e)
      if (!isDamage(e, this.#open.get(day)?.db)) throw e
      this.reportDamage(day, inode(this.file(day)), e)
      return undefined
    }
  }

  #leaveAlone(day: number, why: NewerFile): undefined {
    const file = this.file(day)
    const file_id = inode(file)
    this.closeDay(day)
    if (this.#newer.get(day) === file_id) return
    this.#newer.set(day, file_id)
    writeLine('error', { file }, errorMessage(why))
  }

  /** Takes a damaged file out of use, unless it has been replaced already. */
  reportDamage(day: number, file_id: number, why: unknown) {
    const file = this.file(day)
    if (inode(file) !== file_id) return
    this.closeDay(day)
    if (this.#use === 'write') setAside(file, why)
    else this.#damaged.set(day, file_id)
    this.onDamage(day, file_id, why)
  }

  remove(day: number) {
    this.closeDay(day)
    removeFile(this.file(day))
  }

  bytes(day: number): number {
    const file = this.file(day)
    return [file, `${file}-wal`].reduce(
      (sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  }

  /** The bytes in use. Deleted rows leave free pages, which are reused before the file grows. */
  used(day: number): number {
    const used = this.guard(day, () => {
      const shard = this.open(day)
      const of = (name: string) => shard?.get<Record<string, number>>(`pragma ${name}`)?.[name]
      return ((of('page_count') ?? 0) - (of('freelist_count') ?? 0)) * (of('page_size') ?? 0)
    })
    return used ?? 0
  }

  /** Closes a day that is no longer written, and merges its WAL into the file. */
  closeWritten(day: number) {
    const shard = this.#open.get(day)
    if (!shard) return
    this.guard(day, () => shard.get('pragma wal_checkpoint(truncate)'))
    if (this.#open.get(day) === shard) this.#closeShard(shard)
  }

  close() {
    for (const shard of [...this.#open.values()]) this.#closeShard(shard)
  }
}

function isReadable(shard: DayFile) {
  try {
    return shard.isReadable()
  } catch (e) {
    shard.close()
    throw e
  }
}
