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
