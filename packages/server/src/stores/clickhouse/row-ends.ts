import type { Table } from './columns.ts'
import { TABLES } from './tables.ts'

/** Returns where a value that begins at `at` ends. Throws a `RangeError` if the bytes end before. */
type Skip = (bytes: Buffer, at: number) => number

const SIZES: Record<string, number> = {
  UInt8: 1,
  UInt16: 2,
  Int32: 4,
  UInt32: 4,
  DateTime: 4,
  Int64: 8,
  UInt64: 8,
  Float64: 8,
  DateTime64: 8,
}

const skipBytes =
  (size: number): Skip =>
  (bytes, at) => {
    if (at + size > bytes.length) throw new RangeError('the row is cut off')
    return at + size
  }

/** Reads an unsigned LEB128 number. */
function sizeAt(bytes: Buffer, at: number): { size: number; next: number } {
  let [size, next, factor] = [0, at, 1]
  for (;;) {
    const byte = bytes.readUInt8(next++)
    size += (byte & 127) * factor
    if (byte < 128) return { size, next }
    factor *= 128
  }
}

const skipText: Skip = (bytes, at) => {
  const { size, next } = sizeAt(bytes, at)
  return skipBytes(size)(bytes, next)
}

const skipAll =
  (each: readonly Skip[]): Skip =>
  (bytes, at) =>
    each.reduce((next, skip) => skip(bytes, next), at)

const skipMany =
  (each: Skip): Skip =>
  (bytes, at) => {
    const { size, next } = sizeAt(bytes, at)
    let end = next
    for (let i = 0; i < size; i++) end = each(bytes, end)
    return end
  }

const skipNullable =
  (value: Skip): Skip =>
  (bytes, at) =>
    bytes.readUInt8(at) === 1 ? at + 1 : value(bytes, at + 1)

/** The parts of `a, b(c, d)`. */
function split(list: string) {
  const parts: string[] = []
  let [depth, begin] = [0, 0]
  for (const [i, c] of [...list].entries()) {
    if (c === '(') depth++
    else if (c === ')') depth--
    else if (c === ',' && depth === 0) {
      parts.push(list.slice(begin, i).trim())
      begin = i + 1
    }
  }
  return [...parts, list.slice(begin).trim()]
}

/** How to skip a value of a type that our tables have. */
function skipOf(type: string): Skip {
  const [, name = type, list = ''] = /^(\w+)\((.*)\)$/s.exec(type) ?? []
  const of = () => split(list).map(skipOf)
  if (name === 'String') return skipText
  if (name === 'FixedString') return skipBytes(Number(list))
  if (name === 'LowCardinality') return skipOf(list)
  if (name === 'Nullable') return skipNullable(skipOf(list))
  if (name === 'Array') return skipMany(skipOf(list))
  if (name === 'Map') return skipMany(skipAll(of()))
  if (name === 'Tuple') return skipAll(of())
  if (name === 'SimpleAggregateFunction') return skipOf(split(list)[1]!)
  const size = SIZES[name]
  if (size === undefined) throw new Error(`rows cannot be told apart by a ${type}`)
  return skipBytes(size)
}

/**
 * Ends of the rows of RowBinary, by a target with the names of its columns. Bytes that cannot be told apart count as one
 * row.
 */
export function rowEnds(into: string, body: Buffer): number[] {
  const [, table = '', names = ''] = /^(\w+) \((.*)\)$/s.exec(into) ?? []
  const columns = (TABLES as Record<string, Table>)[table]?.columns
  const types = names.split(', ').map((name) => columns?.[name.slice(1, -1)])
  const ends: number[] = []
  if (types.every((type) => type !== undefined)) {
    const row = skipAll(types.map((type) => skipOf(type.replace(/ (?:CODEC|DEFAULT) ?.*$/s, ''))))
    let at = 0
    try {
      while (at < body.length) {
        at = row(body, at)
        ends.push(at)
      }
    } catch (e) {
      if (!(e instanceof RangeError)) throw e
    }
  }
  if (ends.at(-1) !== body.length) ends.push(body.length)
  return ends
}
