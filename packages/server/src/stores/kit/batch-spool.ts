import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { errorCode, errorMessage } from '../../errors/members.ts'
import { DamagedRow } from './damage.ts'
import { makeDurableFolder, syncFolder } from './durable.ts'
import { writeLine } from './failure-log.ts'
import { knownVersion, NewerFile } from './formats.ts'

/** What is stored together, in its order. `into`: where, as the store calls it. */
export type Batch = { into: string; body: Buffer }[]

/** There is no room for more. */
export class SpoolFull extends Error {
  override name = 'SpoolFull'
  constructor() {
    super('it cannot be stored now, and there is no room to keep more')
  }
}

const NAME = /^\d{16}-[\da-f-]{36}\.batch$/
/**
 * A file begins with the length of its header, which is JSON and names the version of the rest. Version 1 did not, and was
 * the list of parts alone. `checksum`: CRC-32 of all parts.
 */
const VERSION = 2
const HEADER_BYTES = 4
type Header = { version: number; checksum: number; parts: { into: string; bytes: number }[] }
const UNFINISHED_MS = 3_600_000

/** Whether a process has left batches there. */
export const hasBatches = (folder: string) =>
  existsSync(folder) && readdirSync(folder).some((name) => NAME.test(name))

/**
 * Batches on the disk that their store does not have yet, oldest first. Several processes may share the folder: a
 * batch that two of them deliver counts once, by the keys of its rows. One of a newer version stays as it is, a damaged one
 * is set aside, and the others do not wait for either.
 */
export class BatchSpool {
  #folder: string
  #max_bytes: number
  /** By name, oldest first. */
  #sizes = new Map<string, number>()
  #bytes = 0
  #newer = new Map<string, NewerFile>()
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
  /** When the oldest batch came, in milliseconds since 1970; undefined if there is none. */
  get since(): number | undefined {
    const first = this.#sizes.keys().next().value
    return first === undefined ? undefined : Number(first.slice(0, 16)) / 1_000
  }
  /** Whether nothing waits that could be delivered. */
  get isEmpty() {
    return this.#sizes.size === this.#newer.size
  }
  /** Why the first of those waits that this version cannot deliver. */
  get newer(): NewerFile | undefined {
    return this.#newer.values().next().value
  }

  /** What a killed process was writing was not acknowledged. Others may be writing now. */
  async #removeUnfinished() {
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith('.tmp')) continue
      const file = join(this.#folder, name)
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > UNFINISHED_MS) await rm(file, { force: true })
    }
  }

  /** Finds what others, or this process before, have left here. */
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
  }

  /** Resolves when the batch survives a power cut. Throws `SpoolFull`. */
  async add(batch: Batch) {
    const parts = batch.map(({ into, body }) => ({ into, bytes: body.length }))
    const checksum = batch.reduce((sum, { body }) => crc32(body, sum), 0)
    const header = Buffer.from(
      JSON.stringify({ version: VERSION, checksum, parts } satisfies Header),
    )
    const length = Buffer.alloc(HEADER_BYTES)
    length.writeUInt32LE(header.length)
    const bytes = Buffer.concat([length, header, ...batch.map(({ body }) => body)])
    if (this.bytes + bytes.length > this.#max_bytes) throw new SpoolFull()
    // in order, also within a millisecond
    this.#last = Math.max(this.#last + 1, Date.now() * 1_000)
    const name = `${String(this.#last).padStart(16, '0')}-${randomUUID()}.batch`
    const file = join(this.#folder, name)
    const unfinished = `${file}.tmp`
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
    this.#note(name, bytes.length)
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
    // what comes later follows, also if the clock was set back
    this.#last = Math.max(this.#last, Number(name.slice(0, 16)))
  }

  #forget(name: string) {
    this.#bytes -= this.#sizes.get(name) ?? 0
    this.#sizes.delete(name)
    this.#newer.delete(name)
  }
}

/** Another process has delivered it. */
function undefinedIfGone(e: unknown): undefined {
  if (errorCode(e) !== 'ENOENT') throw e
}

/** Throws `NewerFile`, and other errors if it is damaged. */
function batchOf(file: string, bytes: Buffer): Batch {
  let at = HEADER_BYTES + bytes.readUInt32LE()
  const header: Header | Header['parts'] = JSON.parse(bytes.toString('utf8', HEADER_BYTES, at))
  const rest = bytes.subarray(at)
  const { version, checksum, parts } = Array.isArray(header)
    ? { version: 1, checksum: crc32(rest), parts: header }
    : header
  knownVersion(file, version, VERSION)
  if (parts.reduce((sum, part) => sum + part.bytes, 0) !== rest.length)
    throw new DamagedRow('it is cut off')
  if (crc32(rest) !== checksum) throw new DamagedRow('its checksum is another')
  return parts.map(({ into, bytes: length }) => {
    const body = bytes.subarray(at, at + length)
    at += length
    return { into, body }
  })
}
