import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { createMp3Encoder } from 'wasm-media-encoders'
import { frameOf, infoFrame, type mp3File } from './mp3.ts'

/** Bit rate as on the platform. LAME lowers it to 64 at low sample rates, their maximum. */
const KBITS = 128
const CHUNK_BYTES = 4 * 16_384

// Encodes one file of 16-bit stereo in a thread of its own, so that requests need not wait.

// the encoder's type lists its sample rates; recordings at other rates are rejected when they arrive
const { from, to, rate }: Parameters<typeof mp3File>[0] & { rate: 8_000 } = workerData
const encoder = await createMp3Encoder()
encoder.configure({ channels: 2, sampleRate: rate, outputSampleRate: rate, bitrate: KBITS })

const source = openSync(from, 'r')
const target = openSync(to, 'w+', 0o600)
const buffer = Buffer.alloc(CHUNK_BYTES)
const left = new Float32Array(CHUNK_BYTES / 4)
const right = new Float32Array(CHUNK_BYTES / 4)
let samples = 0
/** The position of the first audio frame. Space for the info frame is left before it. */
let first = 0
let end = 0

function write(mp3: Uint8Array) {
  if (mp3.length === 0) return
  if (first === 0) {
    first = infoFrame(Buffer.from(mp3), { frames: 0, bytes: 0, samples: 0 }).length
    end = first
  }
  end += writeSync(target, mp3, 0, mp3.length, end)
}

while (true) {
  const read = readSync(source, buffer, 0, CHUNK_BYTES, samples * 4)
  // an incomplete last sample is dropped
  const count = read >> 2
  if (count === 0) break
  samples += count
  for (let i = 0; i < count; i++) {
    left[i] = buffer.readInt16LE(i * 4) / 32_768
    right[i] = buffer.readInt16LE(i * 4 + 2) / 32_768
  }
  write(encoder.encode([left.subarray(0, count), right.subarray(0, count)]))
}
write(encoder.finalize())

const header = Buffer.alloc(4)
let frames = 0
for (let at = first; at < end; at += frameOf(header).length) {
  readSync(target, header, 0, 4, at)
  frames++
}
const info = infoFrame(header, { frames, bytes: end - first, samples })
writeSync(target, info, 0, info.length, 0)
fsyncSync(target)
closeSync(target)
closeSync(source)
