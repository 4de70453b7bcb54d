import { type CatalogueWithSource, LOCALE } from '@switchroom/contract'

type Choice = { value: string; name: string }

const namesIn = (locale: string) =>
  new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' })

/** A vendor's languages in the person's language, where the server named them by their codes, in English. */
export function withOwnNames(catalogue: CatalogueWithSource): CatalogueWithSource {
  if (LOCALE === 'en-US') return catalogue
  const english = namesIn('en')
  const own = namesIn(LOCALE)
  const renamed = <C extends Choice>(choice: C): C => {
    try {
      if (english.of(choice.value) !== choice.name) return choice
      return { ...choice, name: own.of(choice.value) ?? choice.name }
    } catch {
      // no code of a language
      return choice
    }
  }
  return {
    ...catalogue,
    ...(catalogue.tts && { tts: catalogue.tts.map(renamed) }),
    ...(catalogue.stt && { stt: catalogue.stt.map(renamed) }),
  }
}
