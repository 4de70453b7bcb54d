import { describe, expect, it } from 'vitest'
import { mixed, noise, type Sound, tone, voice } from '../../test/recordings.ts'
import { stepsOf } from '../../test/steps.ts'
import { sideOf } from './side.ts'
import { stretchesIn } from './stretches.ts'

const QUIET = noise(0.003)

function stretches(seconds: number, sound: Sound, rate = 8_000) {
  const side = sideOf(rate, 8_000, () => {})
  side.add(Float32Array.from({ length: seconds * rate }, (_, i) => sound(i / rate)))
  return stretchesIn(side.end())
}

/** Both ends within a tenth of a second. */
const about = (from: number, to: number) => ({
  from: expect.toSatisfy((ms: number) => Math.abs(ms - from * 1_000) <= 100),
  to: expect.toSatisfy((ms: number) => Math.abs(ms - to * 1_000) <= 100),
})

describe('stretches of speech', () => {
  it('are where a voice rises above noise, with a margin', () => {
    expect(stretches(12, mixed(QUIET, voice(2, 4), voice(7, 8.5)))).toEqual([
      about(1.8, 4.2),
      about(6.8, 8.7),
    ])
  })

  it.each([0.001, 0.01, 0.03])('are found in noise of %d', (loudness) => {
    expect(stretches(12, mixed(noise(loudness), voice(4, 6)))).toEqual([about(3.8, 6.2)])
  })

  it('are found where noise begins in between', () => {
    const later: Sound = (s) => (s < 10 ? 0 : noise(0.02)(s))
    expect(stretches(30, mixed(later, voice(3, 5), voice(20, 22)))).toEqual(
      expect.arrayContaining([about(2.8, 5.2), about(19.8, 22.2)]),
    )
  })

  it('are joined over a pause of half a second', () => {
    expect(stretches(8, mixed(QUIET, voice(2, 3), voice(3.4, 4)))).toEqual([about(1.8, 4.2)])
    expect(stretches(8, mixed(QUIET, voice(2, 3), voice(4, 5)))).toHaveLength(2)
  })

  it('do not reach over the ends, nor into each other', () => {
    const found = stretches(5, mixed(QUIET, voice(0, 1), voice(1.6, 2.6), voice(3.2, 5)))
    expect(found[0]!.from).toBe(0)
    expect(found.at(-1)!.to).toBe(5_000)
    for (const [i, { from, to }] of found.entries()) {
      expect(to).toBeGreaterThan(from)
      if (i > 0) expect(from).toBeGreaterThanOrEqual(found[i - 1]!.to)
    }
  })

  it.each<[string, Sound]>([
    ['silence', () => 0],
    ['noise', noise(0.05)],
    ['hum', mixed(QUIET, tone(50, 0, 60, 0.2))],
    ['a constant voltage', mixed(QUIET, () => 0.2)],
    ['a steady tone', tone(440, 0, 60, 0.02)],
    ['keys', mixed(QUIET, tone(697, 3, 3.1), tone(1_209, 3, 3.1), tone(770, 9, 9.1))],
    ['a click', mixed(QUIET, (s) => (s > 5 && s < 5.02 ? 1 : 0))],
  ])('are none in %s', (_, sound) => {
    expect(stretches(20, sound)).toEqual([])
  })

  it('are found beside hum and a constant voltage', () => {
    const sound = mixed(QUIET, tone(50, 0, 60, 0.1), () => 0.1, voice(4, 6))
    expect(stretches(12, sound)).toEqual([about(3.8, 6.2)])
  })

  it('are found where they are clipped', () => {
    const loud: Sound = (s) => Math.max(-1, Math.min(1, 20 * voice(2, 14)(s)))
    expect(stretches(20, loud)).toEqual([about(1.8, 14.2)])
  })

  it('are taken to be in music', () => {
    const music = mixed(voice(0, 20, 0.1), tone(220, 0, 20, 0.02))
    expect(stretches(20, music).length).toBeGreaterThan(0)
  })

  it('are cut where it is quietest, without gaps or splinters', () => {
    // a breath every ten seconds
    const breath: Sound = (s) => (s % 10 > 9.8 ? 0 : voice(0, 60)(s))
    const found = stretches(60, mixed(QUIET, breath))
    for (const { from, to } of found) {
      expect(to - from).toBeLessThanOrEqual(25_000)
      expect(to - from).toBeGreaterThanOrEqual(200)
    }
    expect(found.length).toBeGreaterThan(2)
    expect(found[0]!.from).toBe(0)
    for (const [i, { from }] of found.entries()) {
      if (i === 0) continue
      expect(from).toBe(found[i - 1]!.to)
      expect(from % 10_000).toBeGreaterThanOrEqual(9_800)
    }
  })

  it('are the same each time, whatever pieces the recording comes in', () => {
    const sound = mixed(QUIET, voice(1, 3), voice(4, 40))
    const samples = Float32Array.from({ length: 50 * 8_000 }, (_, i) => sound(i / 8_000))
    const side = sideOf(8_000, 8_000, () => {})
    for (let i = 0; i < samples.length; i += 777) side.add(samples.subarray(i, i + 777))
    expect(stretchesIn(side.end())).toEqual(stretches(50, sound))
  })

  it('are found in steps that grow with the length', async () => {
    const levels = (minutes: number, level: (i: number) => number) =>
      Float32Array.from({ length: minutes * 60 * 50 }, (_, i) => level(i))
    const module = new URL('stretches.ts', import.meta.url)
    for (const level of [
      (i: number) => (i % 150 < 100 ? 3_000 : 10),
      // noise that only rises, or only falls
      (i: number) => i,
      (i: number) => 20_000 - i,
    ]) {
      const [short, long] = await stepsOf(module, 'stretchesIn', [
        [levels(3, level)],
        [levels(6, level)],
      ])
      expect(long! / short!).toBeLessThan(2.2)
      // some for each level, not one for each of the noise around it
      expect(short! / (3 * 60 * 50)).toBeLessThan(30)
    }
    expect(stretchesIn(levels(60, (i) => (i % 150 < 100 ? 3_000 : 10)))).toHaveLength(1_200)
  })
})

it.each([11_025, 16_000, 22_050, 44_100, 48_000])('resamples %i Hz', (rate) => {
  const chunks: Buffer[] = []
  const side = sideOf(rate, 8_000, (pcm) => void chunks.push(Buffer.from(pcm)))
  side.add(Float32Array.from({ length: rate }, (_, i) => tone(440, 0, 1)(i / rate)))
  side.end()
  const pcm = Buffer.concat(chunks)
  expect(Math.abs(pcm.length / 2 - 8_000)).toBeLessThanOrEqual(1)
  let crossings = 0
  for (let i = 2; i < pcm.length; i += 2)
    if (pcm.readInt16LE(i - 2) < 0 && pcm.readInt16LE(i) >= 0) crossings++
  expect(Math.abs(crossings - 440)).toBeLessThanOrEqual(1)
})
