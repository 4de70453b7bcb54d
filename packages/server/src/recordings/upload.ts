import { randomUUID } from 'node:crypto'
import type { WriteStream } from 'node:fs'
import { Sid } from '@switchroom/contract'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import * as accounts from '../accounts/queries.ts'
import type { Context } from '../context.ts'
import type { Job } from '../stores/recordings/spool.ts'
import type { Delivery } from './delivery.ts'

/** What an MP3 can have; the platform's media servers send 8000. */
const RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
/** The platform's longest call. */
const LONGEST_SECONDS = 43_200
/** What a WAV can hold. */
const MOST_BYTES = 4_000_000_000
const ALIVE_EVERY_MS = 30_000
/** Sound that came before it was clear where to put it. */
const EARLY_BYTES = 4_000_000

const Said = z
  .union([z.string(), z.number(), z.boolean()])
  .transform((value) => String(value).slice(0, 256))
  .nullish()
  .catch(undefined)

/** The platform's first message. What else it says is left aside. */
const Start = z.object({
  accountSid: Sid,
  callSid: Sid,
  sampleRate: z.coerce.number().refine((rate) => RATES.includes(rate)),
  direction: Said,
  from: Said,
  to: Said,
  callId: Said,
  applicationSid: Said,
  originatingSipIp: Said,
  originatingSipTrunkName: Said,
})

/** `ws` closes with these. */
const POLICY = 1008
const TROUBLE = 1011
const LATER = 1013

/** How long a socket may say nothing of what it brings; a test waits less. */
export const TIMES = { start_ms: 10_000 }

/** Takes in one recording. The socket is open and its first message yet to come. */
export function receive(
  ctx: Pick<Context, 'db' | 'box' | 'stores' | 'log'>,
  socket: WebSocket,
  delivery: Pick<Delivery, 'push'>,
) {
  const { incoming } = ctx.stores
  let job: Job | undefined
  let sound: WriteStream | undefined
  let early: Buffer[] | undefined
  let bytes = 0
  let refused = false
  let over = false
  let isAlive = true

  /** Before there is any sound of it. */
  const refuse = (why: string, code = POLICY) => {
    if (refused) return
    refused = true
    incoming.counts.refused++
    ctx.log.warn({ why }, 'a recording is refused')
    socket.close(code, why)
  }

  const trouble = (err: Error) => ctx.log.error({ err }, 'a recording is left where it came in')
  const late = setTimeout(() => refuse('Nothing was said of the call'), TIMES.start_ms)
  const tooLong = setTimeout(() => socket.close(POLICY, 'Too long'), LONGEST_SECONDS * 1_000)
  // a half-open connection says nothing for ever; a call on hold may be silent, but answers
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
    if (bytes > Math.min(MOST_BYTES, job.rate * 4 * LONGEST_SECONDS))
      return socket.close(POLICY, 'Too long')
    if (incoming.isFull) return socket.close(LATER, 'Too much is waiting to be stored')
    // one that is closing must be read to its end
    if (!sound.write(data) && socket.readyState === socket.OPEN) socket.pause()
  }

  async function begin(text: string) {
    early = []
    const start = Start.safeParse(jsonOf(text))
    if (!start.success) return refuse('What was said of the call cannot be read')
    const { accountSid: account_sid, callSid: call_sid, sampleRate: rate } = start.data
    const account = await accounts.recordingOf(ctx, account_sid)
    if (!account) return refuse('No such account')
    // all of a short one may be here by now
    if (over && early.length === 0) return
    const metadata = Object.fromEntries(
      Object.entries(start.data).flatMap(([k, v]) => (v ? [[k, String(v)]] : [])),
    )
    const { format } = account
    const begun = Date.now()
    const next: Job = { id: randomUUID(), account_sid, call_sid, begun, rate, format, metadata }
    // both at once: the socket may close meanwhile
    sound = await incoming.begin(next)
    job = next
    sound.on('drain', () => socket.resume())
    sound.once('error', (err) => {
      ctx.log.error({ err }, 'the sound of a recording cannot be written')
      socket.close(TROUBLE, 'It cannot be written')
      end()
    })
    const came = early
    early = undefined
    came.forEach(write)
    if (over) end()
  }

  /** What has come is a recording, whether the socket was closed or broke: it is worth hearing either way. */
  function end() {
    const [ended, stream] = [job, sound]
    job = undefined
    if (!ended || !stream) return
    const push = () => void delivery.push(ended).catch(trouble)
    if (stream.destroyed) return push()
    stream.end(push)
  }

  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', (data: Buffer, isBinary) => {
    isAlive = true
    if (refused) return
    if (!isBinary) {
      // what a media server says later is not about the sound
      if (job || early) return
      clearTimeout(late)
      socket.pause()
      begin(data.toString())
        .catch((err: Error) => {
          ctx.log.error({ err }, 'a recording cannot be begun')
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
  socket.on('error', (e: NodeJS.ErrnoException) => ctx.log.warn({ code: e.code }, 'recording'))
  socket.once('close', (code: number) => {
    over = true
    clearTimeout(late)
    clearTimeout(tooLong)
    clearInterval(alive)
    if (code === 1006 && !refused) incoming.counts.broken++
    end()
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
