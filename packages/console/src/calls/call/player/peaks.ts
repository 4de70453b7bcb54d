/** Peaks per second. */
const RATE = 8_000
export const PEAKS_PER_SECOND = RATE / 10

/** The loudest sample of each 1/800 second, between 0 and 1. */
export type Peaks = Float32Array

/** Seconds of the longest recording drawn: decoding takes some 64 kB of memory for each. */
export const LONGEST_DRAWN = 3_600

/** The peaks of both channels; mono counts for both. Throws if it is not audio. */
export async function peaksOf(sound: Blob): Promise<[Peaks, Peaks]> {
  const bytes = await sound.arrayBuffer()
  const decoded = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes)
  const of = (channel: number) =>
    loudest(decoded.getChannelData(Math.min(channel, decoded.numberOfChannels - 1)))
  return [of(0), of(1)]
}

export function loudest(samples: Float32Array): Peaks {
  const each = RATE / PEAKS_PER_SECOND
  const peaks = new Float32Array(Math.ceil(samples.length / each))
  for (let i = 0; i < samples.length; i++) {
    const at = Math.floor(i / each)
    const loud = Math.abs(samples[i]!)
    if (loud > peaks[at]!) peaks[at] = Math.min(1, loud)
  }
  return peaks
}

/** Peaks above this are speech, if enough of them follow each other. */
const SILENCE = 0.03
const IN_A_ROW = 5
/** Seconds of silence that still belong to speech. */
const AFTER = 0.02

/** When speech ended between two times, in seconds; undefined if there was none. */
export function endOfSpeech(peaks: Peaks, from: number, to: number): number | undefined {
  const first = Math.max(0, Math.floor(from * PEAKS_PER_SECOND))
  let row = 0
  for (let i = Math.min(peaks.length, Math.ceil(to * PEAKS_PER_SECOND)) - 1; i >= first; i--) {
    row = peaks[i]! > SILENCE ? row + 1 : 0
    if (row === IN_A_ROW) return Math.min(to, (i + IN_A_ROW) / PEAKS_PER_SECOND + AFTER)
  }
  return undefined
}

/** Scale factor that makes the loudest peak fill its height. Silence is not amplified. */
export function enlargement(sides: readonly Peaks[]) {
  let most = 0
  for (const peaks of sides) for (const peak of peaks) if (peak > most) most = peak
  return most > SILENCE ? 1 / most : 1
}

/** Part of a channel as a closed SVG path, centred in a height of 100 units. */
export function outline(
  peaks: Peaks,
  seconds: { from: number; to: number },
  columns: number,
  larger = 1,
) {
  const [from, to] = [seconds.from * PEAKS_PER_SECOND, seconds.to * PEAKS_PER_SECOND]
  const heights = Array.from({ length: columns }, (_, i) => {
    const start = Math.floor(from + ((to - from) * i) / columns)
    const end = Math.max(start + 1, Math.floor(from + ((to - from) * (i + 1)) / columns))
    let most = 0
    for (let at = Math.max(0, start); at < Math.min(end, peaks.length); at++)
      most = Math.max(most, peaks[at]!)
    // silence is drawn as a line, not a gap
    return Math.max(1, most * larger * 48).toFixed(1)
  })
  const above = heights.map((h, i) => `${i} ${50 - Number(h)}`)
  const below = heights.map((h, i) => `${i} ${50 + Number(h)}`).reverse()
  return `M${above.join('L')}L${below.join('L')}Z`
}
