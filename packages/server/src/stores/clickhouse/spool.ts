import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../durable.ts'

/** Rows for tables, in the order in which they are inserted. `into`: a table and its columns. */
export type Batch = { into: string; body: Buffer }[]

/** There is no room for more. */
export class SpoolFull extends Error {
  override name = 'SpoolFull'
}

const NAME = /^\d{16}-[\da-f-]{36}\.batch$/
const HEADER_BYTES = 4
const UNFINISHED_MS = 3_600_000

/** Whether a process has left batches there. */
export const hasBatches = (folder: string) =>
  existsSync(folder) && readdirSync(folder).some((name) => NAME.test(name))

/**
 * Batches on the disk that ClickHouse does not have yet, oldest first. Several processes may share the folder: a
 * batch that two of them deliver counts once, by the keys of its rows.
 */
export class BatchSpool {
  #folder: string
  #max_bytes: number
  #sizes = new Map<string, number>()
  #last = 0

  private constructor(folder: string, max_bytes: number) {
    this.#folder = folder
    this.#max_bytes = max_bytes
  }

  static async open(folder: string, max_bytes: number) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const spool = new BatchSpool(folder, max_bytes)
    await spool.#removeUnfinished()
    await spool.look()
    return spool
  }

  get bytes() {
    let sum = 0
    for (const size of this.#sizes.values()) sum += size
    return sum
  }
  /** When the oldest batch came, in milliseconds since 1970; undefined if there is none. */
  get since(): number | undefined {
    let first: string | undefined
    for (const name of this.#sizes.keys()) if (first === undefined || name < first) first = name
    return first === undefined ? undefined : Number(first.slice(0, 16)) / 1_000
  }
  get isEmpty() {
    return this.#sizes.size === 0
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
    for (const name of await readdir(this.#folder)) {
      if (!NAME.test(name) || this.#sizes.has(name)) continue
      const size = await stat(join(this.#folder, name)).then(
        (file) => file.size,
        () => undefined,
      )
      if (size !== undefined) this.#sizes.set(name, size)
    }
  }

  /** Resolves when the batch survives a power cut. Throws `SpoolFull`. */
  async add(batch: Batch) {
    const header = Buffer.from(
      JSON.stringify(batch.map(({ into, body }) => ({ into, bytes: body.length }))),
    )
    const length = Buffer.alloc(HEADER_BYTES)
    length.writeUInt32LE(header.length)
    const bytes = Buffer.concat([length, header, ...batch.map(({ body }) => body)])
    if (this.bytes + bytes.length > this.#max_bytes)
      throw new SpoolFull('ClickHouse is away, and there is no room to keep more for it')
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
    this.#sizes.set(name, bytes.length)
  }

  /** The oldest batch; undefined if there is none. */
  async oldest(): Promise<{ name: string; batch: Batch } | undefined> {
    for (const name of [...this.#sizes.keys()].sort()) {
      const bytes = await readFile(join(this.#folder, name)).catch(() => undefined)
      // another process has delivered it
      if (!bytes) this.#sizes.delete(name)
      else return { name, batch: batchOf(bytes) }
    }
    return undefined
  }

  async remove(name: string) {
    await rm(join(this.#folder, name), { force: true })
    this.#sizes.delete(name)
  }
}

function batchOf(bytes: Buffer): Batch {
  let at = HEADER_BYTES + bytes.readUInt32LE()
  const header = JSON.parse(bytes.subarray(HEADER_BYTES, at).toString()) as {
    into: string
    bytes: number
  }[]
  return header.map(({ into, bytes: length }) => {
    const body = bytes.subarray(at, at + length)
    at += length
    return { into, body }
  })
}
