import { CHUNK, type Row, type Shard } from './shard.ts'

/**
 * The text index: of each chunk of calls, which of them have a sequence of one, two or three characters in
 * `from` or `to`. A list of ids, or a bit per call where that is smaller. Beside it the texts themselves, to
 * check what is longer than three characters, and the columns that filters ask for.
 */
const BITMAP = CHUNK / 8
/** Shorter lists are smaller than a bitmap; so their length in bytes tells them apart. */
const BITS_FROM = BITMAP / 2

/** A character in seven bits. All beyond ASCII share one, so what has them is always checked. */
const code = (c: number) => (c >= 126 ? 127 : c + 1)
const SIZE = 1 << 21

let last: Int32Array | undefined
let counts: Int32Array | undefined

/** Each distinct gram of a text. */
function eachGram(text: string, take: (gram: number) => void) {
  let [a, b] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const c = code(text.charCodeAt(i))
    take(c)
    if (b) take((b << 7) | c)
    if (a && b) take((a << 14) | (b << 7) | c)
    a = b
    b = c
  }
}

/** Builds a chunk anew from its calls. Within the caller's transaction. */
export function buildChunk(shard: Shard, chunk: number, size: number) {
  last ??= new Int32Array(SIZE)
  counts ??= new Int32Array(SIZE)
  const first = chunk * CHUNK + 1
  const rows = shard.tuples(
    'select id, at, series, application, sip_status, "from", "to" from calls where id between ? and ?',
    first,
    first + size - 1,
  )
  const at = new Float64Array(size)
  const [series, application, status] = [0, 1, 2].map(() => new Int32Array(size)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  const texts: string[] = Array(2 * size).fill('')
  for (const [id, ...row] of rows as (number | string | null)[][]) {
    const i = (id as number) - first
    at[i] = row[0] as number
    series[i] = row[1] as number
    application[i] = row[2] as number
    status[i] = (row[3] as number | null) ?? -1
    texts[2 * i] = (row[4] as string | null) ?? ''
    texts[2 * i + 1] = (row[5] as string | null) ?? ''
  }
  shard.run('delete from grams where chunk = ?', chunk)
  for (const [gram, ids] of postings(texts, size))
    shard.run('insert into grams (chunk, gram, ids) values (?, ?, ?)', chunk, gram, ids)
  const encoded = texts.map((text) => Buffer.from(text))
  const offsets = new Uint32Array(2 * size + 1)
  for (let i = 0; i < encoded.length; i++) offsets[i + 1] = offsets[i]! + encoded[i]!.length
  shard.run(
    `insert or replace into chunks (chunk, size, series, at, application, sip_status, offsets, text)
      values (?, ?, ?, ?, ?, ?, ?, ?)`,
    chunk,
    size,
    ...[series, at, application, status, offsets].map(bytes),
    Buffer.concat(encoded),
  )
}

const bytes = (a: ArrayBufferView) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength)

function* postings(texts: string[], size: number): Generator<[number, Uint8Array]> {
  const seen: number[] = []
  // the first walk counts, the second fills
  const walk = (take: (gram: number, call: number) => void) => {
    for (let i = 0; i < size; i++) {
      const once = (gram: number) => {
        if (last![gram] === i + 1) return
        last![gram] = i + 1
        take(gram, i)
      }
      eachGram(texts[2 * i]!, once)
      eachGram(texts[2 * i + 1]!, once)
    }
    for (const gram of seen) last![gram] = 0
  }
  walk((gram) => {
    if (counts![gram]!++ === 0) seen.push(gram)
  })
  const starts = new Map<number, number>()
  let total = 0
  for (const gram of seen) {
    starts.set(gram, total)
    total += counts![gram]!
    counts![gram] = starts.get(gram)!
  }
  const ids = new Uint16Array(total)
  walk((gram, call) => {
    ids[counts![gram]!++] = call
  })
  for (const gram of seen) {
    const list = ids.subarray(starts.get(gram)!, counts![gram]!)
    counts![gram] = 0
    if (list.length < BITS_FROM) yield [gram, bytes(list)]
    else {
      const bits = new Uint8Array(BITMAP)
      for (const id of list) bits[id >> 3]! |= 1 << (id & 7)
      yield [gram, bits]
    }
  }
}

