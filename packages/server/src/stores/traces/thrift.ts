import { Unreadable } from './span.ts'

/** The types of Thrift's binary protocol. */
const STOP = 0
const BOOL = 2
const BYTE = 3
const DOUBLE = 4
const I16 = 6
const I32 = 8
const I64 = 10
const STRING = 11
const STRUCT = 12
const MAP = 13
const SET = 14
const LIST = 15

const MAX_DEPTH = 16
/** An empty struct takes one byte on the wire and a hundred in memory. */
const MAX_VALUES = 1_000_000

/** A parsed value. Structs have their fields by number; texts are bytes. */
export type Thrift = boolean | number | bigint | Buffer | Thrift[] | Struct
export type Struct = Map<number, Thrift>

/** Reads a struct in Thrift's binary protocol, without an envelope. Throws `Unreadable`. */
export function readStruct(body: Buffer): Struct {
  let at = 0
  let values = 0
  const take = (bytes: number) => {
    if (bytes < 0 || at + bytes > body.length) throw new Unreadable('shorter than it says')
    at += bytes
    return at - bytes
  }

  function items(types: number[], depth: number): Thrift[] {
    const count = body.readInt32BE(take(4))
    // each element takes at least a byte, so a false count cannot allocate memory
    if (count < 0 || count * types.length > body.length - at)
      throw new Unreadable('shorter than it says')
    const all: Thrift[] = []
    for (let i = 0; i < count; i++) for (const type of types) all.push(value(type, depth))
    return all
  }

  function value(type: number, depth: number): Thrift {
    if (depth > MAX_DEPTH) throw new Unreadable('nested too deep')
    if (++values > MAX_VALUES) throw new Unreadable('of too many values')
    switch (type) {
      case BOOL:
        return body.readInt8(take(1)) !== 0
      case BYTE:
        return body.readInt8(take(1))
      case DOUBLE:
        return body.readDoubleBE(take(8))
      case I16:
        return body.readInt16BE(take(2))
      case I32:
        return body.readInt32BE(take(4))
      case I64:
        return body.readBigInt64BE(take(8))
      case STRING: {
        const length = body.readInt32BE(take(4))
        const start = take(length)
        return body.subarray(start, start + length)
      }
      case STRUCT:
        return struct(depth)
      case SET:
      case LIST: {
        const element = body.readInt8(take(1))
        return items([element], depth + 1)
      }
      case MAP: {
        const key = body.readInt8(take(1))
        const element = body.readInt8(take(1))
        return items([key, element], depth + 1)
      }
      default:
        throw new Unreadable('of an unknown type')
    }
  }

  function struct(depth: number): Struct {
    const fields: Struct = new Map()
    for (;;) {
      const type = body.readInt8(take(1))
      if (type === STOP) return fields
      const id = body.readInt16BE(take(2))
      fields.set(id, value(type, depth + 1))
    }
  }
  return struct(0)
}
