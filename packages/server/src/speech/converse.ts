import { t } from '@switchroom/contract'
import type { RawData, WebSocket } from 'ws'
import type { z } from 'zod'
import { NotASocket, type Outbound } from '../outbound/outbound.ts'
import { Refused } from './protocol.ts'
import { nonsense, type RequestOptions, refusal, scrub } from './refusal.ts'
import { withDeadline } from './with-timeout.ts'

export type Message = { bytes: Buffer; binary: boolean }

/** Our end of a WebSocket conversation with a speech vendor. */
export type Line = {
  /** Sends text and bytes unchanged, anything else as JSON. */
  say: (message: string | Buffer | object) => void
  /**
   * Streams mono 16-bit PCM at about real-time speed. Resolves to the number of chunks. Stops when
   * the connection is closed.
   */
  play: (pcm: Buffer, rate: number) => Promise<number>
  /**
   * The next message, in order; undefined after a normal close, or if there is none
   * for `quiet_ms`. Throws `Refused` if it does not match the shape, or if the connection broke.
   */
  next: <S extends z.ZodType>(shape: S, quiet_ms?: number) => Promise<z.output<S> | undefined>
  /** Like `next`, without a shape. */
  raw: (quiet_ms?: number) => Promise<Message | undefined>
  /** Like `next`, but a close throws `Refused`. */
  hear: <S extends z.ZodType>(shape: S) => Promise<z.output<S>>
}

/**
 * Opens a WebSocket, runs `talk` and always closes the socket. The time limit covers all of it, the size limit
 * everything received. Throws `Refused` from `talk`, or with the reason for a failed connection, without secrets.
 */
export async function converse<T>(
  out: Outbound,
  url: string,
  how: { headers?: Record<string, string>; protocols?: string[] },
  requestOptions: RequestOptions,
  talk: (line: Line) => Promise<T>,
): Promise<T> {
  if (!/^wss?:\/\//i.test(url)) throw new Refused(t('the address is not a WebSocket URL'))
  return withDeadline(requestOptions.limit, async (end) => {
    const socket = await out
      .socket(url, { ...how, ...requestOptions.limit })
      .catch((error: unknown): never => {
        if (!(error instanceof NotASocket)) throw error
        throw refusal({ status: error.status, text: '' }, requestOptions)
      })
    try {
      return await talk(lineOn(socket, requestOptions, end))
    } finally {
      hangUp(socket)
    }
  })
}

function hangUp(socket: WebSocket) {
  const impolite = setTimeout(() => socket.terminate(), 1_000)
  socket.on('close', () => clearTimeout(impolite))
  socket.resume()
  socket.close()
}

// live services reject faster audio, and 30 seconds of audio must fit the time limit
const SPEED = 1.2
const PIECE_MS = 100

/** A normal close, and a close without a code. */
const PEACE = [1000, 1005]

function lineOn(socket: WebSocket, { secrets, limit }: RequestOptions, end: AbortSignal): Line {
  const answers: Message[] = []
  let received = 0
  let over: { refused?: Refused } | undefined
  let wake = () => {}

  const finish = (refused?: Refused) => {
    over ??= refused ? { refused } : {}
    wake()
  }
  // aborts the conversation
  const late = () => finish(new Refused(t('too late')))
  if (end.aborted) late()
  end.addEventListener('abort', late)
  socket.on('message', (data: RawData, binary) => {
    // the socket's `binaryType` is left at `nodebuffer`
    const bytes = data as Buffer
    received += bytes.length
    if (received > limit.max_bytes)
      return finish(new Refused(t('the vendor’s response is too large')))
    answers.push({ bytes, binary })
    wake()
  })
  socket.on('error', (error) =>
    finish(
      'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
        ? new Refused(t('the vendor’s response is too large'))
        : new Refused(t('the connection to the vendor broke'), { cause: error }),
    ),
  )
  socket.on('close', (code, reason) => {
    if (PEACE.includes(code)) return finish()
    const explanation = scrub(String(reason), secrets)
    finish(
      new Refused(
        explanation
          ? t('the vendor closed the connection: {explanation}', { explanation })
          : t('the vendor closed the connection: code {code}', { code }),
      ),
    )
  })
  socket.resume()

  const woken = (quiet_ms?: number) =>
    new Promise<void>((resolve) => {
      const quiet = quiet_ms === undefined ? undefined : setTimeout(resolve, quiet_ms)
      wake = () => {
        clearTimeout(quiet)
        resolve()
      }
    })

  const line: Line = {
    say: (message) =>
      socket.send(
        typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
        // readers see the closed connection
        () => {},
      ),
    async play(pcm, rate) {
      const piece = (rate * 2 * PIECE_MS) / 1_000
      let pieces = 0
      for (let at = 0; at < pcm.length && !over; pieces++) {
        // some vendors reject very small chunks
        const to = pcm.length - at < piece * 2 ? pcm.length : at + piece
        line.say(pcm.subarray(at, to))
        const spoken_ms = ((to - at) / (rate * 2)) * 1_000
        await new Promise((resolve) => setTimeout(resolve, spoken_ms / SPEED))
        at = to
      }
      return pieces
    },
    async raw(quiet_ms) {
      if (!answers.length && !over) await woken(quiet_ms)
      const answer = answers.shift()
      if (!answer && over?.refused) throw over.refused
      return answer
    },
    async next(shape, quiet_ms) {
      const answer = await line.raw(quiet_ms)
      return answer && read(String(answer.bytes), shape)
    },
    async hear(shape) {
      const answer = await line.next(shape)
      if (answer === undefined)
        throw new Refused(t('the vendor closed the connection before it answered'))
      return answer
    },
  }
  return line
}

function read<S extends z.ZodType>(text: string, shape: S): z.output<S> {
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    throw nonsense()
  }
}
