import type {
  Conversation,
  ConversationEntry,
  Heard,
  ResponsePart,
  ResponseTime,
} from '@switchroom/contract'

/** How long a turn took whose beginning and end the trace shows. */
export const knownTime = ({ response }: Heard) =>
  response && response.until === 'voice' && response.since !== 'result' ? response.ms : null

/** How long the answer took after the result of listening, if the trace shows its first audio. */
export function answerTime({ response }: Heard) {
  if (response?.until !== 'voice') return null
  return response.parts.reduce((sum, { part, ms }) => (isBeforeResult(part) ? sum : sum + ms), 0)
}

/** Whether a part of a response time is over when the result of listening is there. */
export const isBeforeResult = (part: ResponsePart) => part === 'recognition' || part === 'digits'

/** Who hangs up sooner did not do so for waiting. */
const IMPATIENT_MS = 1_000

/** Whether somebody hung up instead of waiting for the answer any longer. */
export const hasGivenUp = (
  response: ResponseTime | null,
): response is ResponseTime & { ms: number } =>
  response?.until === 'hangup' && response.ms !== null && response.ms >= IMPATIENT_MS

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
