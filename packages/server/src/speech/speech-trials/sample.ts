export const SAMPLE_RATE = 8_000
const SECONDS = 1.8
const LOUDNESS = 6_000

/** What a vendor is given to listen to: 1.8 seconds of a tone that rises and falls, mono, 16 bit. No words. */
export const sample: Buffer = (() => {
  const pcm = Buffer.alloc(SAMPLE_RATE * SECONDS * 2)
  for (let i = 0; i < pcm.length / 2; i++) {
    const t = i / SAMPLE_RATE
    const tone = Math.sin(2 * Math.PI * (300 * t + 20 * Math.sin(2 * Math.PI * t)))
    const swell = Math.sin((Math.PI * t) / SECONDS)
    pcm.writeInt16LE(Math.round(LOUDNESS * swell * tone), i * 2)
  }
  return pcm
})()

/** What a vendor is given to say. */
export const SENTENCE = 'This is a test.'
