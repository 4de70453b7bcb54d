import { setTimeout as pause } from 'node:timers/promises'
import type { Part, ReadRecording } from '../../audio/read-recording.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { Refused } from '../../speech/protocol.ts'
import type { Row } from '../../speech/speech-credentials/queries.ts'
import { recognizeWith } from '../../speech/speech-trials/run-vendor.ts'
import { keepError, keepText } from './keep.ts'
import type { Work } from './queries.ts'

/** Requests of a transcription to the service at once. */
const AT_ONCE = 3
const RETRY_MS = 1_000
/** So many failures in a row, and the service is not asked any more. */
const MOST_FAILURES = 5

type Wanted = {
  credential: Row
  language: string
  recording: ReadRecording
  parts: readonly (Part & { number: number })[]
  signal: AbortSignal
}

/** Statuses after which the next request fails as well: the key, the credit or the permission is missing. */
const HOPELESS = [401, 402, 403]

/** Whether a vendor's failure may pass: no response, too many requests, or its own trouble. */
const mayPass = (e: unknown) => {
  const { status } = (e instanceof Failure && e.cause instanceof Refused && e.cause) || {}
  return status === undefined || [408, 425, 429].includes(status) || status >= 500
}

const isHopeless = (e: unknown) =>
  !(e instanceof Failure && e.code === 'vendor_failed') ||
  (e.cause instanceof Refused && HOPELESS.includes(e.cause.status ?? 0))

/**
 * Has parts of a recording recognized, and stores what was heard as it comes. Resolves to how many were, and to the reason if
 * a part was not. Calls `sent` with the milliseconds of each request.
 */
export async function recognizeParts(
  ctx: Context,
  work: Work,
  { credential, language, recording, parts, signal }: Wanted,
  sent: (ms: number) => void,
): Promise<{ count: number; reason: string | undefined }> {
  let count = 0
  let reason: string | undefined
  let failures = 0
  let isOver = false
  const waiting = [...parts]
  const stopped = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  )
  stopped.catch(() => undefined)

  async function textOf(part: Part): Promise<string> {
    const pcm = await recording.pcmOf(part)
    const ask = () => {
      signal.throwIfAborted()
      sent(part.to - part.from)
      const asked = recognizeWith(ctx, credential, { pcm, rate: recording.rate, language })
      // a vendor that does not answer keeps nobody waiting
      return Promise.race([asked, stopped])
    }
    try {
      return await ask()
    } catch (e) {
      if (isHopeless(e) || !mayPass(e) || isOver) throw e
      await pause(RETRY_MS, undefined, { signal })
      return ask()
    }
  }

  async function recognizeOne(part: Wanted['parts'][number]) {
    let text: string
    try {
      text = await textOf(part)
    } catch (e) {
      if (signal.aborted || !(e instanceof Failure)) throw e
      reason ??= e.message
      failures += 1
      isOver ||= isHopeless(e) || failures >= MOST_FAILURES
      return keepError(ctx.db, work, part.number, e.message)
    }
    await keepText(ctx.db, work, part.number, text)
    failures = 0
    count += 1
  }

  async function lane() {
    for (let part = waiting.shift(); part && !isOver; part = waiting.shift()) {
      signal.throwIfAborted()
      await recognizeOne(part).catch((e: unknown) => {
        isOver = true
        throw e
      })
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane))
  for (const one of lanes) if (one.status === 'rejected') throw one.reason
  return { count, reason }
}
