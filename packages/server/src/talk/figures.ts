import type {
  Conversation,
  ConversationEntry,
  Heard,
  ResponsePart,
  ResponseTime,
} from '@switchroom/contract'

/** Duration of a turn whose beginning and end are in the trace. */
export const knownTime = ({ response }: Heard) =>
  response && response.until === 'voice' && response.since !== 'result' ? response.ms : null

/** Time from the result of listening to the first audio of the answer, if the trace shows it. */
export function answerTime({ response }: Heard) {
  if (response?.until !== 'voice') return null
  return response.parts.reduce((sum, { part, ms }) => (isBeforeResult(part) ? sum : sum + ms), 0)
}

/** True if a part of a response time ends when the result of listening is there. */
export const isBeforeResult = (part: ResponsePart) => part === 'recognition' || part === 'digits'

/** A caller who hangs up sooner did not do so because of the wait. */
const IMPATIENT_MS = 1_000

/** True if somebody hung up instead of waiting for the answer any longer. */
export const hasGivenUp = (
  response: ResponseTime | null,
): response is ResponseTime & { ms: number } =>
  response?.until === 'hangup' && response.ms !== null && response.ms >= IMPATIENT_MS

/** The slowest turn and the median, among turns whose beginning and end are in the trace. */
export function figuresOf(
  entries: readonly ConversationEntry[],
): Pick<Conversation, 'slowest' | 'median_ms'> {
  const known = entries.flatMap((entry, index) => {
    const ms = entry.kind === 'heard' ? knownTime(entry) : null
    return ms === null ? [] : [{ index, ms }]
  })
  known.sort((a, b) => a.ms - b.ms)
  return {
    slowest: known.at(-1)?.index ?? null,
    median_ms: medianOf(known.map(({ ms }) => ms)),
  }
}

/** The median of times in ascending order; null without any. */
export function medianOf(times: readonly number[]): number | null {
  const middle = times.length >> 1
  if (times.length === 0) return null
  return times.length % 2 === 1 ? times[middle]! : (times[middle - 1]! + times[middle]!) / 2
}
