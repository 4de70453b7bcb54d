import type { Conversation, ConversationEntry, Heard } from '@switchroom/contract'

/** How long a turn took whose beginning and end the trace shows. */
export const knownTime = ({ response }: Heard) =>
  response && response.until === 'voice' && response.since !== 'result' ? response.ms : null

/** The slowest turn and the median, among those of which the trace shows beginning and end. */
export function figuresOf(
  entries: readonly ConversationEntry[],
): Pick<Conversation, 'slowest' | 'median_ms'> {
  const known = entries.flatMap((entry, index) => {
    const ms = entry.kind === 'heard' ? knownTime(entry) : null
    return ms === null ? [] : [{ index, ms }]
  })
  known.sort((a, b) => a.ms - b.ms)
  const middle = known.length >> 1
  const median =
    known.length % 2 === 1
      ? known[middle]!.ms
      : known.length > 0
        ? (known[middle - 1]!.ms + known[middle]!.ms) / 2
        : null
  return {
    slowest: known.at(-1)?.index ?? null,
    median_ms: median,
  }
}
