/** A 440 Hz tone, mono, 16 bit. */
export function tone(rate: number, seconds: number): Buffer {
  const pcm = Buffer.alloc(rate * seconds * 2)
  for (let i = 0; i < pcm.length / 2; i++)
    pcm.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * i) / rate)), i * 2)
  return pcm
}

/** The number of upward zero crossings: the pitch of one second of audio. */
export function pitch(pcm: Buffer): number {
  let crossings = 0
  for (let i = 2; i < pcm.length; i += 2)
    if (pcm.readInt16LE(i - 2) < 0 && pcm.readInt16LE(i) >= 0) crossings++
  return crossings
}
