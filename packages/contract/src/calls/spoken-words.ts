/** Words without case, accents and punctuation, of any script, each with a space before it, and one at the end. */
export function spokenWords(text: string): string {
  // other scripts have vowels among their combining marks
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
  let words = ''
  // also where words are written without spaces between them
  for (const { segment, isWordLike } of segmenter().segment(plain))
    if (isWordLike) words += ` ${segment}`
  return words && `${words} `
}

let made: Intl.Segmenter | undefined
const segmenter = () => {
  made ??= new Intl.Segmenter('en', { granularity: 'word' })
  return made
}

/**
 * What must all be in `spokenWords`, as text: each word as the beginning of one, and what is in quotation marks as words
 * that follow each other. Empty if there is no word.
 */
export function wantedWords(search: string): string[] {
  const wanted = new Set<string>()
  for (const [, quoted, word] of search.matchAll(/["“„«]([^"“”«»]+)["”“»]?|([^\s"“”„«»]+)/gu)) {
    const words = spokenWords(quoted ?? word ?? '').trimEnd()
    if (words) wanted.add(words)
  }
  return [...wanted]
}
