import { frameOf } from './mp3.ts'

const isFrame = (bytes: Buffer, at: number) =>
  bytes[at] === 0xff &&
  // layer III of MPEG 1, 2 or 2.5, with a known bit rate and sample rate
  (bytes[at + 1]! & 0xe6) === 0xe2 &&
  ((bytes[at + 1]! >> 3) & 3) !== 1 &&
  bytes[at + 2]! >> 4 !== 15 &&
  bytes[at + 2]! >> 4 !== 0 &&
  ((bytes[at + 2]! >> 2) & 3) !== 3

const frameAt = (bytes: Buffer, at: number) =>
  isFrame(bytes, at) ? frameOf(bytes.subarray(at, at + 4)) : undefined

type Form = { rate: number; channels: number }
const isLike = (a: Form, b: Form) => a.rate === b.rate && a.channels === b.channels

/** Length of a tag before the audio; 0 without one. */
const tagLength = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 3) === 'ID3'
    ? 10 + [6, 7, 8, 9].reduce((length, i) => length * 128 + (bytes[i]! & 127), 0)
    : 0

/**
 * The frames of an MP3 that arrives in pieces; bytes between them are left out. Sample rate and channels are the first
 * frame's.
 */
export function mp3Frames() {
  let rest: Buffer = Buffer.alloc(0)
  let skip: number | undefined
  let form: Form | undefined

  return {
    /** Form of the first frame; undefined until it has come. */
    form: () => form,
    /** Whole frames, in one piece. */
    take(bytes: Buffer): Buffer {
      rest = Buffer.concat([rest, bytes])
      if (skip === undefined) {
        if (rest.length < 10) return Buffer.alloc(0)
        skip = tagLength(rest)
      }
      const skipped = Math.min(skip, rest.length)
      skip -= skipped
      let at = skipped
      const frames: Buffer[] = []
      while (at + 4 <= rest.length) {
        const frame = frameAt(rest, at)
        if (!frame || (form && !isLike(frame, form))) {
          at++
          continue
        }
        const end = at + frame.length
        if (end + (form ? 0 : 4) > rest.length) break
        // bytes that only look like a frame are not followed by another
        const next = form ?? frameAt(rest, end)
        if (!next || !isLike(frame, next)) {
          at++
          continue
        }
        form ??= { rate: frame.rate, channels: frame.channels }
        frames.push(rest.subarray(at, end))
        at = end
      }
      rest = rest.subarray(at)
      return Buffer.concat(frames)
    },
  }
}
