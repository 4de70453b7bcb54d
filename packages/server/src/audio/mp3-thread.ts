import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { createMp3Encoder } from 'wasm-media-encoders'
import { frameOf, infoFrame, type mp3File } from './mp3.ts'

/** As the platform's own; LAME takes the most that a low rate has, which is 64. */
const KBITS = 128
const BYTES_AT_ONCE = 4 * 16_384

/** One file of 16-bit stereo to MP3, apart from whoever answers requests. */
// what is uploaded at another rate than the encoder's is refused
const { from, to, rate }: Parameters<typeof mp3File>[0] & { rate: 8_000 } = workerData
const encoder = await createMp3Encoder()
encoder.configure({ channels: 2, sampleRate: rate, outputSampleRate: rate, bitrate: KBITS })

const source = openSync(from, 'r')
const target = openSync(to, 'w+', 0o600)
const buffer = Buffer.alloc(BYTES_AT_ONCE)
const left = new Float32Array(BYTES_AT_ONCE / 4)
const right = new Float32Array(BYTES_AT_ONCE / 4)
let samples = 0
/** Where the first frame of sound is: room is left for one before it. */
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
  const read = readSync(source, buffer, 0, BYTES_AT_ONCE, samples * 4)
  // what is less than both channels' next sample is the end
  const n = read >> 2
  if (n === 0) break
  samples += n
  for (let i = 0; i < n; i++) {
    left[i] = buffer.readInt16LE(i * 4) / 32_768
    right[i] = buffer.readInt16LE(i * 4 + 2) / 32_768
  }
  write(encoder.encode([left.subarray(0, n), right.subarray(0, n)]))
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
