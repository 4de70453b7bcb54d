import { expect, it } from 'vitest'
import { base64Of, mixToMono, wavOf } from './wav'

const writeAndRead = (samples: number[], rate: number) => {
  const bytes = wavOf(new Float32Array(samples), rate)
  const view = new DataView(bytes.buffer)
  const text = (at: number, end: number) => new TextDecoder().decode(bytes.subarray(at, end))
  const samplesOf = samples.map((_, i) => view.getInt16(44 + i * 2, true))
  return { length: bytes.length, view, text, samplesOf }
}

it('writes a valid WAV header', () => {
  const wav = writeAndRead([0, 1, -1, 0.5], 16_000)
  expect(wav.length).toBe(44 + 8)
  expect(wav.text(0, 4)).toBe('RIFF')
  expect(wav.view.getUint32(4, true)).toBe(44)
  expect(wav.text(8, 16)).toBe('WAVEfmt ')
  expect(wav.view.getUint32(16, true)).toBe(16)
  const [pcm, channels] = [wav.view.getUint16(20, true), wav.view.getUint16(22, true)]
  expect({ pcm, channels }).toEqual({ pcm: 1, channels: 1 })
  const [rate, bytesPerSecond] = [wav.view.getUint32(24, true), wav.view.getUint32(28, true)]
  expect({ rate, bytesPerSecond }).toEqual({ rate: 16_000, bytesPerSecond: 32_000 })
  const [block, bits] = [wav.view.getUint16(32, true), wav.view.getUint16(34, true)]
  expect({ block, bits }).toEqual({ block: 2, bits: 16 })
  expect(wav.text(36, 40)).toBe('data')
  expect(wav.view.getUint32(40, true)).toBe(8)
  expect(wav.samplesOf).toEqual([0, 32767, -32768, 16384])
})

it('clips samples that are too loud without overflow', () => {
  expect(writeAndRead([1.5, -7], 8_000).samplesOf).toEqual([32767, -32768])
})

it('averages channels', () => {
  const both = mixToMono([new Float32Array([1, 0, -1]), new Float32Array([0, 0, -1])])
  expect([...both]).toEqual([0.5, 0, -1])
  expect([...mixToMono([new Float32Array([0.25])])]).toEqual([0.25])
  expect(mixToMono([]).length).toBe(0)
})

it('encodes base64 without loss, for long recordings as well', () => {
  for (const length of [0, 1, 2, 3, 100_001]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) % 256)
    // as one text: `toEqual` looks at each byte, which takes seconds
    const sent = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
    expect(atob(base64Of(bytes)) === sent, `${length} bytes`).toBe(true)
  }
})
