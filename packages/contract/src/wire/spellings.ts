/** Letters that Unicode does not decompose. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  '’': "'",
  '‘': "'",
}
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
const ASCII = /^[\0-\x7f]*$/

/** A text without case, accents and ligatures, as it is compared by those who search. */
export function plainLetters(text: string): string {
  const lower = text.toLowerCase()
  if (ASCII.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(SPECIAL, (letter) => PLAIN[letter]!)
}

/** German spelling without umlauts: ü is `ue`. */
const withE = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[äöü]/g, (letter) => `${plainLetters(letter)}e`)

/** Spellings of a text in `plainLetters`: Muller and Mueller find the same. */
export const spellings = (typed: string): string[] => [
  ...new Set([
    plainLetters(typed),
    plainLetters(withE(typed)),
    plainLetters(typed).replace(/([aou])e/g, '$1'),
  ]),
]

/** The words of what was typed. */
export const wordsIn = (typed: string): string[] => typed.split(/\s+/).filter(Boolean)

/** True if each typed word is in one of the texts, in any spelling. */
export function hasWords(texts: readonly (string | null | undefined)[], typed: string): boolean {
  const plain = texts.flatMap((text) => (text ? plainLetters(text) : []))
  return wordsIn(typed).every((word) =>
    spellings(word).some((part) => plain.some((text) => text.includes(part))),
  )
}
