import { expect, it } from 'vitest'
import { toWav } from '../speech/wav.ts'
import { at8kHz, toMp3 } from './mp3.ts'
import { sample } from './sample.ts'
import { asOnPlatform } from './speaking.ts'

const tone = (rate: number, seconds: number) => {
  const pcm = Buffer.alloc(rate * seconds * 2)
  for (let i = 0; i < pcm.length / 2; i++)
    pcm.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * i) / rate)), i * 2)
  return pcm
}
/** How many times the sound crosses nothing, upwards: its pitch. */
const pitch = (pcm: Buffer) => {
  let crossings = 0
  for (let i = 2; i < pcm.length; i += 2)
    if (pcm.readInt16LE(i - 2) < 0 && pcm.readInt16LE(i) >= 0) crossings++
  return crossings
}

it.each([8_000, 16_000, 22_050, 24_000, 48_000])(
  'makes an MP3 of 8 kHz out of %i Hz',
  async (rate) => {
    const mp3 = await toMp3({ pcm: tone(rate, 2), rate })
    // MPEG 2.5, layer III, 8 kHz, mono
    expect([mp3[0], mp3[1]! & 0xfe]).toEqual([0xff, 0xe2])
    expect((mp3[2]! >> 2) & 3).toBe(2)
    expect(mp3[3]! >> 6).toBe(3)
    // 32 kbit/s for two seconds
    expect(mp3.length).toBeGreaterThan(7_500)
    expect(mp3.length).toBeLessThan(10_500)
  },
)

it.each([8_000, 16_000, 22_050, 24_000, 44_100])('brings %i Hz to 8 kHz', (rate) => {
  const pcm = at8kHz({ pcm: tone(rate, 1), rate })
  expect(Math.abs(pcm.length - 16_000)).toBeLessThanOrEqual(2)
  expect(Math.abs(pitch(pcm) - 440)).toBeLessThanOrEqual(1)
})

it('answers samples for the vendors of which the platform does, or an MP3', async () => {
  const pcm = tone(16_000, 1)
  const wav = { type: 'audio/wav' as const, bytes: toWav(pcm, 16_000) }
  for (const vendor of ['nuance', 'nvidia']) {
    expect(await asOnPlatform(vendor, wav, false)).toEqual({
      type: 'application/octet-stream',
      bytes: at8kHz({ pcm, rate: 16_000 }),
    })
    expect(await asOnPlatform(vendor, wav, true)).toMatchObject({ type: 'audio/mpeg' })
  }
  expect(await asOnPlatform('other', wav, false)).toMatchObject({ type: 'audio/mpeg' })
  const ogg = { type: 'audio/ogg' as const, bytes: Buffer.from('OggS') }
  expect(await asOnPlatform('other', ogg, true)).toEqual(ogg)
})

it('has a sample of 1.8 seconds that is no silence', () => {
  expect(sample.length).toBe(1.8 * 8_000 * 2)
  expect(pitch(sample)).toBeGreaterThan(400)
})
