/** How exactly sound is looked at. */
const RATE = 8_000
export const PEAKS_PER_SECOND = RATE / 10

/** The loudest of each 1/800 second, between 0 and 1. */
export type Peaks = Float32Array

/** More takes some 64 kB a second while it is decoded. */
export const LONGEST_DRAWN = 3_600

/** Of each channel; one that is alone is taken for both. Throws for what no sound is. */
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

/** Louder is speech, where so many in a row are. */
const SILENCE = 0.03
const IN_A_ROW = 5
/** Speech rings on. */
const AFTER = 0.02

/** The second when somebody fell silent between these two; undefined where nobody spoke. */
export function endOfSpeech(peaks: Peaks, from: number, to: number): number | undefined {
  const first = Math.max(0, Math.floor(from * PEAKS_PER_SECOND))
  let row = 0
  for (let i = Math.min(peaks.length, Math.ceil(to * PEAKS_PER_SECOND)) - 1; i >= first; i--) {
    row = peaks[i]! > SILENCE ? row + 1 : 0
    if (row === IN_A_ROW) return Math.min(to, (i + IN_A_ROW) / PEAKS_PER_SECOND + AFTER)
  }
  return undefined
}

/** How much larger it is drawn, so that what is loudest fills its side. Silence stays silence. */
export function enlargement(sides: readonly Peaks[]) {
  let most = 0
  for (const peaks of sides) for (const peak of peaks) if (peak > most) most = peak
  return most > SILENCE ? 1 / most : 1
}

/** The shape of a part of a channel, as a closed path around the middle of 100 units height. */
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
    // silence is a line, not a gap
    return Math.max(1, most * larger * 48).toFixed(1)
  })
  const above = heights.map((h, i) => `${i} ${50 - Number(h)}`)
  const below = heights.map((h, i) => `${i} ${50 + Number(h)}`).reverse()
  return `M${above.join('L')}L${below.join('L')}Z`
}
