import type { SpeechCatalogue } from '@switchroom/contract'

const english = <C extends { value: string }>(all: C[] | undefined): C | undefined =>
  all?.find((l) => l.value === 'en-US') ?? all?.find((l) => /^en\b/i.test(l.value)) ?? all?.[0]

/** A language and a voice to try a vendor with: English where it speaks it. */
export function defaultVoice(offered: SpeechCatalogue | undefined) {
  const language = english(offered?.tts)
  return { language: language?.value ?? 'en-US', voice: language?.voices[0]?.value ?? 'default' }
}

/** A language to listen for, where none is named. */
export const defaultLanguage = (offered: SpeechCatalogue | undefined) =>
  english(offered?.stt)?.value ?? 'en-US'
