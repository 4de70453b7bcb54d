import { FRAME_MS } from './stretches.ts'

const MOST = 32_767
/** Lets nothing pass below some 100 Hz: neither hum nor a constant voltage is loud. */
const KEPT = 0.92
const CHUNK = 16_384

/** One side of a recording as it is decoded: resampled, with the level of each frame. */
export function sideOf(from: number, to: number, write: (pcm: Buffer) => void) {
  const step = from / to
  const frame = (to * FRAME_MS) / 1_000
  const levels: number[] = []
  let pcm = Buffer.allocUnsafe(CHUNK)
  let filled = 0
  // the sample that is put together, and how much of it there is
  let [sum, width] = [0, 0]
  let [before, passed] = [0, 0]
  let [energy, count] = [0, 0]

  function put(value: number) {
    const sample = Math.max(-MOST, Math.min(MOST, Math.round(value * MOST)))
    pcm.writeInt16LE(sample, filled)
    filled += 2
    if (filled === CHUNK) flush()
    passed = sample - before + KEPT * passed
    before = sample
    energy += passed * passed
    count += 1
    if (count === frame) endFrame()
  }
  function endFrame() {
    levels.push(Math.sqrt(energy / count))
    energy = count = 0
  }
  function flush() {
    write(pcm.subarray(0, filled))
    pcm = Buffer.allocUnsafe(CHUNK)
    filled = 0
  }

  return {
    /** Samples from -1 to 1. */
    add(samples: Float32Array) {
      for (const given of samples) {
        const sample = Number.isNaN(given) ? 0 : given
        let left = 1
        while (width + left >= step) {
          const part = step - width
          put((sum + sample * part) / step)
          left -= part
          sum = width = 0
        }
        sum += sample * left
        width += left
      }
    },
    /** The levels of all frames. */
    end() {
      if (count > 0) endFrame()
      flush()
      return Float32Array.from(levels)
    },
  }
}
