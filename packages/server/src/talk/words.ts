import { joinedWords, spokenWords } from '@switchroom/contract'

/** Most bytes of a call's words that are searched. Later words are not found. */
export const MAX_WORDS_BYTES = 65_536
/** Separates utterances, so that no phrase is found across two. No word contains it. */
const APART = '¶'

/** Texts normalized for search, each once. A word at the limit may be cut. */
export function wordsOf(texts: Iterable<string>): string {
  const parts = new Set<string>()
  let left = MAX_WORDS_BYTES
  for (const text of texts) {
    const said = text.slice(0, left)
    // “don’t” is found in this spelling and as “dont”
    for (const spoken of [spokenWords(said), joinedWords(said)]) {
      // a text becomes longer where a character is several words
      const words = beginning(spoken, Math.max(0, left))
      if (!words || parts.has(words)) continue
      parts.add(words)
      left -= Buffer.byteLength(words) + APART_BYTES
    }
    if (left <= 0) break
  }
  return [...parts].join(APART)
}
const APART_BYTES = Buffer.byteLength(APART)

/** The first words, up to this many bytes. */
function beginning(words: string, bytes: number): string {
  const all = Buffer.from(words)
  if (all.length <= bytes) return words
  return spokenWords(all.toString('utf8', 0, bytes))
}
