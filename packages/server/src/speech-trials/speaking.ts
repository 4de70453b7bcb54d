import type { Use, VendorId } from '@switchroom/contract'
import type { Context } from '../context.ts'
import { conflict, Failure } from '../http/failure.ts'
import { reasonOf, within } from '../speech/asking.ts'
import type { Protocol, Recording, Sentence, Sound } from '../speech/protocol.ts'
import { protocolOf } from '../speech/protocols.ts'
import { pcmOf } from '../speech/wav.ts'
import { fallbackOf } from '../speech-catalogues/queries.ts'
import type { Row } from '../speech-credentials/queries.ts'
import { languageOf } from './choosing.ts'
import { at8kHz, toMp3 } from './mp3.ts'
import { type Config, openedRow } from './trial.ts'

const SPEAK_MS = 30_000
const RECOGNISE_MS = 40_000

type Reach = Pick<Context, 'box' | 'outbound' | 'log'>
type Opened = { vendor: VendorId; config: Config; protocol: Protocol }

const cannot = (message: string) => conflict('speech_credential_sid', message)

async function opened(ctx: Reach, row: Row, use: Use): Promise<Opened> {
  const { vendor, config } = openedRow(ctx, row)
  if (row[`use_for_${use}`] === 0)
    throw cannot(`This credential is not used for ${use === 'tts' ? 'speaking' : 'listening'}.`)
  if (!vendor) throw cannot(`Invalid vendor ${row.vendor}`)
  if (!config) throw cannot('The stored credential cannot be read: enter it again')
  return { vendor, config, protocol: await protocolOf(vendor) }
}

async function asked<T>(ctx: Reach, of: Opened, ms: number, work: Promise<T>): Promise<T> {
  try {
    return await within(ms, work)
  } catch (e) {
    throw new Failure('vendor_failed', reasonOf(ctx.log, of, e), { cause: e })
  }
}

/** Says a sentence. Throws 422 where the vendor cannot be asked to, 502 with its reason where it does not. */
export async function said(ctx: Reach, row: Row, sentence: Sentence): Promise<Sound> {
  const of = await opened(ctx, row, 'tts')
  const { speak } = of.protocol
  if (!speak) throw cannot(`${row.vendor} cannot be asked to speak from here.`)
  return asked(ctx, of, SPEAK_MS, speak(of.config, sentence, ctx.outbound))
}

/** What the vendor understands of a recording. Throws as `said` does. */
export async function understood(ctx: Reach, row: Row, recording: Recording): Promise<string> {
  const of = await opened(ctx, row, 'stt')
  const { recognise } = of.protocol
  if (!recognise) throw cannot(`${row.vendor} cannot be asked to listen from here.`)
  const language = recording.language || languageOf(await fallbackOf(of.vendor))
  const work = recognise(of.config, { ...recording, language }, ctx.outbound)
  return asked(ctx, of, RECOGNISE_MS, work)
}

/** Vendors whose sound the platform answers as it comes: samples, without a header. */
const RAW: readonly string[] = ['nuance', 'nvidia']

/** A vendor's sound as the platform answers it: an MP3, or raw samples at 8 kHz. */
export async function asOnPlatform(vendor: string, sound: Sound, asMp3: boolean) {
  const wav = sound.type === 'audio/wav' ? pcmOf(sound.bytes) : undefined
  if (!wav) return sound
  return RAW.includes(vendor) && !asMp3
    ? { type: 'application/octet-stream', bytes: at8kHz(wav) }
    : { type: 'audio/mpeg', bytes: await toMp3(wav) }
}
