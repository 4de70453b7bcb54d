/** Scripts that a language is written in beside the one that it is named by. */
const ALSO: Record<string, string[]> = {
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul', 'Han'],
  Hans: ['Han'],
  Hant: ['Han'],
}
const ENOUGH_LETTERS = 10

/** True if most of a text is in another script than its language is written in. */
export function isInOtherScript(text: string, language: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  if (letters.length < ENOUGH_LETTERS) return false
  const { script } = new Intl.Locale(language).maximize()
  if (!script) return false
  const scripts = ALSO[script] ?? [script]
  try {
    const own = new RegExp(scripts.map((one) => `\\p{Script=${one}}`).join('|'), 'u')
    return letters.filter((letter) => own.test(letter)).length < letters.length / 2
  } catch {
    // a script that this Node does not know
    return false
  }
}
