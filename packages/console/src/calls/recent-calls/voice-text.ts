import {
  isTimedMeasure,
  numberText,
  OTHER_VERSIONS,
  type TimedMeasure,
  t,
  type VoiceMeasure,
  type VoicePart,
} from '@switchroom/contract'

/** `400 ms`, or `1.5 s`: a time without needless decimals. */
export const shortTime = (ms: number) =>
  ms < 1_000
    ? t('{count} ms', { count: numberText(Math.round(ms)) })
    : t('{count} s', { count: numberText(ms / 1_000) })

/** Names of the voice measures that calls are filtered by. */
const MEASURES: Record<VoiceMeasure, string> = {
  calls: t('With a conversation'),
  turns: t('The caller was listened to'),
  not_understood: t('Not understood'),
  timed_out: t('No input'),
  failed: t('Recognizer failed'),
  hung_up: t('Hung up while waiting'),
  prompts: t('The application spoke'),
  cached: t('Prompt from the cache'),
  not_cached: t('Prompt not from the cache'),
  requests: t('Request to a vendor'),
  ended_by_caller: t('Ended by the caller'),
  ended_by_application: t('Ended by the application'),
  barge_ins: t('Prompt interrupted by the caller'),
  barge_in_known: t('Known whether prompts were interrupted'),
  talk_known: t('Known who spoke when'),
  response: t('Known response time'),
  answer: t('Known answer time'),
  first_audio: t('Known time to the first audio'),
  talk_over: t('Known whether both spoke'),
  silence_before: t('Known silence before the caller'),
}

const atLeastText = (voice: TimedMeasure, time: string) => {
  if (voice === 'response') return t('Response time at least {time}', { time })
  if (voice === 'answer') return t('Answer time at least {time}', { time })
  if (voice === 'talk_over') return t('Both spoke for at least {time}', { time })
  if (voice === 'silence_before') return t('Silence before the caller at least {time}', { time })
  return t('First audio after at least {time}', { time })
}

/** A filter in words. A vendor's requests can fail, where a recognizer does. */
export function measureText(voice: VoiceMeasure, part?: VoicePart, at_least?: number): string {
  if (voice && isTimedMeasure(voice) && at_least !== undefined)
    return atLeastText(voice, shortTime(at_least))
  return voice === 'failed' && part === 'vendor' ? t('Request failed') : MEASURES[voice]
}

export type VoiceNames = { part: VoicePart; first: string; second: string }

/** The names in a filter such as `recognizer/google/de-DE`; undefined if it is none. */
export function namesIn(voice_of: string): VoiceNames | undefined {
  const [part, first = '', second = ''] = voice_of.split('/')
  if (part !== 'recognizer' && part !== 'voice' && part !== 'vendor' && part !== 'version')
    return undefined
  try {
    return { part, first: decodeURIComponent(first), second: decodeURIComponent(second) }
  } catch {
    return undefined
  }
}

export const PART_NAMES: Record<VoicePart, string> = {
  recognizer: t('Recognizer'),
  voice: t('Voice'),
  vendor: t('Vendor'),
  version: t('Version'),
}

const SERVICES: Record<string, string> = { recognition: t('Recognition'), voice: t('Voice') }

/** A version of an application, as figures name it. */
export const versionText = (version: string | null) =>
  version === OTHER_VERSIONS ? t('Other versions') : version || t('Without a version')

/** `Google, de-DE`. Names that are unknown say so. */
export function namesText(
  { part, first, second }: VoiceNames,
  vendorName: (vendor: string) => string,
): string {
  const known = (name: string) => name || t('Unknown')
  if (part === 'version') return versionText(second)
  if (part === 'vendor')
    return [second ? vendorName(second) : t('Unknown'), SERVICES[first]].filter(Boolean).join(', ')
  if (!first && !second) return t('Unknown')
  return [first ? vendorName(first) : t('Unknown'), known(second)].join(', ')
}
