import type { ResponsePart, VoiceMeasure } from '@switchroom/contract'

/** Dimensions of counts: everything, or an application, a recognizer, a voice, a vendor of either, or a version, by name. */
export type CountedBy = 'all' | 'application' | 'recognizer' | 'voice' | 'vendor' | 'version'

/**
 * A conversation's contribution to a figure: `n` times, each with this time in milliseconds if the measure has times.
 */
export type Count = {
  by: CountedBy
  /** Empty, the application's sid, or two names, as `keyOf` puts them together. */
  key: string
  /** What `n` counts. Its sum is in milliseconds for `spent_on_` a part of known response times, and for `…_talk`. */
  measure: VoiceMeasure | `spent_on_${ResponsePart}` | 'caller_talk' | 'application_talk'
  value: number
  n: number
}

/** Counts and words from the trace of a call that is over. */
export type Talk = {
  /** When the call began, in milliseconds since 1970 by the feature server's clock. */
  began: number
  /** Undefined if the trace does not name it. */
  call_sid: string | undefined
  /** Counts without applications, which traces name before they are known for certain. Empty if nobody spoke. */
  counts: Count[]
  /** Data that the application’s `tag` verb set last, as the spans keep it. */
  tag: Record<string, unknown>
  /** Words of all speakers, as made by `wordsOf`. */
  words: string
}

/** Longer names are cut. */
const MAX_NAME = 128

/** Two names as one text. */
export const keyOf = (first: string | null, second: string | null) =>
  [first, second].map((name) => (name ?? '').replaceAll('\n', ' ').slice(0, MAX_NAME)).join('\n')
