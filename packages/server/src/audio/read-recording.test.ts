import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { mixed, noise, stereo, stereoMp3, stereoWav, voice } from '../../test/recordings.ts'
import { toMp3 } from './mp3.ts'
import { readRecording } from './read-recording.ts'
import { toWav } from './wav.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchroom-reading-'))
afterAll(() => rmSync(folder, { recursive: true }))

const QUIET = noise(0.002)
const spoken = [mixed(QUIET, voice(2, 4)), mixed(QUIET, voice(5, 8))] as const
const pcm = stereo(10, spoken)

const pieces = (bytes: Buffer, size = 10_000) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    ),
  )
const read = (bytes: Buffer, format: 'mp3' | 'wav', longest_s?: number) =>
  readRecording(
    folder,
    { bytes: pieces(bytes), format, signal: new AbortController().signal },
    longest_s,
  )
const near = (ms: number, by = 120) => expect.toSatisfy((n: number) => Math.abs(n - ms) <= by)
const TWO = [
  { side: 'caller', from: near(1_800), to: near(4_200) },
  { side: 'other', from: near(4_800), to: near(8_200) },
]

describe('a recording', () => {
  it.each([8_000, 16_000, 24_000, 44_100, 48_000])('as MP3 of %i Hz is read', async (rate) => {
    const recording = await read(await stereoMp3(stereo(10, spoken, rate), rate), 'mp3')
    expect(recording).toMatchObject({
      length_ms: near(10_000, 150),
      rate: rate < 16_000 ? 8_000 : 16_000,
      parts: TWO,
    })
    await recording.close()
  })

  it.each([8_000, 16_000, 48_000])('as WAV of %i Hz is read', async (rate) => {
    const recording = await read(stereoWav(stereo(10, spoken, rate), rate), 'wav')
    expect(recording).toMatchObject({ length_ms: 10_000, parts: TWO })
    await recording.close()
  })

  it('gives each side’s own sound', async () => {
    const recording = await read(stereoWav(pcm), 'wav')
    const loudness = (sound: Buffer) => {
      let sum = 0
      for (let i = 0; i < sound.length; i += 2) sum += Math.abs(sound.readInt16LE(i))
      return sum / (sound.length / 2)
    }
    const [caller] = recording.parts
    const heard = await recording.pcmOf(caller!)
    expect(heard.length).toBe((caller!.to - caller!.from) * 16)
    expect(loudness(heard)).toBeGreaterThan(1_000)
    expect(loudness(await recording.pcmOf({ ...caller!, side: 'other' }))).toBeLessThan(100)
    await recording.close()
  })

  it.each([0, 0xffffffff, 4_000_000_000])(
    'whose header was written before its end is read: length %i',
    async (length) => {
      const wav = stereoWav(pcm)
      wav.writeUInt32LE(length, 40)
      const recording = await read(wav, 'wav')
      expect(recording.length_ms).toBe(10_000)
      await recording.close()
    },
  )

  it('that was cut is read as far as it goes', async () => {
    const wav = await read(stereoWav(pcm).subarray(0, 44 + 6 * 32_000 + 3), 'wav')
    expect(wav).toMatchObject({ length_ms: 6_000, parts: [TWO[0], { side: 'other', to: 6_000 }] })
    const mp3 = await stereoMp3(pcm)
    const half = await read(mp3.subarray(0, mp3.length / 2), 'mp3')
    expect(half.length_ms).toEqual(near(5_000, 300))
    await Promise.all([wav.close(), half.close()])
  })

  it('with garbage in between is read', async () => {
    const mp3 = await stereoMp3(pcm)
    const garbage = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7_919) % 251))
    const middle = mp3.length >> 1
    const bytes = Buffer.concat([garbage, mp3.subarray(0, middle), garbage, mp3.subarray(middle)])
    const recording = await read(bytes, 'mp3')
    expect(recording.length_ms).toEqual(near(10_000, 500))
    await recording.close()
  })

  it('without a word has no parts', async () => {
    const recording = await read(stereoWav(stereo(5, [QUIET, () => 0])), 'wav')
    expect(recording.parts).toEqual([])
    await recording.close()
  })

  it('leaves no file, not even while it is read', async () => {
    const recording = await read(stereoWav(pcm), 'wav')
    expect(readdirSync(folder)).toEqual([])
    await recording.close()
  })

  const random = Buffer.from(
    Array.from({ length: 300_000 }, (_, i) => (Math.imul(i, 2654435761) >>> 16) & 255),
  )
  it.each([
    ['is empty', Buffer.alloc(0), 'mp3', 'unreadable'],
    ['is empty', Buffer.alloc(0), 'wav', 'unreadable'],
    ['has nothing but a header', stereoWav(Buffer.alloc(0)), 'wav', 'unreadable'],
    ['is garbage', random, 'mp3', 'unreadable'],
    ['is garbage', random, 'wav', 'unreadable'],
    ['is all ones', Buffer.alloc(200_000, 255), 'mp3', 'unreadable'],
    ['is something else', stereoWav(pcm), 'mp3', 'unreadable'],
    ['has one channel', toWav(pcm, 8_000), 'wav', 'channels'],
    ['has eight bits', stereoWav(pcm).fill(8, 34, 35), 'wav', 'unreadable'],
    ['is slow motion', stereoWav(pcm, 100), 'wav', 'unreadable'],
    [
      'never comes to its samples',
      Buffer.concat([stereoWav(pcm).subarray(0, 36), Buffer.alloc(100_000, 1)]),
      'wav',
      'unreadable',
    ],
  ] as const)('that %s is refused (%#)', async (_, bytes, format, why) => {
    await expect(read(bytes, format)).rejects.toMatchObject({ name: 'RecordingRefused', why })
  })

  it('of one channel as MP3 is refused', async () => {
    const mono = await toMp3({ pcm: Buffer.alloc(32_000), rate: 8_000 })
    await expect(read(mono, 'mp3')).rejects.toMatchObject({ why: 'channels' })
  })

  it('that is too long is refused as soon as that is known', async () => {
    for (const [bytes, format] of [
      [stereoWav(pcm), 'wav'],
      [await stereoMp3(pcm), 'mp3'],
    ] as const)
      await expect(read(bytes, format, 5)).rejects.toMatchObject({ why: 'too_long' })
  })

  it('is not waited for once nobody wants it', async () => {
    const stopping = new AbortController()
    const bytes = new Readable({ read() {} })
    bytes.push(stereoWav(pcm))
    const reading = readRecording(folder, { bytes, format: 'wav', signal: stopping.signal })
    const refused = expect(reading).rejects.toThrow()
    await expect.poll(() => bytes.readableLength).toBe(0)
    stopping.abort()
    await refused
    expect(bytes.destroyed).toBe(true)
  })

  it('fails as its stream does', async () => {
    const bytes = new Readable({ read() {} })
    bytes.push(stereoWav(pcm))
    const signal = new AbortController().signal
    const failed = expect(readRecording(folder, { bytes, format: 'wav', signal })).rejects.toThrow(
      'the bucket is gone',
    )
    await expect.poll(() => bytes.readableLength).toBe(0)
    bytes.destroy(new Error('the bucket is gone'))
    await failed
  })
})
