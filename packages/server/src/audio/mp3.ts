import { Worker } from 'node:worker_threads'

const RATE = 8_000
const KBITS = 32
/** So that hardly more than one of these is in memory beside the sound itself. */
const SAMPLES_AT_ONCE = 8_000

type Pcm = { pcm: Buffer; rate: number }

/** Mono sound of 16 bits as an MP3 of 8 kHz, as the platform's clients expect it. */
export async function toMp3({ pcm, rate }: Pcm): Promise<Buffer> {
  // loaded where it is used: it brings LAME along
  const { createMp3Encoder } = await import('wasm-media-encoders')
  const encoder = await createMp3Encoder()
  encoder.configure({ channels: 1, sampleRate: rate, outputSampleRate: RATE, bitrate: KBITS })
  const parts: Buffer[] = []
  for (let at = 0; at < pcm.length; at += SAMPLES_AT_ONCE * 2) {
    const samples = samplesOf(pcm.subarray(at, at + SAMPLES_AT_ONCE * 2))
    // what it answers is overwritten by the next call
    parts.push(Buffer.from(encoder.encode([samples])))
  }
  parts.push(Buffer.from(encoder.finalize()))
  return Buffer.concat(parts)
}

const samplesOf = (pcm: Buffer) =>
  Float32Array.from({ length: pcm.length >> 1 }, (_, i) => pcm.readInt16LE(i * 2) / 32_768)

/**
 * The same sound at 8 kHz. What is higher than 8 kHz holds is averaged away rather than cut off: good
 * enough for a trial of a voice, and telephones carry no more.
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

/** A file of 16-bit stereo as an MP3 in another file, made in a thread of its own. */
export const mp3File = (files: Files) =>
  new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL('./mp3-thread.ts', import.meta.url), {
      workerData: files,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The encoder ended with ${code}`)),
    )
  })

/** Samples that LAME puts before the sound. */
const DELAY = 576
const RATES = [44_100, 48_000, 32_000]
const KBITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** What the four bytes at the beginning of a frame of an MP3 say of it. */
export function frameOf(header: Buffer) {
  const version = (header[1]! >> 3) & 3
  const isFirst = version === 3
  // half the rates in the second version, a quarter in what came after it
  const rate = RATES[(header[2]! >> 2) & 3]! / (isFirst ? 1 : version === 2 ? 2 : 4)
  const kbits = (isFirst ? KBITS_1 : KBITS_2)[header[2]! >> 4]!
  const samples = isFirst ? 1_152 : 576
  const channels = header[3]! >> 6 === 3 ? 1 : 2
  const padding = (header[2]! >> 1) & 1
  const length = Math.floor(((samples / 8) * kbits * 1_000) / rate) + padding
  return { isFirst, rate, kbits, samples, channels, length }
}

/**
 * A frame to stand before all others that says where the sound begins and ends within them. Without it, players
 * begin too early, by an eighth of a second at 8 kHz: as long as what is measured in a recording.
 */
export function infoFrame(
  header: Buffer,
  { frames, bytes, samples }: Record<'frames' | 'bytes' | 'samples', number>,
): Buffer {
  const like = Buffer.from(header.subarray(0, 4))
  like[2]! &= ~2 // without padding
  const { isFirst, length, kbits, samples: each } = frameOf(like)
  const frame = Buffer.alloc(length)
  like.copy(frame)
  let at = 4 + (isFirst ? 32 : 17)
  at += frame.write('Info', at, 'latin1')
  at = frame.writeUInt32BE(3, at) // frames and bytes follow
  at = frame.writeUInt32BE(frames, at)
  at = frame.writeUInt32BE(bytes + length, at)
  at += frame.write('LAME3.100', at, 'latin1')
  frame[at] = 1 // constant bit rate
  frame[at + 11] = Math.min(255, kbits)
  const after = Math.min(0xfff, Math.max(0, frames * each - samples - DELAY))
  frame.writeUIntBE(DELAY * 0x1000 + after, at + 12, 3)
  return frame
}
