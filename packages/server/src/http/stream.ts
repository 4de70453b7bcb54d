import { pipeline, Readable, Transform } from 'node:stream'
import { type Stream, t } from '@switchroom/contract'
import type { FastifyReply } from 'fastify'
import { Failure } from './failure.ts'

type Range = { from: number; to: number }

/**
 * Parses a `Range` header with one range. Undefined means the whole body: also for several ranges and
 * malformed headers. Throws 416 for a range outside the body.
 */
export function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  if (last !== '' && first !== '' && Number(last) < from) return undefined
  if (from > to) throw new Failure('bad_range', t('The requested range does not exist'))
  return { from, to }
}

/**
 * Passes exactly `size` bytes or fails. Extra bytes would be read as the connection's next response, and
 * missing ones would be taken from it.
 */
function requireSize(size: number, bytes: Readable): Readable {
  const wrongSize = () =>
    new Failure('unavailable', t('The store returned a different length than it announced'))
  let left = size
  const through = new Transform({
    transform(chunk: Uint8Array, _, done) {
      left -= chunk.length
      if (left < 0) done(wrongSize())
      else done(null, chunk)
    },
    flush: (done) => done(left > 0 ? wrongSize() : null),
  })
  // errors reach the reader of `through`
  return pipeline(bytes, through, () => undefined)
}

/** Streams bytes from a store, with backpressure and range requests. */
export async function sendStream(reply: FastifyReply, { type, size, open }: Stream) {
  const { method, headers } = reply.request
  reply.header('accept-ranges', 'bytes').type(type)
  // there are no versions for a condition to match
  const rangeHeader = method === 'GET' && !headers['if-range'] ? headers.range : undefined
  let range: Range | undefined
  try {
    range = rangeOf(rangeHeader, size)
  } catch (e) {
    reply.header('content-range', `bytes */${size}`)
    throw e
  }
  const { from, to } = range ?? { from: 0, to: size - 1 }
  if (range) reply.status(206).header('content-range', `bytes ${from}-${to}/${size}`)
  reply.header('content-length', to - from + 1)
  if (method === 'HEAD' || size === 0) return reply.send(Readable.from([]))
  const bytes = await open({ from, to })
  const readable = bytes instanceof Readable ? bytes : Readable.from(bytes)
  return reply.send(requireSize(to - from + 1, readable))
}
