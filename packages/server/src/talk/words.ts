import { joinedWords, spokenWords } from '@switchroom/contract'

/** The most of what was said in a call that is searched. What comes later is not found. */
export const MAX_WORDS_BYTES = 65_536
/** Stands between what was said at different times, so that no phrase is found across. No word has it. */
const APART = '¶'

/** Texts as they are searched, each once. A word at the limit may be cut. */
export function wordsOf(texts: Iterable<string>): string {
  const parts = new Set<string>()
  let left = MAX_WORDS_BYTES
  for (const text of texts) {
    const said = text.slice(0, left)
    // “don’t” is found as it is, and by those who write “dont”
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

/** Words of at most so many bytes. */
function beginning(words: string, bytes: number): string {
  const all = Buffer.from(words)
  if (all.length <= bytes) return words
  return spokenWords(all.toString('utf8', 0, bytes))
}
