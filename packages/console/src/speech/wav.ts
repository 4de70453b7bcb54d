const HEADER = 44

/** Mixes channels of the same length into one. */
export function mixToMono(channels: readonly Float32Array[]): Float32Array {
  const [first, ...others] = channels
  if (!first) return new Float32Array()
  return first.map((s, i) => others.reduce((sum, c) => sum + c[i]!, s) / channels.length)
}

/** A mono 16-bit WAV file of samples between -1 and 1; louder samples are clipped. */
export function wavOf(samples: Float32Array, rate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + samples.length * 2)
  const view = new DataView(bytes.buffer)
  const text = (at: number, word: string) => bytes.set(new TextEncoder().encode(word), at)
  text(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  samples.forEach((s, i) => {
    const cut = Math.max(-1, Math.min(1, s))
    view.setInt16(HEADER + i * 2, Math.round(cut < 0 ? cut * 0x8000 : cut * 0x7fff), true)
  })
  return bytes
}

/** Base64 in chunks, since a whole recording would exceed the number of arguments of one call. */
export function base64Of(bytes: Uint8Array): string {
  const PIECE = 0x8000
  let text = ''
  for (let i = 0; i < bytes.length; i += PIECE)
    text += String.fromCharCode(...bytes.subarray(i, i + PIECE))
  return btoa(text)
}
