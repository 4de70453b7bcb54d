import type { RawData, WebSocket } from 'ws'
import { NotASocket, type Outbound, TooLarge } from '../outbound/outbound.ts'
import { type Asking, refusal, scrub, unreachable } from './ask.ts'
import { Refused } from './protocol.ts'

/**
 * Opens a socket to a vendor and talks until the answer is there: `begin` says ours, `hear` takes what comes
 * and gives the answer once it is complete. All of it within the time limit, and all that comes within the
 * size limit. Throws `Refused` as `askJson` does; what `hear` throws ends the talk.
 */
export async function converse<T>(
  out: Outbound,
  url: string,
  how: { headers?: Record<string, string>; protocols?: string[] },
  asking: Asking,
  {
    begin,
    hear,
    ended,
  }: {
    begin: (socket: WebSocket) => void
    hear: (data: Buffer, binary: boolean) => T | undefined
    /** The answer, where a vendor ends by hanging up in good order. */
    ended?: () => T
  },
): Promise<T> {
  const { limit, secrets } = asking
  let socket: WebSocket | undefined
  let late: NodeJS.Timeout | undefined
  let over = false
  try {
    return await new Promise<T>((resolve, reject) => {
      const fail = (e: unknown) => reject(unreachable(e, limit))
      late = setTimeout(() => fail(new DOMException('', 'TimeoutError')), limit.timeout_ms)
      let size = 0
      const opened = (open: WebSocket) => {
        if (over) return open.terminate()
        socket = open
        open.on('error', (e) => fail(e instanceof RangeError ? new TooLarge('') : e))
        open.on('close', (code, reason) => {
          if (ended && code === 1000) return resolve(ended())
          const said = scrub(String(reason), secrets)
          reject(new Refused(said ? `the vendor hung up: ${said}` : 'the vendor hung up'))
        })
        open.on('message', (data: RawData, binary) => {
          const bytes = data as Buffer
          size += bytes.length
          if (size > limit.max_bytes) return fail(new TooLarge(''))
          try {
            const answer = hear(bytes, binary)
            if (answer !== undefined) resolve(answer)
          } catch (e) {
            reject(e)
          }
        })
        begin(open)
      }
      out
        .socket(url, { ...how, ...limit, opened })
        .catch((e: unknown) =>
          e instanceof NotASocket
            ? reject(refusal({ status: e.status, text: '' }, asking))
            : fail(e),
        )
    })
  } finally {
    over = true
    clearTimeout(late)
    // a vendor that does not answer the farewell keeps nothing of ours open
    socket?.terminate()
  }
}
