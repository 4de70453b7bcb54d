/** The WAV header for `length` bytes of 16-bit PCM. */
export function wavHeader({
  length,
  rate,
  channels,
}: Record<'length' | 'rate' | 'channels', number>) {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // linear
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(length, 40)
  return header
}

/** Mono 16-bit PCM as a WAV. */
export const toWav = (pcm: Buffer, rate: number): Buffer =>
  Buffer.concat([wavHeader({ length: pcm.length, rate, channels: 1 }), pcm])

/** The contents of a WAV file. `format` 1 is linear PCM. */
export type Wav = { format: number; channels: number; rate: number; bits: number; data: Buffer }

/** Parses a WAV file of any format. Undefined if it is not one. */
export function readWav(wav: Buffer): Wav | undefined {
  if (wav.toString('latin1', 0, 4) !== 'RIFF' || wav.toString('latin1', 8, 12) !== 'WAVE') return
  let format: Omit<Wav, 'data'> | undefined
  for (let at = 12; at + 8 <= wav.length; ) {
    const id = wav.toString('latin1', at, at + 4)
    const length = wav.readUInt32LE(at + 4)
    const chunk = wav.subarray(at + 8, at + 8 + length)
    if (id === 'fmt ') {
      if (chunk.length < 16) return
      format = {
        format: chunk.readUInt16LE(0),
        channels: chunk.readUInt16LE(2),
        rate: chunk.readUInt32LE(4),
        bits: chunk.readUInt16LE(14),
      }
    }
    // cut at the end of the file, because streaming recorders may not know the length
    if (id === 'data') return format && { ...format, data: chunk }
    // chunks begin at even offsets
    at += 8 + length + (length & 1)
  }
  return
}

/** The samples of a 16-bit mono WAV file; undefined for any other format. */
export function pcmOf(wav: Buffer): { pcm: Buffer; rate: number } | undefined {
  const { format, channels, bits, rate, data } = readWav(wav) ?? {}
  if (!data || !rate || format !== 1 || channels !== 1 || bits !== 16) return
  return { pcm: data.subarray(0, data.length & ~1), rate }
}
