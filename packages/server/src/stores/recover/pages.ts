import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** A value of SQLite. */
export type Value = null | number | string | Buffer

/** A row as it lies in a page: its rowid and values. A column that is the rowid itself is null. */
export type Row = { id: number; values: Value[] }

const MAGIC = 'SQLite format 3\0'
const LEAF = 0x0d
const INTERIOR = 0x05
const WAL_HEADER = 32
const FRAME_HEADER = 24
/** Beyond every row that our stores write. */
const MAX_PAYLOAD = 64_000_000

/**
 * Reads the rows of all tables from the pages of a SQLite file, without its indexes, interior pages and header,
 * so that damage elsewhere does not matter. Rows say nothing of their table: callers tell by their values.
 * `page_size`: used if the header is damaged.
 */
export function* rowsOf(file: string, page_size: number): Generator<Row> {
  const pages = new Pages(file, page_size)
  try {
    const free = freePages(pages)
    for (let number = 1; number <= pages.last; number++) {
      const page = free.has(number) ? undefined : pages.read(number)
      if (page?.[startOf(number)] === LEAF) yield* rowsOn(pages, number, page)
    }
  } finally {
    pages.close()
  }
}

/** The highest rowid of each table, to which its tree leads; undefined where that is damaged. */
export function lastIds(
  file: string,
  page_size: number,
  tables: readonly string[],
): (number | undefined)[] {
  const pages = new Pages(file, page_size)
  try {
    const roots = new Map<Value | undefined, Value | undefined>()
    // its columns: https://www.sqlite.org/schematab.html
    for (const { values } of treeOf(pages, 1))
      if (values[0] === 'table') roots.set(values[1], values[3])
    return tables.map((table) => lastIdIn(pages, roots.get(table)))
  } catch (e) {
    if (e instanceof RangeError) return tables.map(() => undefined)
    throw e
  } finally {
    pages.close()
  }
}

/** The rows to which a tree leads. */
function* treeOf(pages: Pages, root: number): Generator<Row> {
  const seen = new Set<number>()
  const waiting = [root]
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = seen.has(number) ? undefined : pages.read(number)
    seen.add(number)
    const start = startOf(number)
    if (page?.[start] === LEAF) yield* rowsOn(pages, number, page)
    if (page?.[start] !== INTERIOR) continue
    waiting.push(page.readUInt32BE(start + 8))
    for (let i = 0; i < page.readUInt16BE(start + 3); i++)
      waiting.push(page.readUInt32BE(page.readUInt16BE(start + 12 + 2 * i)))
  }
}

function lastIdIn(pages: Pages, root: Value | undefined): number | undefined {
  const seen = new Set<number>()
  let number = Number(root)
  for (;;) {
    const page = seen.has(number) || !(number > 1) ? undefined : pages.read(number)
    seen.add(number)
    if (page?.[0] === LEAF) {
      const count = page.readUInt16BE(3)
      if (count === 0) return root === number ? 0 : undefined
      const at = 8 + 2 * (count - 1)
      return at + 2 > page.length ? undefined : rowAt(pages, page, page.readUInt16BE(at))?.id
    }
    if (page?.[0] !== INTERIOR) return undefined
    number = page.readUInt32BE(8)
  }
}

/** The first page begins with the header of the file. */
const startOf = (number: number) => (number === 1 ? 100 : 0)

/** Reads pages by number, each as it was last committed: from the WAL, or else from the file. */
class Pages {
  readonly size: number
  readonly last: number
  /** True if the file begins with SQLite's header. */
  readonly hasHeader: boolean
  #file: number
  #wal: number | undefined
  /** Positions of pages in the WAL. */
  #newer = new Map<number, number>()