/** A call that is no more: its place in the chunk belongs to no series. Within the caller's transaction. */
export function forgetInChunk(shard: Shard, id: number) {
  const chunk = Math.floor((id - 1) / CHUNK)
  const row = shard.get('select series from chunks where chunk = ?', chunk)!
  const series = words(row.series)
  series[id - 1 - chunk * CHUNK] = 0
  shard.run('update chunks set series = ? where chunk = ?', bytes(series), chunk)
}

/** A blob's numbers; copied where they do not lie as the processor wants them. */
const view = (blob: unknown, unit: number) => {
  const b = blob as Uint8Array
  return b.byteOffset % unit === 0 ? b : b.slice()
}
export const words = (blob: unknown) => {
  const b = view(blob, 4)
  return new Int32Array(b.buffer, b.byteOffset, b.byteLength / 4)
}
export const doubles = (blob: unknown) => {
  const b = view(blob, 8)
  return new Float64Array(b.buffer, b.byteOffset, b.byteLength / 8)
}

/** The local ids of the calls of a chunk that have the text in `from` or `to`, those that are no more included. */
export function searchChunk(shard: Shard, chunk: Row, text: string): Uint16Array {
  const grams = new Set<number>()
  let plain = true
  for (let i = 0; i < text.length; i++) if (code(text.charCodeAt(i)) === 127) plain = false
  const width = Math.min(3, text.length)
  for (let i = 0; i + width <= text.length && grams.size < 16; i++)
    eachGram(text.slice(i, i + width), (gram) => {
      if (gram >= 1 << (7 * (width - 1))) grams.add(gram)
    })
  const lists: Uint8Array[] = []
  for (const gram of grams) {
    const row = shard.get('select ids from grams where chunk = ? and gram = ?', chunk.chunk!, gram)
    if (!row) return new Uint16Array()
    lists.push(row.ids as Uint8Array)
  }
  lists.sort((a, b) => a.length - b.length)
  let ids = listed(lists[0]!)
  for (const list of lists.slice(1)) ids = intersect(ids, list)
  return (plain && text.length <= 3) || ids.length === 0 ? ids : checked(shard, chunk, ids, text)
}

function listed(list: Uint8Array): Uint16Array {
  if (list.length < BITMAP) {
    const b = view(list, 2)
    return new Uint16Array(b.buffer, b.byteOffset, b.byteLength / 2)
  }
  const ids = new Uint16Array(CHUNK)
  let n = 0
  for (let byte = 0; byte < BITMAP; byte++)
    for (let rest = list[byte]!; rest; rest &= rest - 1)
      ids[n++] = (byte << 3) | (31 - Math.clz32(rest & -rest))
  return ids.subarray(0, n)
}

function intersect(ids: Uint16Array, list: Uint8Array): Uint16Array {
  const out = new Uint16Array(ids.length)
  let n = 0
  if (list.length === BITMAP) {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!
      if (list[id >> 3]! & (1 << (id & 7))) out[n++] = id
    }
    return out.subarray(0, n)
  }
  const other = listed(list)
  for (let i = 0, j = 0; i < ids.length && j < other.length; ) {
    const [a, b] = [ids[i]!, other[j]!]
    if (a === b) out[n++] = a
    if (a <= b) i++
    if (b <= a) j++
  }
  return out.subarray(0, n)
}

function checked(shard: Shard, chunk: Row, ids: Uint16Array, text: string): Uint16Array {
  const row = shard.get('select offsets, text from chunks where chunk = ?', chunk.chunk!)!
  const offsets = words(row.offsets)
  const all = row.text as Uint8Array
  const needle = Buffer.from(text)
  const length = needle.length
  const first = needle[0]!
  const has = (from: number, to: number) => {
    for (let i = from; i + length <= to; i++) {
      if (all[i] !== first) continue
      let j = 1
      while (j < length && all[i + j] === needle[j]) j++
      if (j === length) return true
    }
    return false
  }
  const out = new Uint16Array(ids.length)
  let n = 0
  for (const id of ids) {
    const [a, b, c] = [offsets[2 * id]!, offsets[2 * id + 1]!, offsets[2 * id + 2]!]
    if (has(a, b) || has(b, c)) out[n++] = id
  }
  return out.subarray(0, n)
}
