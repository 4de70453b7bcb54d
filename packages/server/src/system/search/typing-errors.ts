import { plainLetters } from '@switchroom/contract'

/** Letters in which one may be wrong. */
const LETTERS_PER_ERROR = 5
const MAX_ERRORS = 3

/** Typing errors allowed in a text: none in fewer than five letters, or in a number or sid. */
export const errorsIn = (typed: string) =>
  Math.min(
    MAX_ERRORS,
    Math.floor((plainLetters(typed).match(/\p{L}/gu)?.length ?? 0) / LETTERS_PER_ERROR),
  )

/**
 * Parts, at least one of which is in any text with this many errors: each error spoils one of them. A transposition may
 * spoil two, so the text is cut at two places each.
 */
export function unspoiledParts(typed: string, errors: number): string[] {
  const letters = Array.from(plainLetters(typed))
  const at = (part: number) => Math.round((part * letters.length) / (errors + 1))
  const parts = [0, 1].flatMap((shift) =>
    Array.from({ length: errors + 1 }, (_, i) =>
      letters.slice(i && at(i) + shift, i === errors ? undefined : at(i + 1) + shift).join(''),
    ),
  )
  return [...new Set(parts)]
}

/** Letters and digits at which a word begins. */
const WORD_STARTS = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu

/** True if a part of the text that begins at a word start matches the typed text, with at most this many errors. */
export function isNear(text: string, typed: string, errors: number): boolean {
  const wanted = Array.from(plainLetters(typed))
  const plain = plainLetters(text)
  return [...plain.matchAll(WORD_STARTS)].some(
    ({ index }) =>
      distance(wanted, Array.from(plain.slice(index, index + wanted.length + errors))) <= errors,
  )
}

/** The letters to change, add, leave out or swap until a text is the beginning of another. */
function distance(wanted: string[], text: string[]): number {
  let before: number[] = []
  let last = text.map((_, j) => j)
  last.push(text.length)
  for (let i = 1; i <= wanted.length; i++) {
    const row = [i]
    for (let j = 1; j <= text.length; j++) {
      const changed = last[j - 1]! + (wanted[i - 1] === text[j - 1] ? 0 : 1)
      const isSwapped =
        i > 1 && j > 1 && wanted[i - 1] === text[j - 2] && wanted[i - 2] === text[j - 1]
      row[j] = Math.min(
        changed,
        last[j]! + 1,
        row[j - 1]! + 1,
        isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return Math.min(...last)
}
