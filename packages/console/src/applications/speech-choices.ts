import { isCustomVendor, SPEECH_VENDORS, type SpeechCatalogue } from '@switchroom/contract'

export type Option = { value: string; label: string }
type Named = { value: string; name: string }

const byName = (list: readonly Named[]): Option[] =>
  list
    .map(({ value, name }) => ({ value, label: name }))
    .sort((a, b) => a.label.localeCompare(b.label))

/** What is stored is among the options, whatever a vendor offers by now. */
export const withStored = <O extends Option>(options: O[], stored: string): (O | Option)[] =>
  stored === '' || options.some((o) => o.value === stored)
    ? options
    : [{ value: stored, label: stored }, ...options]

/** The vendors for one direction. */
export function vendorOptions(direction: 'tts' | 'stt', stored: string): Option[] {
  const offered = SPEECH_VENDORS.filter((v) => v[direction]).map(({ id, name }) => ({
    value: id as string,
    label: name as string,
  }))
  const known = SPEECH_VENDORS.find((v) => v.id === stored)
  const label = isCustomVendor(stored)
    ? `${stored.slice(stored.indexOf(':') + 1)} (custom)`
    : (known?.name ?? stored)
  return stored === '' || offered.some((o) => o.value === stored)
    ? offered
    : [...offered, { value: stored, label }]
}

/** Deepgram's voices are models, whatever the language. */
export const choosesModel = (vendor: string) => vendor === 'deepgram'
/** Whether a vendor has lists to choose from; a custom one has not. */
export const isListed = (vendor: string) =>
  vendor !== '' && vendor !== 'deepgramflux' && !isCustomVendor(vendor)
/** Deepgram Flux hears only one language. */
export const hearsLanguages = (vendor: string) => vendor !== 'deepgramflux'

function voices(vendor: string, catalogue: SpeechCatalogue, language: string): Named[] {
  if (choosesModel(vendor)) return catalogue.models ?? []
  const all = catalogue.tts ?? []
  // voices that speak every language are listed with one
  const shared =
    vendor === 'elevenlabs'
      ? all[0]
      : vendor === 'playht'
        ? all.find((l) => l.value === 'english')
        : undefined
  return (shared ?? all.find((l) => l.value === language))?.voices ?? []
}

export const synthesisLanguages = (catalogue: SpeechCatalogue) => byName(catalogue.tts ?? [])
export const voiceOptions = (vendor: string, catalogue: SpeechCatalogue, language: string) =>
  byName(voices(vendor, catalogue, language))
export const recognizerLanguages = (catalogue: SpeechCatalogue) => byName(catalogue.stt ?? [])

const GOOGLE_VOICE = 'en-US-Standard-C'

/** The voice that goes with a language that was just chosen. */
export function pickVoice(vendor: string, catalogue: SpeechCatalogue, language: string) {
  const offered = voices(vendor, catalogue, language)
  const usual = vendor === 'google' && offered.find((v) => v.value === GOOGLE_VOICE)
  return (usual || offered[0])?.value ?? ''
}

type Spoken = { language: string; voice: string }

const LANGUAGES: Record<string, string> = {
  elevenlabs: 'en',
  cartesia: 'en',
  inworld: 'en',
  rimelabs: 'eng',
  playht: 'english',
}

/** What a vendor that was just chosen speaks with: as before where it can, else as is usual with it. */
export function pickSynthesis(vendor: string, catalogue: SpeechCatalogue, before: Spoken): Spoken {
  const offers = (language: string) => !!catalogue.tts?.some((l) => l.value === language)
  const keeps =
    (choosesModel(vendor) || offers(before.language)) &&
    voices(vendor, catalogue, before.language).some((v) => v.value === before.voice)
  if (keeps) return before
  if (choosesModel(vendor))
    return { language: before.language, voice: pickVoice(vendor, catalogue, before.language) }
  const own = LANGUAGES[vendor]
  const wanted = [own, vendor !== 'google' && !own && before.language, 'en-US', before.language]
  const language =
    wanted.find((l): l is string => !!l && offers(l)) ??
    catalogue.tts?.[0]?.value ??
    before.language
  return { language, voice: pickVoice(vendor, catalogue, language) }
}

const HEARD: Record<string, string> = { google: 'en-US', aws: 'en-US', cobalt: 'en_US-8khz' }

/** The same for what it listens to. */
export function pickRecognized(vendor: string, catalogue: SpeechCatalogue, before: string) {
  const offered = catalogue.stt ?? []
  const wanted = [before, HEARD[vendor]]
  const found = wanted.find((l) => offered.some((o) => o.value === l))
  return found ?? offered[0]?.value ?? before
}
