import { pipeline, Readable, Transform } from 'node:stream'
import type { Stream } from '@switchroom/contract'
import type { FastifyReply } from 'fastify'
import { Failure } from './failure.ts'

type Range = { from: number; to: number }

/**
 * The one part that is asked for; undefined for all of it, as when the header asks for several parts or
 * means nothing. Throws 416 for a part that there is not.
 */
export function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  if (last !== '' && first !== '' && Number(last) < from) return undefined
  if (from > to) throw new Failure('bad_range', 'There is no such part')
  return { from, to }
}

/**
 * As many bytes as were promised, or none after it is clear that there are not: what is too much would be read
 * as the next answer of the connection, and what is missing would be taken from there.
 */
function exactly(size: number, bytes: Readable): Readable {
  const wrong = () => new Failure('unavailable', 'The store gave another length than it had told')
  let left = size
  const through = new Transform({
    transform(chunk: Uint8Array, _, done) {
      left -= chunk.length
      if (left < 0) done(wrong())
      else done(null, chunk)
    },
    flush: (done) => done(left > 0 ? wrong() : null),
  })
  // what goes wrong is told by what is read
  return pipeline(bytes, through, () => undefined)
}

/** Bytes as they come from wherever they are, no faster than the client takes them. */
export async function sendStream(reply: FastifyReply, { type, size, open }: Stream) {
  const { method, headers } = reply.request
  reply.header('accept-ranges', 'bytes').type(type)
  // there are no versions that a condition could be about
  const asked = method === 'GET' && !headers['if-range'] ? headers.range : undefined
  let range: Range | undefined
  try {
    range = rangeOf(asked, size)
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
  return reply.send(exactly(to - from + 1, readable))
}
