/** Mono 16-bit PCM as a WAV. */
export function toWav(pcm: Buffer, rate: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + pcm.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // linear
  header.writeUInt16LE(1, 22) // channels
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(pcm.length, 40)
  return Buffer.concat([header, pcm])
}

/** What is in a WAV of one channel and 16 bits; undefined for anything else. */
export function pcmOf(wav: Buffer): { pcm: Buffer; rate: number } | undefined {
  if (wav.toString('latin1', 0, 4) !== 'RIFF' || wav.toString('latin1', 8, 12) !== 'WAVE') return
  let rate: number | undefined
  for (let at = 12; at + 8 <= wav.length; ) {
    const id = wav.toString('latin1', at, at + 4)
    const length = wav.readUInt32LE(at + 4)
    const chunk = wav.subarray(at + 8, at + 8 + length)
    if (id === 'fmt ') {
      if (chunk.length < 16) return
      if (chunk.readUInt16LE(0) !== 1 || chunk.readUInt16LE(2) !== 1) return
      if (chunk.readUInt16LE(14) !== 16) return
      rate = chunk.readUInt32LE(4)
    }
    // a recorder that was streaming may not have known the length
    if (id === 'data') return rate ? { pcm: chunk.subarray(0, chunk.length & ~1), rate } : undefined
    // chunks begin at even places
    at += 8 + length + (length & 1)
  }
  return
}
