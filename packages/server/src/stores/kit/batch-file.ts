import { crc32 } from 'node:zlib'
import { errorCode } from '../../errors/members.ts'
import { DamagedRow } from './damage.ts'
import { knownVersion } from './formats.ts'

/** Rows that are stored together, in order. `into` is the target as the store names it. */
export type Batch = { into: string; body: Buffer }[]

/**
 * A file begins with the length of its header, which is JSON and names the version of the rest. Version 1 did not, and was
 * the list of parts alone. `checksum`: CRC-32 of all parts.
 */
const VERSION = 2
export const HEADER_BYTES = 4
export type Header = {
  version: number
  checksum: number
  /** `rows` and `why` are of rows that were refused. */
  parts: { into: string; bytes: number; rows?: number; why?: string }[]
}
/** Rows that the store refused for their content. */
export type RefusedPart = { into: string; body: Buffer; rows: number; why: string }
export function bytesOf(parts: readonly (Batch[number] | RefusedPart)[]) {
  const header: Header = {
    version: VERSION,
    checksum: parts.reduce((sum, { body }) => crc32(body, sum), 0),
    parts: parts.map(({ body, ...about }) => ({ ...about, bytes: body.length })),
  }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(HEADER_BYTES)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, ...parts.map(({ body }) => body)])
}

/** Another process has delivered it. */
export function undefinedIfGone(e: unknown): undefined {
  if (errorCode(e) !== 'ENOENT') throw e
}

/** Throws `NewerFile`, and other errors if it is damaged. */
export function batchOf(file: string, bytes: Buffer): Batch {
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
