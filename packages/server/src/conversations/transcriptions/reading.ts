import { join } from 'node:path'
import { type Call, t } from '@switchroom/contract'
import {
  LARGEST_BYTES,
  LONGEST_S,
  type ReadRecording,
  RecordingRefused,
  type Refusal,
  readRecording,
} from '../../audio/read-recording.ts'
import { recordingOfCall } from '../../calls/recordings/locate.ts'
import { timeOf, transcriptPolicyOf } from '../../calls/words-kept.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure, found } from '../../http/failure.ts'
import { settingsOf } from '../transcript-settings/queries.ts'
import type { CallKey } from './queries.ts'

/** Time that a recording waits after an estimate for its transcription to be accepted, and how many may wait. */
const WAITS_MS = 120_000
const MOST_WAITING = 4

const keyOf = ({ account_sid, call_sid }: CallKey) => `${account_sid} ${call_sid}`

/** For people. */
export const REFUSALS: Record<Refusal, string> = {
  unreadable: t('The recording cannot be read: it is neither an MP3 nor a WAV of 16 bits'),
  empty: t('The recording is empty'),
  channels: t('The recording does not have each side of the call on a channel of its own'),
  too_long: t(
    'The recording is too long: at most {hours} hours or {megabytes} MB can be transcribed',
    {
      hours: LONGEST_S / 3_600,
      megabytes: LARGEST_BYTES / 1e6,
    },
  ),
  too_slow: t('Reading the recording takes too long'),
}

/** Throws 422 if the account keeps no words, or kept none at the time of the call. */
export async function refuseLeftOut({ db }: Pick<Context, 'db'>, account_sid: string, call: Call) {
  const { words } = await settingsOf(db, account_sid)
  if (words === 'leave_out')
    throw new Failure('conflict', t('This account does not keep the words of its calls'))
  if ((await transcriptPolicyOf(db, account_sid, timeOf(call))) === 'leave_out')
    throw new Failure('conflict', t('This account did not keep the words of this call'))
}

/** The recording of a call. Throws 404 without one. */
export const recordingFor = async (ctx: Context, call: Call) =>
  found(await recordingOfCall(ctx, call), t('recording'))
export type Found = Awaited<ReturnType<typeof recordingFor>>

/** Reads a recording, when it is its turn. Throws `RecordingRefused` if that cannot be done. */
export async function read(
  ctx: Context,
  { account_sid }: CallKey,
  { size, format, open }: Found,
  signal: AbortSignal,
): Promise<ReadRecording> {
  if (size > LARGEST_BYTES) throw new RecordingRefused('too_long')
  if (size === 0) throw new RecordingRefused('empty')
  return ctx.memory.decoding({ signedIn: account_sid }, async () => {
    signal.throwIfAborted()
    const bytes = await open({ from: 0, to: size - 1 })
    return readRecording(join(ctx.config.data, 'transcribing'), { bytes, format, signal })
  })
}

/** Reads a recording and keeps it for a while, for `takeRead`. Throws 422 if it cannot be read. */
export async function readAhead(ctx: Context, key: CallKey, found: Found): Promise<ReadRecording> {
  const waiting = ctx.memory.readRecordings
  const known = waiting.get(keyOf(key))
  if (known) return known.recording
  const recording = await read(ctx, key, found, new AbortController().signal).catch(
    (e: unknown) => {
      throw e instanceof RecordingRefused ? conflict('call_sid', REFUSALS[e.why], e) : e
    },
  )
  const forget = async () => {
    clearTimeout(timer)
    if (waiting.get(keyOf(key))?.recording !== recording) return
    waiting.delete(keyOf(key))
    await recording.close()
  }
  const timer = setTimeout(() => void forget(), WAITS_MS).unref()
  await waiting.get(keyOf(key))?.forget()
  for (const { forget } of [...waiting.values()].slice(0, -MOST_WAITING + 1)) await forget()
  waiting.set(keyOf(key), { recording, forget })
  return recording
}

/** A recording that was read ahead, which the caller closes; undefined without one. */
export function takeRead(ctx: Context, key: CallKey): ReadRecording | undefined {
  const waiting = ctx.memory.readRecordings
  const taken = waiting.get(keyOf(key))?.recording
  waiting.delete(keyOf(key))
  return taken
}
