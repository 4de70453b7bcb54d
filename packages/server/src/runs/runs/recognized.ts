import { isRecord, membersOf } from '@switchroom/contract'
import type { Call } from './call.ts'
import type { Members } from './run-application.ts'

/** Where neither the verb nor the application names one. */
const UNNAMED_VENDOR = 'default'
const UNKNOWN_LANGUAGE = 'en-US'

export const CONFIDENCE = 0.9
export const LOW_CONFIDENCE = 0.2

/** What the platform posts of recognized speech. */
export function recognized(
  { settings, application }: Call,
  data: Members,
  {
    transcript,
    confidence = CONFIDENCE,
    is_final = true,
  }: { transcript: string; confidence?: number; is_final?: boolean },
): Members {
  const own = isRecord(data.recognizer) ? data.recognizer : {}
  const first = (member: 'vendor' | 'language', stored: string | null) =>
    [own[member], settings.recognizer[member], stored].find(
      (value) => typeof value === 'string' && value !== 'default',
    )
  return {
    language_code: first('language', application.speech_recognizer_language) ?? UNKNOWN_LANGUAGE,
    channel_tag: 1,
    is_final,
    alternatives: [{ confidence, transcript }],
    vendor: {
      name: first('vendor', application.speech_recognizer_vendor) ?? UNNAMED_VENDOR,
      evt: { is_final },
    },
  }
}

/** Below it, speech is not enough for the application. */
export function minConfidence({ settings }: Call, data: Members) {
  const { minConfidence: least } = membersOf(data.recognizer ?? settings.recognizer)
  return typeof least === 'number' ? least : 0
}

/** Of words that are not understood. */
export function lowConfidence(call: Call, data: Members) {
  const least = minConfidence(call, data)
  return least > 0 ? Math.min(LOW_CONFIDENCE, least / 2) : LOW_CONFIDENCE
}
