import { t, type Use, type VendorId } from '@switchroom/contract'
import { pcmOf } from '../../audio/wav.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure } from '../../http/failure.ts'
import {
  type Protocol,
  protocolOf,
  type Recording,
  type Sentence,
  type Sound,
  vendorId,
} from '../protocol.ts'
import { fallbackOf } from '../speech-catalogues/queries.ts'
import type { Row } from '../speech-credentials/queries.ts'
import { reasonOf, withTimeout } from '../with-timeout.ts'
import { type Config, defaultLanguage, openedRow, UNREADABLE } from './trial.ts'

const SPEAK_MS = 30_000
const RECOGNISE_MS = 40_000

type Dependencies = Pick<Context, 'box' | 'outbound' | 'log'>
type Service = { vendor: VendorId; config: Config; protocol: Protocol }

const refusal = (message: string) => conflict('speech_credential_sid', message)

async function serviceOf(ctx: Dependencies, row: Row, use: Use): Promise<Service> {
  const { vendor, config } = openedRow(ctx, row)
  if (row[`use_for_${use}`] === 0)
    throw refusal(
      use === 'tts'
        ? t('This credential is not enabled for text-to-speech.')
        : t('This credential is not enabled for speech-to-text.'),
    )
  if (!vendor) throw refusal(t('Invalid vendor {vendor}', { vendor: row.vendor }))
  if (!config) throw refusal(UNREADABLE)
  return { vendor, config, protocol: await protocolOf(vendor) }
}

/** Throws 502 with the vendor's reason, and on a timeout. */
async function callVendor<T>(
  ctx: Dependencies,
  service: Service,
  ms: number,
  work: Promise<T>,
): Promise<T> {
  try {
    return await withTimeout({ timeout_ms: ms }, () => work)
  } catch (e) {
    throw new Failure('vendor_failed', reasonOf(ctx.log, service, e), { cause: e })
  }
}

/** Synthesizes a sentence. Throws 422 if the credential cannot do it, 502 with the vendor's reason. */
export async function synthesizeWith(
  ctx: Dependencies,
  row: Row,
  sentence: Sentence,
): Promise<Sound> {
  const service = await serviceOf(ctx, row, 'tts')
  const { speak } = service.protocol
  if (!speak)
    throw refusal(t('{vendor} does not support text-to-speech tests.', { vendor: row.vendor }))
  return callVendor(ctx, service, SPEAK_MS, speak(service.config, sentence, ctx.outbound))
}

/** Recognizes a recording. Throws as `synthesizeWith` does. */
export async function recognizeWith(
  ctx: Dependencies,
  row: Row,
  recording: Recording,
): Promise<string> {
  const service = await serviceOf(ctx, row, 'stt')
  const { recognize } = service.protocol
  if (!recognize)
    throw refusal(t('{vendor} does not support speech-to-text tests.', { vendor: row.vendor }))
  const language = recording.language || defaultLanguage(await fallbackOf(service.vendor))
  const work = recognize(service.config, { ...recording, language }, ctx.outbound)
  return callVendor(ctx, service, RECOGNISE_MS, work)
}

/** A vendor's sound in the platform's format: an MP3, or raw samples at 8 kHz. */
export async function toPlatformSound(vendor: string, sound: Sound, asMp3: boolean) {
  const wav = sound.type === 'audio/wav' ? pcmOf(sound.bytes) : undefined
  if (!wav) return sound
  const id = vendorId(vendor)
  const { raw } = id ? await protocolOf(id) : {}
  // loaded on first use
  const { at8kHz, toMp3 } = await import('../../audio/mp3.ts')
  return raw && !asMp3
    ? { type: 'application/octet-stream', bytes: at8kHz(wav) }
    : { type: 'audio/mpeg', bytes: await toMp3(wav) }
}
