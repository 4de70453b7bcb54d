import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { createMp3Encoder } from 'wasm-media-encoders'

/** As the platform's own; LAME takes the most that a low rate has, which is 64. */
const KBITS = 128
const BYTES_AT_ONCE = 4 * 16_384

/** One file of 16-bit stereo to MP3, apart from whoever answers requests. */
const { from, to, rate } = workerData as { from: string; to: string; rate: 8_000 }
const encoder = await createMp3Encoder()
encoder.configure({ channels: 2, sampleRate: rate, outputSampleRate: rate, bitrate: KBITS })

const source = openSync(from, 'r')
const target = openSync(to, 'w', 0o600)
const buffer = Buffer.alloc(BYTES_AT_ONCE)
const left = new Float32Array(BYTES_AT_ONCE / 4)
const right = new Float32Array(BYTES_AT_ONCE / 4)
for (let at = 0; ; ) {
  const read = readSync(source, buffer, 0, BYTES_AT_ONCE, at)
  // what is less than both channels' next sample is the end
  const samples = read >> 2
  if (samples === 0) break
  at += samples * 4
  for (let i = 0; i < samples; i++) {
    left[i] = buffer.readInt16LE(i * 4) / 32_768
    right[i] = buffer.readInt16LE(i * 4 + 2) / 32_768
  }
  writeSync(target, encoder.encode([left.subarray(0, samples), right.subarray(0, samples)]))
}
writeSync(target, encoder.finalize())
fsyncSync(target)
closeSync(target)
closeSync(source)
