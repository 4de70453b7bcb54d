import type { ConversationEntry } from '@switchroom/contract'

/** The start of the recording is known within this time. */
const RECORDED_WITHIN_MS = 300

/** When an entry starts: listening does before its result is there. */
export const startOf = (entry: ConversationEntry) =>
  entry.kind === 'heard' ? entry.from : entry.at

/** When an entry starts in the recording, in seconds; undefined if it was over before. */
export function positionOf(entry: ConversationEntry, recording: number): number | undefined {
  if (entry.at < recording - RECORDED_WITHIN_MS) return undefined
  return Math.max(0, (startOf(entry) - recording) / 1_000)
}

export type Start = { at: number; index: number }

/** When each entry starts, in order of time. Of entries that start at once, the last one comes last. */
export const startsOf = (entries: readonly ConversationEntry[]): Start[] =>
  entries
    .map((entry, index) => ({ at: startOf(entry), index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)

/** The index of the entry that has started last; undefined before the first. */
export function currentAt(starts: readonly Start[], now: number): number | undefined {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]!.at <= now) low = middle + 1
    else high = middle
  }
  return starts[low - 1]?.index
}
