import { Worker } from 'node:worker_threads'

const RATE = 8_000
const KBITS = 32
/** Encoded piece by piece, to keep memory low. */
const CHUNK_SAMPLES = 8_000

type Pcm = { pcm: Buffer; rate: number }

/** Encodes 16-bit mono as an MP3 at 8 kHz, as the platform's clients expect. */
export async function toMp3({ pcm, rate }: Pcm): Promise<Buffer> {
  // loaded on first use, because it includes LAME
  const { createMp3Encoder } = await import('wasm-media-encoders')
  const encoder = await createMp3Encoder()
  encoder.configure({ channels: 1, sampleRate: rate, outputSampleRate: RATE, bitrate: KBITS })
  const parts: Buffer[] = []
  for (let at = 0; at < pcm.length; at += CHUNK_SAMPLES * 2) {
    const samples = samplesOf(pcm.subarray(at, at + CHUNK_SAMPLES * 2))
    // the encoder reuses its output buffer for the next call
    parts.push(Buffer.from(encoder.encode([samples])))
  }
  parts.push(Buffer.from(encoder.finalize()))
  return Buffer.concat(parts)
}

const samplesOf = (pcm: Buffer) =>
  Float32Array.from({ length: pcm.length >> 1 }, (_, i) => pcm.readInt16LE(i * 2) / 32_768)

/**
 * Resamples to 8 kHz by averaging instead of a proper low-pass filter. Good enough to try a voice, and telephones carry
 * no more.
 */
export function at8kHz({ pcm, rate }: Pcm): Buffer {
  if (rate === RATE) return pcm
  const step = rate / RATE
  const last = (pcm.length >> 1) - 1
  const out = Buffer.alloc(Math.floor((last + 1) / step) * 2)
  for (let i = 0; i < out.length / 2; i++) {
    const from = Math.floor(i * step)
    const to = Math.min(last, Math.max(from, Math.ceil((i + 1) * step) - 1))
    let sum = 0
    for (let j = from; j <= to; j++) sum += pcm.readInt16LE(j * 2)
    out.writeInt16LE(Math.round(sum / (to - from + 1)), i * 2)
  }
  return out
}

type Files = { from: string; to: string; rate: number }

/** Encodes a file of 16-bit stereo into an MP3 file, in a thread of its own. */
export const mp3File = (files: Files) =>
  new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL('./mp3-thread.ts', import.meta.url), {
      workerData: files,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The encoder exited with code ${code}`)),
    )
  })

/** Samples of silence that LAME adds before the audio. */
const DELAY = 576
const RATES = [44_100, 48_000, 32_000]
const KBITS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBITS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** Parses the four header bytes of an MP3 frame. */
export function frameOf(header: Buffer) {
  const version = (header[1]! >> 3) & 3
  const isMpeg1 = version === 3
  // MPEG 2 has half the sample rates, MPEG 2.5 a quarter
  const rate = RATES[(header[2]! >> 2) & 3]! / (isMpeg1 ? 1 : version === 2 ? 2 : 4)
  const kbits = (isMpeg1 ? KBITS_MPEG1 : KBITS_MPEG2)[header[2]! >> 4]!
  const samples = isMpeg1 ? 1_152 : 576
  const channels = header[3]! >> 6 === 3 ? 1 : 2
  const padding = (header[2]! >> 1) & 1
  const length = Math.floor(((samples / 8) * kbits * 1_000) / rate) + padding
  return { isMpeg1, rate, kbits, samples, channels, length }
}

/**
 * The LAME info frame, which precedes all others and says where the audio begins and ends. Without it, players
 * start an eighth of a second too early at 8 kHz, which matters when measuring a recording.
 */
export function infoFrame(
  header: Buffer,
  { frames, bytes, samples }: Record<'frames' | 'bytes' | 'samples', number>,
): Buffer {
  const first = Buffer.from(header.subarray(0, 4))
  first[2]! &= ~2 // without padding
  const { isMpeg1, length, kbits, samples: samplesPerFrame } = frameOf(first)
  const frame = Buffer.alloc(length)
  first.copy(frame)
  let at = 4 + (isMpeg1 ? 32 : 17)
  at += frame.write('Info', at, 'latin1')
  at = frame.writeUInt32BE(3, at) // frames and bytes follow
  at = frame.writeUInt32BE(frames, at)
  at = frame.writeUInt32BE(bytes + length, at)
  at += frame.write('LAME3.100', at, 'latin1')
  frame[at] = 1 // constant bit rate
  frame[at + 11] = Math.min(255, kbits)
  const padding = Math.min(0xfff, Math.max(0, frames * samplesPerFrame - samples - DELAY))
  frame.writeUIntBE(DELAY * 0x1000 + padding, at + 12, 3)
  return frame
}
