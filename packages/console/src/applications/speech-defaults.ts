import {
  isCustomVendor,
  type SpeechCatalogue,
  type Vendor,
  vendorOf,
  vendors,
} from '@switchroom/contract'
import { listsModels, voicesOf } from './speech-choices'

export type SynthesisChoice = { language: string; voice: string }

const presetVendor = Object.values<Vendor>(vendors).find((v) => v.preset)!
/** Speech settings of a new application. */
export const PRESET = { vendor: presetVendor.id, ...presetVendor.preset! }

/** The voice to preselect for a newly chosen language. */
export function pickVoice(vendor: string, catalogue: SpeechCatalogue, language: string) {
  const offered = voicesOf(vendor, catalogue, language)
  const { preset } = vendorOf(vendor) ?? {}
  const usual = preset?.language === language ? preset.voice : undefined
  return (offered.find((v) => v.value === usual) ?? offered[0])?.value ?? ''
}

/**
 * Language and voice to preselect for a newly chosen vendor or credential. `own`: the values of that
 * credential's custom voices.
 */
export function pickSynthesis(
  vendor: string,
  catalogue: SpeechCatalogue,
  before: SynthesisChoice,
  own: readonly string[] = [],
): SynthesisChoice {
  if (isCustomVendor(vendor)) return { language: before.language, voice: '' }
  const voices = voicesOf(vendor, catalogue, before.language)
  const speaksSo = voices.some((v) => v.value === before.voice)
  if (listsModels(vendor)) return speaksSo ? before : { ...before, voice: voices[0]?.value ?? '' }
  const { keeps = 'language', begins = ['en-US'] } = vendorOf(vendor)?.speaking ?? {}
  const offered = (catalogue.tts ?? []).map((l) => l.value)
  const stays =
    offered.includes(before.language) &&
    (keeps === 'language' || (keeps === 'language and voice' && speaksSo))
  const language = stays
    ? before.language
    : (begins.find((l) => offered.includes(l)) ?? offered[0] ?? before.language)
  const first = voicesOf(vendor, catalogue, language)[0]?.value ?? ''
  const usual = stays ? first : pickVoice(vendor, catalogue, language)
  return { language, voice: own[0] ?? usual }
}

/** The language to recognize after another vendor or credential was chosen. */
export function pickRecognizerLanguage(vendor: string, catalogue: SpeechCatalogue, before: string) {
  if (isCustomVendor(vendor)) return 'en-US'
  const offered = (catalogue.stt ?? []).map((l) => l.value)
  const wanted = [before, vendorOf(vendor)?.listening?.begins].find(
    (l) => l !== undefined && offered.includes(l),
  )
  return wanted ?? offered[0] ?? before
}
