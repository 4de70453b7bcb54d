/** Length of a frame, for which there is one level. */
export const FRAME_MS = 20
const framesIn = (ms: number) => Math.round(ms / FRAME_MS)

/**
 * Levels in 16 bits: softer is never speech (-56 dB), and no steady sound above the second (-30 dB) is taken for noise.
 */
const SOFTEST = 50
const LOUDEST_NOISE = 1_000
/** Speech is this many times as loud as the noise around it. */
const OVER_NOISE = 3
/** Noise is the softest tenth of a second within this time before and after. */
const NOISE_AROUND = framesIn(3_000)
const NOISE_OVER = framesIn(100)
/** A pause that ends no stretch. Twice the margin is less, so that stretches do not meet. */
const PAUSE = framesIn(500)
const MARGIN = framesIn(200)
/** Shorter sounds are a key or a click. */
const SHORTEST = framesIn(200)
const LONGEST = framesIn(25_000)
/** Earliest point at which a long stretch may be cut. */
const CUT_FROM = framesIn(12_000)

/** From the first to before the last frame. */
type Frames = { from: number; to: number }
/** In milliseconds. */
export type Stretch = { from: number; to: number }

/**
 * Stretches with speech, by the levels of frames (root mean square, 16 bits): sound that rises above the noise around
 * it, with a margin, in stretches of at most 25 seconds. Music is taken for speech; a steady tone is not.
 */
export function stretchesIn(levels: Float32Array): Stretch[] {
  const noise = noiseOf(levels)
  const isLoud = (i: number) =>
    levels[i]! > Math.max(SOFTEST, Math.min(noise[i]!, LOUDEST_NOISE) * OVER_NOISE)
  return spoken(levels.length, isLoud)
    .flatMap((stretch) => cut(levels, stretch))
    .map(({ from, to }) => ({ from: from * FRAME_MS, to: to * FRAME_MS }))
}

function spoken(length: number, isLoud: (i: number) => boolean): Frames[] {
  const found: (Frames & { loud: number })[] = []
  for (let i = 0; i < length; i++) {
    if (!isLoud(i)) continue
    const last = found.at(-1)
    if (!last || i - last.to > PAUSE) found.push({ from: i, to: i + 1, loud: 1 })
    else {
      last.to = i + 1
      last.loud += 1
    }
  }
  return found
    .filter(({ loud }) => loud >= SHORTEST)
    .map(({ from, to }) => ({
      from: Math.max(0, from - MARGIN),
      to: Math.min(length, to + MARGIN),
    }))
}

/** Parts that are short enough, cut where it is quietest. */
function cut(levels: Float32Array, { from, to }: Frames): Frames[] {
  const parts: Frames[] = []
  let begin = from
  while (to - begin > LONGEST) {
    // the rest is no splinter
    const last = Math.min(begin + LONGEST, to - SHORTEST)
    let quietest = begin + CUT_FROM
    for (let i = quietest; i <= last; i++) if (levels[i]! < levels[quietest]!) quietest = i
    parts.push({ from: begin, to: quietest })
    begin = quietest
  }
  return [...parts, { from: begin, to }]
}

/** The noise around each frame. */
function noiseOf(levels: Float32Array): Float32Array {
  const even = new Float32Array(levels.length)
  let sum = 0
  for (let i = 0; i < levels.length; i++) {
    sum += levels[i]! - (levels[i - NOISE_OVER] ?? 0)
    even[i] = sum / Math.min(i + 1, NOISE_OVER)
  }
  return softestAround(even, NOISE_AROUND)
}

/** The least of the values up to so far before and after each. */
function softestAround(values: Float32Array, reach: number): Float32Array {
  const least = new Float32Array(values.length)
  // rising values that may yet be the least, by index
  const waiting: number[] = []
  let first = 0
  for (let i = 0; i < values.length + reach; i++) {
    if (i < values.length) {
      while (waiting.length > first && values[waiting.at(-1)!]! >= values[i]!) waiting.pop()
      waiting.push(i)
    }
    const at = i - reach
    if (at < 0) continue
    while (waiting[first]! < at - reach) first++
    least[at] = values[waiting[first]!]!
  }
  return least
}
