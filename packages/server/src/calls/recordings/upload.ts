import { randomUUID } from 'node:crypto'
import type { WriteStream } from 'node:fs'
import { Sid } from '@switchroom/contract'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Context } from '../../http/context.ts'
import type { Job } from '../../stores/recordings/spool.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import type { Delivery } from './delivery.ts'

/** Sample rates that MP3 supports; the platform's media servers send 8000. */
const RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
/** The platform's longest call. */
const LONGEST_SECONDS = 43_200
/** The size limit of a WAV file. */
const MAX_BYTES = 4_000_000_000
const ALIVE_EVERY_MS = 30_000
/** Audio buffered until its place is known. */
const EARLY_BYTES = 4_000_000

const CallMetadata = z
  .union([z.string(), z.number(), z.boolean()])
  .transform((value) => String(value).slice(0, 256))
  .nullish()
  .catch(undefined)

/** The fields we use of the platform's first message. */
const Start = z.object({
  accountSid: Sid,
  callSid: Sid,
  sampleRate: z.coerce.number().refine((rate) => RATES.includes(rate)),
  direction: CallMetadata,
  from: CallMetadata,
  to: CallMetadata,
  callId: CallMetadata,
  applicationSid: CallMetadata,
  originatingSipIp: CallMetadata,
  originatingSipTrunkName: CallMetadata,
})

/** Close codes of WebSockets (RFC 6455). */
const POLICY = 1008
/** For recordings that cannot be taken. */
export const TROUBLE = 1011
const LATER = 1013

/** How long a socket may wait with its first message; tests shorten it. */
export const TIMES = { start_ms: 10_000 }

/** The socket on which a recording arrives. */
export type Upload = Pick<
  WebSocket,
  'on' | 'once' | 'pause' | 'resume' | 'ping' | 'terminate' | 'readyState' | 'OPEN'
> & {
  /** Closes it from this end. */
  refuse: (code: number, reason: string) => void
  /** Awaited before the other end's close is answered: whether all that it sent is on disk. */
  beforeAnswer: () => Promise<boolean>
}

/** Receives one recording on an open socket, before its first message. */
export function receive(
  ctx: Pick<Context, 'db' | 'box' | 'stores' | 'log'>,
  socket: Upload,
  delivery: Pick<Delivery, 'push'>,
) {
  const { incoming } = ctx.stores
  let job: Job | undefined
  let sound: WriteStream | undefined
  let beginning: Promise<void> | undefined
  let storing: Promise<boolean> | undefined
  let early: Buffer[] | undefined
  let bytes = 0
  let refused = false
  let over = false
  let isAlive = true

  /** Closes the socket before any audio was stored. */
  const refuse = (reason: string, code = POLICY) => {
    if (refused) return
    refused = true
    incoming.counts.refused++
    ctx.log.warn({ why: reason }, 'recording upload refused')
    socket.refuse(code, reason)
  }

  const unwritable = (err: Error) => ctx.log.error({ err }, 'recording could not be written')
  const trouble = (err: Error) =>
    ctx.log.error({ err }, 'recording could not be queued for delivery')
  const late = setTimeout(() => refuse('Nothing was said of the call'), TIMES.start_ms)
  const tooLong = setTimeout(() => socket.refuse(POLICY, 'Too long'), LONGEST_SECONDS * 1_000)
  // detects half-open connections; a call on hold may be silent, but its socket answers pings
  const alive = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
    if (job) void incoming.touch(job.id)
  }, ALIVE_EVERY_MS)

  function write(data: Buffer) {
    if (!job || !sound) return
    bytes += data.length
    incoming.grow(data.length)
    if (bytes > Math.min(MAX_BYTES, job.rate * 4 * LONGEST_SECONDS))
      return socket.refuse(POLICY, 'Too long')
    if (incoming.isFull) return socket.refuse(LATER, 'Too much is waiting to be stored')
    // a closing socket must be read to its end
    if (!sound.write(data) && socket.readyState === socket.OPEN) socket.pause()
  }

  async function begin(text: string) {
    early = []
    const start = Start.safeParse(jsonOf(text))
    if (!start.success) return refuse('What was said of the call cannot be read')
    const { accountSid: account_sid, callSid: call_sid, sampleRate: rate } = start.data
    const account = await accounts.recordingOf(ctx, account_sid)
    if (!account) return refuse('No such account')
    // a short recording may have arrived completely
    if (over && early.length === 0) return
    const metadata = Object.fromEntries(
      Object.entries(start.data).flatMap(([k, v]) => (v ? [[k, String(v)]] : [])),
    )
    const { format } = account
    const begun = Date.now()
    const next: Job = { id: randomUUID(), account_sid, call_sid, begun, rate, format, metadata }
    // both at once: the socket may close in between
    sound = await incoming.begin(next)
    job = next
    sound.on('drain', () => socket.resume())
    sound.once('error', (err) => {
      unwritable(err)
      socket.refuse(TROUBLE, 'It cannot be written')
      // the file took no more, so the socket may be paused, and would wait for the other end's close
      socket.resume()
      void store()
    })
    const came = early
    early = undefined
    came.forEach(write)
  }

  /**
   * Ends the recording, whether the socket closed or broke: partial audio is worth keeping. Resolves to true if
   * everything received is on disk.
   */
  const store = () => (storing ??= finish())
  async function finish(): Promise<boolean> {
    over = true
    await beginning
    const [ended, audio] = [job, sound]
    job = undefined
    if (!ended || !audio) return true
    const isComplete = await incoming.finish(audio).then(
      () => true,
      (err: Error) => {
        // which was logged when it happened
        if (!audio.errored) unwritable(err)
        return false
      },
    )
    delivery.push(ended).catch(trouble)
    return isComplete
  }

  socket.beforeAnswer = store
  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', (data: Buffer, isBinary) => {
    isAlive = true
    if (refused) return
    if (!isBinary) {
      // later text messages are not about the audio
      if (job || early) return
      clearTimeout(late)
      socket.pause()
      beginning = begin(data.toString())
        .catch((err: Error) => {
          ctx.log.error({ err }, 'recording could not be started')
          refuse('It cannot be taken', TROUBLE)
        })
        .finally(() => socket.resume())
      return
    }
    if (sound && !early) return write(data)
    if (!early) return refuse('Sound came before it was said of which call')
    early.push(data)
    if (early.reduce((sum, { length }) => sum + length, 0) > EARLY_BYTES) refuse('Too fast')
  })
  socket.on('error', (e: NodeJS.ErrnoException) =>
    ctx.log.warn({ code: e.code }, 'recording socket failed'),
  )
  socket.once('close', (code: number) => {
    over = true
    clearTimeout(late)
    clearTimeout(tooLong)
    clearInterval(alive)
    if (code === 1006 && !refused) incoming.counts.broken++
    void store()
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
