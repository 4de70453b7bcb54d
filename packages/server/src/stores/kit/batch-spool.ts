import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorMessage } from '../../errors/members.ts'
import { type Batch, batchOf, bytesOf, type RefusedPart, undefinedIfGone } from './batch-file.ts'
import { makeDurableFolder, syncFolder } from './durable.ts'
import { writeLine } from './failure-log.ts'
import { NewerFile } from './formats.ts'
import {
  REFUSED_NAME,
  type Refused,
  type RefusedFile,
  readRefused,
  refusedOf,
} from './refused-batches.ts'

/** There is no room for more. */
export class SpoolFull extends Error {
  override name = 'SpoolFull'
  constructor() {
    super('it cannot be stored now, and there is no room to keep more')
  }
}

const NAME = /^\d{16}-[\da-f-]{36}\.batch$/
const UNFINISHED_MS = 3_600_000
/** Room for refused rows, as a share of the room for rows that wait. */
const REFUSED_SHARE = 0.1

/** True if a process has left batches in the folder. */
export const hasBatches = (folder: string) =>
  existsSync(folder) && readdirSync(folder).some((name) => NAME.test(name))

/**
 * Batches on disk that their store does not have yet, oldest first. Several processes may share the folder: a batch
 * that two of them deliver counts once, by the keys of its rows. A batch of a newer version is left alone, a damaged
 * one is set aside, as are rows that the store refuses, and the others do not wait for them.
 */
export class BatchSpool {
  #folder: string
  #max_bytes: number
  /** By name, oldest first. */
  #sizes = new Map<string, number>()
  #bytes = 0
  #newer = new Map<string, NewerFile>()
  #refused = new Map<string, RefusedFile>()
  #last = 0

  private constructor(folder: string, max_bytes: number) {
    this.#folder = folder
    this.#max_bytes = max_bytes
  }

  static async open(folder: string, max_bytes: number) {
    await makeDurableFolder(folder)
    const spool = new BatchSpool(folder, max_bytes)
    await spool.#removeUnfinished()
    await spool.look()
    return spool
  }

  get bytes() {
    return this.#bytes
  }
  /** Time of the oldest batch, in milliseconds since 1970; undefined if there is none. */
  get since(): number | undefined {
    const first = this.#sizes.keys().next().value
    return first === undefined ? undefined : Number(first.slice(0, 16)) / 1_000
  }
  /** True if no deliverable batch is waiting. */
  get isEmpty() {
    return this.#sizes.size === this.#newer.size
  }
  /** Why the first of those waits that this version cannot deliver. */
  get newer(): NewerFile | undefined {
    return this.#newer.values().next().value
  }

