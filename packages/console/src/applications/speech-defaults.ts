import { isCustomVendor, type SpeechCatalogue } from '@switchroom/contract'
import { choosesModel, voicesOf } from './speech-choices'

export type Spoken = { language: string; voice: string }

type Rule = {
  /** What of before may stay where it is offered: the language, or that only together with the voice. */
  keeps?: 'language' | 'pair'
  /** Else the first of these that is offered, else the first of all. */
  languages: readonly string[]
  /** The voice of a language that has a usual one; else its first. */
  voices?: Record<string, string>
}

/** What a vendor speaks with when it, or another of its credentials, was just chosen. */
const SPEAKS: Record<string, Rule> = {
  google: { keeps: 'pair', languages: ['en-US'], voices: { 'en-US': 'en-US-Standard-C' } },
  elevenlabs: { languages: ['en'] },
  whisper: { languages: ['en-US'] },
  playht: { languages: ['english', 'en-US'] },
  cartesia: { languages: ['en'] },
  rimelabs: { languages: ['eng'] },
  inworld: { languages: ['en'] },
}
const OTHERS: Rule = { keeps: 'language', languages: ['en-US'] }
const ruleOf = (vendor: string) => SPEAKS[vendor] ?? OTHERS

/** The voice that goes with a language that was just chosen. */
export function pickVoice(vendor: string, catalogue: SpeechCatalogue, language: string) {
  const offered = voicesOf(vendor, catalogue, language)
  const usual = ruleOf(vendor).voices?.[language]
  return (offered.find((v) => v.value === usual) ?? offered[0])?.value ?? ''
}

/**
 * What to speak with after another vendor or credential was chosen. `own`: the values of the custom voices
 * of that credential.
 */
export function pickSynthesis(
  vendor: string,
  catalogue: SpeechCatalogue,
  before: Spoken,
  own: readonly string[] = [],
): Spoken {
  if (isCustomVendor(vendor)) return { language: before.language, voice: '' }
  const voices = voicesOf(vendor, catalogue, before.language)
  const speaksSo = voices.some((v) => v.value === before.voice)
  if (choosesModel(vendor)) return speaksSo ? before : { ...before, voice: voices[0]?.value ?? '' }
  const { keeps, languages } = ruleOf(vendor)
  const offered = (catalogue.tts ?? []).map((l) => l.value)
  const stays =
    offered.includes(before.language) && (keeps === 'language' || (keeps === 'pair' && speaksSo))
  const language = stays
    ? before.language
    : (languages.find((l) => offered.includes(l)) ?? offered[0] ?? before.language)
  const first = voicesOf(vendor, catalogue, language)[0]?.value ?? ''
  const usual = stays ? first : pickVoice(vendor, catalogue, language)
  return { language, voice: own[0] ?? usual }
}

/** What a vendor first listens to, where it does not know the language of before. */
const HEARS: Record<string, string> = { google: 'en-US', aws: 'en-US', cobalt: 'en_US-8khz' }

/** The language to listen to after another vendor or credential was chosen. */
export function pickRecognized(vendor: string, catalogue: SpeechCatalogue, before: string) {
  if (isCustomVendor(vendor)) return 'en-US'
  const offered = (catalogue.stt ?? []).map((l) => l.value)
  const wanted = [before, HEARS[vendor]].find((l) => l !== undefined && offered.includes(l))
  return wanted ?? offered[0] ?? before
}
