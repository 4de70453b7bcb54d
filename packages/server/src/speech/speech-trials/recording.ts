import { plural, RECORDING_MAX_SECONDS, t } from '@switchroom/contract'
import { readWav } from '../../audio/wav.ts'
import { conflict } from '../../http/failure.ts'
import type { Recording } from '../protocol.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const isRate = (rate: number): rate is Recording['rate'] => rate === 8_000 || rate === 16_000

/** Decodes an uploaded base64 WAV. Throws 422 with the reason if it is not usable. */
export function recordingOf(base64: string): Omit<Recording, 'language'> {
  const invalidRecording = (message: string) => conflict('wav', message)
  if (!BASE64.test(base64)) throw invalidRecording(t('The recording is not base64'))
  const wav = readWav(Buffer.from(base64, 'base64'))
  if (!wav) throw invalidRecording(t('The recording is not a WAV file'))
  const { format, channels, bits, rate, data } = wav
  if (format !== 1) throw invalidRecording(t('The recording is compressed. Send linear PCM'))
  if (channels !== 1)
    throw invalidRecording(
      plural(
        channels,
        'The recording has 1 channel. Send one|The recording has {n} channels. Send one',
      ),
    )
  if (bits !== 16)
    throw invalidRecording(t('The recording has {bits} bits per sample. Send 16', { bits }))
  if (!isRate(rate))
    throw invalidRecording(
      t('The recording has {rate} samples per second. Send 8000 or 16000', { rate }),
    )
  const pcm = data.subarray(0, data.length & ~1)
  if (pcm.length === 0) throw invalidRecording(t('The recording is empty'))
  if (pcm.length > RECORDING_MAX_SECONDS * rate * 2)
    throw invalidRecording(
      t('The recording is longer than {seconds} seconds', { seconds: RECORDING_MAX_SECONDS }),
    )
  return { pcm, rate }
}
