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
