import { type Call, t } from '@switchroom/contract'
import { type ReadRecording, RecordingRefused } from '../../audio/read-recording.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { every } from '../../live/every.ts'
import { keepError, keepParts, Lost, leave, NotKept, tell, tellDone } from './keep.ts'
import { speechIn } from './plan.ts'
import * as transcriptions from './queries.ts'
import { type Found, REFUSALS, read, takeRead } from './reading.ts'
import { recognizeParts } from './recognize.ts'
import { findByWords } from './searched.ts'
import type { Service } from './services.ts'

const BEAT_MS = 5_000

export type Source = { call: Call; service: Service; recording: Found }

/** Callbacks of the automatic transcription. */
export type Watch = {
  /** Resolves to true if this much more speech may be sent, in milliseconds. */
  mayTake: (ms: number) => Promise<boolean>
  /** Called at the end with the milliseconds sent and taken, and whether it failed. */
  ended: (sent_ms: number, taken_ms: number, isFailed: boolean) => Promise<void>
}

/** Transcribes a recording in the background. Its row is stored already, as running. */
export function transcribe(
  ctx: Context,
  work: transcriptions.NewWork,
  source: Source,
  watch?: Watch,
): Promise<void> {
  const { transcriptions: here } = ctx.memory
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const { account_sid, call_sid } = work
  const log = ctx.log.child({ account_sid, call_sid })
  const beat = every(BEAT_MS, () => tell(ctx.db, work), {
    onError(err) {
      if (err instanceof Lost) stop()
      else log.error({ err }, 'a transcription cannot be kept')
    },
  })
  const done = transcribed(ctx, work, source, stopping.signal, watch)
    .catch(async (err: unknown) => {
      if (err instanceof Lost) return
      if (err instanceof NotKept) return transcriptions.forget(ctx.db, work)
      if (stopping.signal.aborted) return leave(ctx.db, work)
      log.error({ err }, 'a transcription has failed')
      await tell(ctx.db, work, failed(t('Internal server error')))
    })
    .catch((err: unknown) => void log.error({ err }, 'a transcription cannot be kept'))
    .then(() => findByWords(ctx, { account_sid, call_sid }, source.call))
    .then(() => beat.stop())
    .finally(() => here.delete(work.work_sid))
  here.set(work.work_sid, { stop, done })
  return done
}

const failed = (message: string) => ({
  state: 'failed' as const,
  message,
  ended_at: new Date().toISOString(),
})

async function transcribed(
  ctx: Context,
  work: transcriptions.NewWork,
  { service, recording }: Source,
  signal: AbortSignal,
  watch?: Watch,
) {
  let decoded: ReadRecording
  try {
    decoded = takeRead(ctx, work) ?? (await read(ctx, work, recording, signal))
  } catch (e) {
    const message = messageOf(e)
    if (message === undefined || signal.aborted) throw e
    return tell(ctx.db, work, failed(message))
  }
  try {
    await recognized(ctx, work, service, decoded, signal, watch)
  } finally {
    await decoded.close()
  }
}

/** Message for the user about a recording that cannot be read. */
function messageOf(e: unknown) {
  if (e instanceof RecordingRefused) return REFUSALS[e.why]
  if (e instanceof Failure || (e instanceof Error && e.name === 'StoreUnavailable'))
    return e.message
  return undefined
}

async function recognized(
  ctx: Context,
  work: transcriptions.NewWork,
  { credential, language }: Service,
  recording: ReadRecording,
  signal: AbortSignal,
  watch?: Watch,
) {
  const rows = await keepParts(ctx.db, work, recording.parts)
  const missing = recording.parts.flatMap((part, number) =>
    rows[number]!.text === null ? [{ ...part, number }] : [],
  )
  const taken = speechIn({ parts: missing })
  if (watch && !(await watch.mayTake(taken)))
    return leaveOut(ctx, work, missing.length < rows.length)
  const outcome = { sent_ms: 0, isFailed: false }
  try {
    const { reason, count } = await recognizeParts(
      ctx,
      work,
      { credential, language, recording, parts: missing, signal },
      (ms) => {
        outcome.sent_ms += ms
      },
    )
    if (reason !== undefined) await keepError(ctx.db, work, undefined, reason)
    outcome.isFailed = reason !== undefined && count === 0
    const isNothing = outcome.isFailed && count + rows.length - missing.length === 0
    if (isNothing) await tell(ctx.db, work, failed(reason!))
    else await tellDone(ctx.db, work)
  } finally {
    await watch?.ended(outcome.sent_ms, taken, outcome.isFailed)
  }
}

/** Gives up a recording that does not fit into the day's budget, except for text of an earlier try. */
async function leaveOut({ db }: Context, work: transcriptions.NewWork, isBegun: boolean) {
  if (!isBegun) return transcriptions.forget(db, work)
  await keepError(db, work, undefined, t('The minutes for this day were used up'))
  await tellDone(db, work)
}
