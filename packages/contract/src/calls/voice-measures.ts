/** Measures with a time in milliseconds for each count. */
export const TIMED_MEASURES = [
  'response',
  'answer',
  'first_audio',
  'talk_over',
  'silence_before',
] as const
export type TimedMeasure = (typeof TIMED_MEASURES)[number]
export const isTimedMeasure = (measure: string): measure is TimedMeasure =>
  (TIMED_MEASURES as readonly string[]).includes(measure)

/** Measures of a call's conversation, with the names in `VoiceFigures`. */
export const VOICE_MEASURES = [
  'calls',
  'turns',
  'not_understood',
  'timed_out',
  'failed',
  'hung_up',
  'prompts',
  'cached',
  'not_cached',
  'requests',
  'ended_by_caller',
  'ended_by_application',
  'barge_ins',
  'barge_in_known',
  'talk_known',
  ...TIMED_MEASURES,
] as const
export type VoiceMeasure = (typeof VOICE_MEASURES)[number]

/** Dimensions by which figures of conversations are broken down, with two names each. */
export const VOICE_PARTS = ['recognizer', 'voice', 'vendor', 'version'] as const
export type VoicePart = (typeof VOICE_PARTS)[number]

/** Stands for all versions of an application beyond the first 50 of a day. */
export const OTHER_VERSIONS = '*'
