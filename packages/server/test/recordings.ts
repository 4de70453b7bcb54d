import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mp3File } from '../src/audio/mp3.ts'
import { wavHeader } from '../src/audio/wav.ts'

/** This many bytes, all different and always the same. */
export const arbitraryBytes = (size: number) =>
  createHash('shake256', { outputLength: size }).update('sound').digest()

/** A sound by its second, as a sample from -1 to 1. */
export type Sound = (second: number) => number

/** A sequence without chance in it, from -1 to 1. */
const noiseAt = (i: number) => (Math.imul(i ^ (i >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 31 - 1
export const noise =
  (loudness: number): Sound =>
  (s) =>
    loudness * noiseAt(Math.round(s * 48_000) + 1)

/** Something like a voice: a tone that swells four times a second. */
export const voice =
  (from: number, to: number, loudness = 0.3): Sound =>
  (s) =>
    s >= from && s < to
      ? loudness * Math.sin(2 * Math.PI * 300 * s) * (0.55 + 0.45 * Math.sin(8 * Math.PI * s))
      : 0

export const tone =
  (hertz: number, from: number, to: number, loudness = 0.3): Sound =>
  (s) =>
    s >= from && s < to ? loudness * Math.sin(2 * Math.PI * hertz * s) : 0

export const mixed =
  (...sounds: Sound[]): Sound =>
  (s) =>
    sounds.reduce((sum, sound) => sum + sound(s), 0)

/** 16-bit stereo: the caller on the left. */
export function stereo(seconds: number, [left, right]: readonly [Sound, Sound], rate = 8_000) {
  const pcm = Buffer.alloc(Math.round(seconds * rate) * 4)
  const sample = (sound: Sound, i: number) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sound(i / rate) * 32_767)))
  for (let i = 0; i < pcm.length / 4; i++) {
    pcm.writeInt16LE(sample(left, i), i * 4)
    pcm.writeInt16LE(sample(right, i), i * 4 + 2)
  }
  return pcm
}

export const stereoWav = (pcm: Buffer, rate = 8_000) =>
  Buffer.concat([wavHeader({ length: pcm.length, rate, channels: 2 }), pcm])

/** Encodes PCM as the server itself encodes recordings. */
export async function stereoMp3(pcm: Buffer, rate = 8_000) {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-recording-'))
  const [from, to] = [join(folder, 'pcm'), join(folder, 'mp3')]
  writeFileSync(from, pcm)
  await mp3File({ from, to, rate })
  const mp3 = readFileSync(to)
  rmSync(folder, { recursive: true })
  return mp3
}
