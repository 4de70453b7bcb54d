/** An MP3 frame. */
export const aFrame = Buffer.concat([Buffer.from([0xff, 0xf3, 0x44, 0xc4]), Buffer.alloc(140)])

/** A tenth of a second of a tone, mono, 16 bit. */
export const aTone = (rate: 8000 | 16000) => {
  const pcm = Buffer.alloc(rate / 5)
  for (let i = 0; i < pcm.length / 2; i++)
    pcm.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * i) / rate)), i * 2)
  return pcm
}

export const silence = (rate: 8000 | 16000) => Buffer.alloc(rate / 5)
