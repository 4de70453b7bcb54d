import { expect, it } from 'vitest'
import { pitch, tone } from '../../test/audio.ts'
import { at8kHz, toMp3 } from './mp3.ts'

it.each([8_000, 16_000, 22_050, 24_000, 48_000])(
  'encodes %i Hz as an MP3 of 8 kHz',
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

it.each([8_000, 16_000, 22_050, 24_000, 44_100])('resamples %i Hz to 8 kHz', (rate) => {
  const pcm = at8kHz({ pcm: tone(rate, 1), rate })
  expect(Math.abs(pcm.length - 16_000)).toBeLessThanOrEqual(2)
  expect(Math.abs(pitch(pcm) - 440)).toBeLessThanOrEqual(1)
})