  /**
   * Removes files that a killed process left half-written, which were never acknowledged. Other processes may be
   * writing now.
   */
  async #removeUnfinished() {
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith('.tmp')) continue
      const file = join(this.#folder, name)
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > UNFINISHED_MS) await rm(file, { force: true })
    }
  }

  /** Finds batches that others, or an earlier process, left here. */
  async look() {
    const names = (await readdir(this.#folder).catch(undefinedIfGone)) ?? []
    for (const name of this.#newer.keys()) if (!names.includes(name)) this.#forget(name)
    const before = this.#sizes.size
    for (const name of names) {
      if (!NAME.test(name) || this.#sizes.has(name)) continue
      const size = await stat(join(this.#folder, name)).then(
        (file) => file.size,
        () => undefined,
      )
      if (size !== undefined) this.#note(name, size)
    }
    // these come in any order
    if (this.#sizes.size > before)
      this.#sizes = new Map([...this.#sizes].sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const name of this.#refused.keys()) if (!names.includes(name)) this.#refused.delete(name)
    for (const name of names)
      if (REFUSED_NAME.test(name) && !this.#refused.has(name)) await this.#noteRefused(name)
  }

  async #noteRefused(name: string) {
    const file = await readRefused(join(this.#folder, name))
    if (file) this.#refused.set(name, file)
  }

  /** Rows that were set aside because the store refused them. Undefined if there are none. */
  get refused(): Refused | undefined {
    return refusedOf([...this.#refused.values()])
  }

  /** Resolves when the batch survives a power cut. Throws `SpoolFull`. */
  async add(batch: Batch) {
    const bytes = bytesOf(batch)
    if (this.bytes + bytes.length > this.#max_bytes) throw new SpoolFull()
    // in order, also within a millisecond
    this.#last = Math.max(this.#last + 1, Date.now() * 1_000)
    const name = `${String(this.#last).padStart(16, '0')}-${randomUUID()}.batch`
    await this.#write(name, bytes)
    this.#note(name, bytes.length)
  }

  /**
   * Sets rows of a batch aside that the store refused, and removes the batch, whose other rows are stored. Of too many
   * refused rows the oldest are deleted.
   */
  async refuse(name: string, parts: readonly RefusedPart[]) {
    const aside = name.replace(/batch$/, 'refused')
    await this.#write(aside, bytesOf(parts))
    await this.#noteRefused(aside)
    const file = this.#refused.get(aside)
    writeLine(
      'error',
      { file: aside, ...(file && refusedOf([file])) },
      'Rows that the store refused were set aside',
    )
    await this.remove(name)
    await this.#limitRefused()
  }

  async #limitRefused() {
    const names = [...this.#refused.keys()].sort()
    let bytes = this.#refused.values().reduce((sum, file) => sum + file.bytes, 0)
    while (bytes > this.#max_bytes * REFUSED_SHARE && names.length > 1) {
      const name = names.shift()!
      const file = this.#refused.get(name)!
      bytes -= file.bytes
      await rm(join(this.#folder, name), { force: true })
      this.#refused.delete(name)
      writeLine(
        'error',
        { file: name, rows: refusedOf([file])?.rows },
        'Rows that the store refused were deleted, to make room for later ones',
      )
    }
  }

  /** Resolves when the file survives a power cut. */
  async #write(name: string, bytes: Buffer) {
    const file = join(this.#folder, name)
    // two processes may set the same rows aside
    const unfinished = `${file}.${process.pid}.tmp`
    try {
      const handle = await open(unfinished, 'w', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(unfinished, file)
    } catch (e) {
      // a full disk needs the room
      await rm(unfinished, { force: true })
      throw e
    }
    await syncFolder(this.#folder)
  }

  /** The oldest batch that this version can deliver; undefined if there is none. */
  async oldest(): Promise<{ name: string; batch: Batch } | undefined> {
    for (const name of this.#sizes.keys()) {
      if (this.#newer.has(name)) continue
      const file = join(this.#folder, name)
      const bytes = await readFile(file).catch(undefinedIfGone)
      try {
        if (bytes) return { name, batch: batchOf(file, bytes) }
        this.#forget(name)
      } catch (e) {
        if (e instanceof NewerFile) {
          this.#newer.set(name, e)
          writeLine('error', { file }, e.message)
        } else await this.#setAside(name, e)
      }
    }
    return undefined
  }

  async #setAside(name: string, why: unknown) {
    const file = join(this.#folder, name)
    await rename(file, `${file}.damaged`)
    this.#forget(name)
    writeLine('error', { file, why: errorMessage(why) }, 'A damaged batch was set aside')
  }

  async remove(name: string) {
    await rm(join(this.#folder, name), { force: true })
    this.#forget(name)
  }

  #note(name: string, size: number) {
    // found by `look` while it was added
    this.#forget(name)
    this.#sizes.set(name, size)
    this.#bytes += size
    // later batches sort after it, even if the clock was set back
    this.#last = Math.max(this.#last, Number(name.slice(0, 16)))
  }

  #forget(name: string) {
    this.#bytes -= this.#sizes.get(name) ?? 0
    this.#sizes.delete(name)
    this.#newer.delete(name)
  }
}