  constructor(path: string, assumed: number) {
    this.#file = openSync(path, 'r')
    const header = bytesAt(this.#file, 0, 100)
    this.hasHeader = header?.toString('latin1', 0, MAGIC.length) === MAGIC
    const stated = (this.hasHeader && header?.readUInt16BE(16)) || 0
    this.size = stated === 1 ? 65_536 : isPageSize(stated) ? stated : assumed
    if (existsSync(`${path}-wal`)) {
      this.#wal = openSync(`${path}-wal`, 'r')
      this.#newer = committed(this.#wal, this.size)
    }
    const inFile = Math.floor(fstatSync(this.#file).size / this.size)
    this.last = [...this.#newer.keys()].reduce((a, b) => Math.max(a, b), inFile)
  }

  read(number: number): Buffer | undefined {
    const newer = this.#newer.get(number)
    try {
      return newer === undefined
        ? bytesAt(this.#file, (number - 1) * this.size, this.size)
        : bytesAt(this.#wal!, newer, this.size)
    } catch {
      // a bad sector
      return undefined
    }
  }

  close() {
    closeSync(this.#file)
    if (this.#wal !== undefined) closeSync(this.#wal)
  }
}

function bytesAt(file: number, at: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length)
  return at >= 0 && readSync(file, bytes, 0, length, at) === length ? bytes : undefined
}

const isPageSize = (n: number) => n >= 512 && n <= 32_768 && (n & (n - 1)) === 0

/** Positions in a WAL of the pages of complete transactions. */
function committed(wal: number, size: number): Map<number, number> {
  const pages = new Map<number, number>()
  const header = bytesAt(wal, 0, WAL_HEADER)
  if (header?.readUInt32BE(8) !== size) return pages
  const salt = header.subarray(16, 24)
  let pending: [number, number][] = []
  for (let at = WAL_HEADER; ; at += FRAME_HEADER + size) {
    const frame = bytesAt(wal, at, FRAME_HEADER)
    // frames of an earlier round follow the last one
    if (!frame?.subarray(8, 16).equals(salt)) return pages
    pending.push([frame.readUInt32BE(0), at + FRAME_HEADER])
    if (frame.readUInt32BE(4) === 0) continue
    for (const [number, place] of pending) pages.set(number, place)
    pending = []
  }
}

/** Pages that are not in use and may still have rows that were deleted. */
function freePages(pages: Pages): Set<number> {
  const free = new Set<number>()
  let trunk = (pages.hasHeader && pages.read(1)?.readUInt32BE(32)) || 0
  while (trunk !== 0 && !free.has(trunk)) {
    free.add(trunk)
    const page = pages.read(trunk)
    if (!page) break
    const count = Math.min(page.readUInt32BE(4), pages.size / 4 - 2)
    for (let i = 0; i < count; i++) free.add(page.readUInt32BE(8 + 4 * i))
    trunk = page.readUInt32BE(0)
  }
  return free
}

/** The rows on a leaf page. Rows that make no sense are skipped. */
function* rowsOn(pages: Pages, number: number, page: Buffer): Generator<Row> {
  const start = startOf(number)
  const count = page.readUInt16BE(start + 3)
  for (let i = 0; i < count; i++) {
    const pointer = start + 8 + 2 * i
    if (pointer + 2 > page.length) return
    const row = rowAt(pages, page, page.readUInt16BE(pointer))
    if (row) yield row
  }
}

/** Undefined if it reads beyond its end, or is no UTF-8. */
function rowAt(pages: Pages, page: Buffer, at: number): Row | undefined {
  try {
    return parsedRow(pages, page, at)
  } catch (e) {
    if (e instanceof RangeError || e instanceof TypeError) return undefined
    throw e
  }
}

function parsedRow(pages: Pages, page: Buffer, at: number): Row | undefined {
  const [length, afterLength] = varint(page, at)
  const [id, begin] = varint(page, afterLength)
  if (length < 2 || length > MAX_PAYLOAD || id < 1 || !Number.isSafeInteger(id)) return undefined
  const payload = payloadAt(pages, page, begin, length)
  const [header, first] = varint(payload, 0)
  const types: number[] = []
  let next = first
  while (next < header) {
    const [type, after] = varint(payload, next)
    types.push(type)
    next = after
  }
  let body = header
  const values: Value[] = []
  for (const type of types) {
    const [value, size] = valueAt(payload, body, type)
    values.push(value)
    body += size
  }
  return body === length && next === header ? { id, values } : undefined
}

/** A row's bytes: on its page, and on overflow pages if it is long. */
function payloadAt(pages: Pages, page: Buffer, begin: number, length: number): Buffer {
  const { size } = pages
  const most = size - 35
  if (length <= most) return page.subarray(begin, begin + length)
  const least = Math.floor(((size - 12) * 32) / 255) - 23
  const wanted = least + ((length - least) % (size - 4))
  const here = wanted <= most ? wanted : least
  const parts = [page.subarray(begin, begin + here)]
  let left = length - here
  let number = page.readUInt32BE(begin + here)
  while (left > 0) {
    const overflow = pages.read(number)
    if (!overflow) throw new RangeError('an overflow page is missing')
    const part = overflow.subarray(4, 4 + Math.min(left, size - 4))
    parts.push(part)
    left -= part.length
    number = overflow.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

/** A variable-length integer, and where it ends. */
function varint(bytes: Buffer, at: number): [number, number] {
  let n = 0n
  for (let i = 0; i < 9; i++) {
    const byte = bytes.readUInt8(at + i)
    if (i === 8) return [Number(BigInt.asIntN(64, (n << 8n) | BigInt(byte))), at + 9]
    n = (n << 7n) | BigInt(byte & 0x7f)
    if (byte < 0x80) return [Number(n), at + i + 1]
  }
  throw new RangeError('no integer')
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8]
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A value of a serial type, and its size. Throws for types that do not exist. */
function valueAt(bytes: Buffer, at: number, type: number): [Value, number] {
  if (type === 0) return [null, 0]
  if (type === 8 || type === 9) return [type - 8, 0]
  if (type === 7) return [bytes.readDoubleBE(at), 8]
  if (type <= 6) {
    const size = INTEGER_BYTES[type]!
    const value = size === 8 ? Number(bytes.readBigInt64BE(at)) : bytes.readIntBE(at, size)
    return [value, size]
  }
  if (type < 12) throw new RangeError('a type that does not exist')
  const size = Math.floor((type - 12) / 2)
  if (at + size > bytes.length) throw new RangeError('beyond the end')
  const part = bytes.subarray(at, at + size)
  return [type % 2 === 1 ? utf8.decode(part) : part, size]
}
