import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { mp3File } from '../../audio/mp3.ts'
import { wavHeader } from '../../audio/wav.ts'
import type { Source } from '../buckets/store.ts'

/** The most audio a WAV can hold: its header counts bytes in 32 bits, including 36 of its own. */
const MAX_DATA = 2 ** 32 - 1 - 36

/** 16-bit stereo in a file. */
export type Pcm = { file: string; rate: number }

type Metadata = Source['metadata']

/** A WAV, with a header for the present length. */
export async function wavOf({ file, rate }: Pcm, metadata: Metadata): Promise<Source> {
  const { size } = await stat(file)
  const length = Math.min(size - (size % 4), MAX_DATA - (MAX_DATA % 4))
  const header = wavHeader({ length, rate, channels: 2 })
  return {
    size: header.length + length,
    type: 'audio/wav',
    metadata,
    async *read(from, to) {
      if (from < header.length) yield header.subarray(from, Math.min(to, header.length))
      const start = Math.max(0, from - header.length)
      const end = to - header.length
      if (end > start) yield* createReadStream(file, { start, end: end - 1 })
    },
  }
}

/** An MP3, encoded in a thread of its own into the file `to`, which the caller removes. */
export async function mp3Of({ file, rate }: Pcm, to: string, metadata: Metadata): Promise<Source> {
  await mp3File({ from: file, to, rate })
  const { size } = await stat(to)
  return {
    size,
    type: 'audio/mpeg',
    metadata,
    read: (from, end) => createReadStream(to, { start: from, end: end - 1 }),
  }
}
