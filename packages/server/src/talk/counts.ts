import type { ResponsePart, VoiceMeasure } from '@switchroom/contract'

/** What is counted by: everything, or a recognizer, a voice, or a vendor of either, by their names. */
export type CountedBy = 'all' | 'application' | 'recognizer' | 'voice' | 'vendor'

/** What a conversation counts for: `n` times, each with this time in milliseconds if the measure has times. */
export type Count = {
  by: CountedBy
  /** Empty, the application's sid, or two names, as `keyOf` puts them together. */
  key: string
  /** `spent_on_` a part of known response times: `n` is their sum in milliseconds. */
  measure: VoiceMeasure | `spent_on_${ResponsePart}`
  value: number
  n: number
}

/** What a trace tells of a call that is over. */
export type Talk = {
  /** When the call began, in milliseconds since 1970 by the feature server's clock. */
  began: number
  /** Undefined if the trace does not name it. */
  call_sid: string | undefined
  /** Without applications, which traces name before they are known for certain. Empty if nobody spoke. */
  counts: Count[]
  /** What was said by anyone, as `wordsOf` has it. */
  words: string
}

/** Longer names are cut. */
const MAX_NAME = 128

/** Two names as one text. */
export const keyOf = (first: string | null, second: string | null) =>
  [first, second].map((name) => (name ?? '').replaceAll('\n', ' ').slice(0, MAX_NAME)).join('\n')
