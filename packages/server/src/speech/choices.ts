type Choice = { value: string; name: string }

const language = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })

/** The name of a language, or its code if it has none. */
export function nameOf(code: string): string {
  try {
    return language.of(code) ?? code
  } catch {
    // not a standard code
    return code
  }
}

/** Languages from a list of codes: `en-US es-ES`. */
export const languages = (codes: string): Choice[] =>
  codes.split(' ').map((value) => ({ value, name: nameOf(value) }))

/** Choices from a list of values with optional names: `arcana sp=Spanish`. */
export const choices = (text: string, separator = ' '): Choice[] =>
  text.split(separator).map((choice) => {
    const [value = '', name] = choice.split('=')
    return { value, name: name ?? value }
  })

/** Voices by language code, each list in the format of `choices`. */
export const voicesByLanguage = (byLanguage: Record<string, string>, separator = ' ') =>
  Object.entries(byLanguage).map(([value, voices]) => ({
    value,
    name: nameOf(value),
    voices: choices(voices, separator),
  }))

/** The same voices for every language. */
export const sameVoices = (codes: string, voices: string) => {
  const offered = choices(voices, ', ')
  return languages(codes).map((l) => ({ ...l, voices: offered }))
}

const collator = new Intl.Collator('en')
const inOrder = <C extends Choice>(list: Iterable<C>) =>
  [...list].sort((a, b) => collator.compare(a.name, b.name))

/** Groups a flat list of voices by language. Languages and voices are sorted by name. */
export function byLanguage(
  voices: Iterable<{ language: string; languageName?: string; value: string; name: string }>,
) {
  const languagesByCode = new Map<string, Choice & { voices: Map<string, Choice> }>()
  for (const { language, languageName, value, name } of voices) {
    let of = languagesByCode.get(language)
    if (!of) {
      of = { value: language, name: languageName ?? nameOf(language), voices: new Map() }
      languagesByCode.set(language, of)
    }
    if (!of.voices.has(value)) of.voices.set(value, { value, name })
  }
  return inOrder(languagesByCode.values()).map((l) => ({
    ...l,
    voices: inOrder(l.voices.values()),
  }))
}

/** Languages that most vendors support, with countries. */
export const LOCALES =
  'ar-AE ar-SA bg-BG ca-ES cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-IE en-IN en-NZ en-US en-ZA es-ES es-MX es-US et-EE fi-FI fr-BE fr-CA fr-CH fr-FR he-IL hi-IN hr-HR hu-HU id-ID it-IT ja-JP ko-KR lt-LT lv-LV ms-MY nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI sr-RS sv-SE ta-IN te-IN th-TH tr-TR uk-UA vi-VN zh-CN zh-TW'
/** Languages that most vendors support, without countries. */
export const COMMON = 'en es fr de it pt nl pl ru tr uk ja ko zh hi ar cs da fi sv ro el hu'
