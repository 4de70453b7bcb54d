import { expect, it } from 'vitest'
import { pitch, tone } from '../../../test/audio.ts'
import { at8kHz } from '../../audio/mp3.ts'
import { toWav } from '../../audio/wav.ts'
import { toPlatformSound } from './run-vendor.ts'
import { sample } from './trial.ts'

it('returns samples for the same vendors as the platform, or an MP3', async () => {
  const pcm = tone(16_000, 1)
  const wav = { type: 'audio/wav' as const, bytes: toWav(pcm, 16_000) }
  for (const vendor of ['nuance', 'nvidia']) {
    expect(await toPlatformSound(vendor, wav, false)).toEqual({
      type: 'application/octet-stream',
      bytes: at8kHz({ pcm, rate: 16_000 }),
    })
    expect(await toPlatformSound(vendor, wav, true)).toMatchObject({ type: 'audio/mpeg' })
  }
  expect(await toPlatformSound('other', wav, false)).toMatchObject({ type: 'audio/mpeg' })
  const ogg = { type: 'audio/ogg' as const, bytes: Buffer.from('OggS') }
  expect(await toPlatformSound('other', ogg, true)).toEqual(ogg)
})

it('has a sample of 1.8 seconds that is not silent', () => {
  expect(sample.length).toBe(1.8 * 8_000 * 2)
  expect(pitch(sample)).toBeGreaterThan(400)
})
