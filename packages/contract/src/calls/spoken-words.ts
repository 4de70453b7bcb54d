/** Scripts without spaces between words. Each of their letters is a word: where theirs end, dictionaries differ. */
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Bopo', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Tibt']

/** A pattern for words; `joined` is what they may have in them besides. Made when needed: few screens search. */
function wordPattern(joined = '') {
  const unspaced = SCRIPTS.map((script) => String.raw`\p{scx=${script}}`).join('')
  const letters = String.raw`\p{L}\p{M}\p{N}`
  return new RegExp(
    String.raw`(?=[${letters}])[${unspaced}][\p{M}${joined}]*|(?:(?![${unspaced}])[${letters}${joined}])+`,
    'gu',
  )
}
let word: RegExp | undefined
let run: RegExp | undefined

/** Accents, and vowels that Arabic and Hebrew mostly leave out. Other scripts have theirs among these marks. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/gu
/** Nothing that is seen, such as a soft hyphen or the direction of text. */
const INVISIBLE = /\p{Cf}/gu
const FOLDED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
}
const FOLDS = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g')

/** Words without case, accents and punctuation, of any script, each with a space before it, and one at the end. */
export function spokenWords(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(FOLDS, (letter) => FOLDED[letter]!)
  word ??= wordPattern()
  const words = plain.match(word) ?? []
  return words.length > 0 ? ` ${words.join(' ')} ` : ''
}

/** Characters within a word or a number that some write and others leave out: “don’t”, “re-enter”, “1,000”. */
const JOINER = /(?<=\p{L})['’‘ʼ‐‑-](?=\p{L})|(?<=\p{N})[,.'’\u00a0\u202f](?=\p{N}{3}(?!\p{N}))/gu

/** Returns the `spokenWords` of a text without the characters that join words; empty if it has none of these. */
export function joinedWords(text: string): string {
  const joined = text.replace(JOINER, '')
  return joined === text ? '' : spokenWords(joined)
}

/** The mark of an abbreviation in Hebrew, which many type as a quotation mark. */
const GERSHAYIM = /(?<=\p{Script=Hebrew})["”](?=\p{Script=Hebrew})/gu

/**
 * Returns the texts that must all be in `spokenWords`: each word as the beginning of one, and words in quotation marks
 * as words that follow each other. Empty if there is no word.
 */
export function wantedWords(search: string): string[] {
  const wanted = new Set<string>()
  const typed = search.replace(GERSHAYIM, '״')
  for (const [, quoted, word] of typed.matchAll(/["“„«]([^"“”«»]+)["”“»]?|([^\s"“”„«»]+)/gu)) {
    const words = spokenWords(quoted ?? word ?? '').trimEnd()
    if (words) wanted.add(words)
  }
  return [...wanted]
}

/** The longest text that calls are searched by. */
export const SAID_MAX = 200
/** The most words and phrases that are searched for at once. */
export const PHRASES_MAX = 10

/** True if calls can be searched by this text. */
export function isSearchable(said: string) {
  const wanted = said.length <= SAID_MAX ? wantedWords(said) : []
  return wanted.length > 0 && wanted.length <= PHRASES_MAX
}

/** Finds the wanted words in a text. Returns the beginning and end of each, in order and without overlap. */
export function foundWords(text: string, wanted: readonly string[]): [from: number, to: number][] {
  run ??= wordPattern(String.raw`\p{Cf}`)
  const written = [...text.matchAll(run)].map(({ 0: one, index }) => ({ one, index }))
  const joined = joinedRuns(text, written)
  const found = foundIn(written, wanted)
  return joined.length === written.length ? found : united([...found, ...foundIn(joined, wanted)])
}

type Written = { one: string; index: number }

/** The same, with those as one that something joins. */
function joinedRuns(text: string, written: readonly Written[]): Written[] {
  const joiners = new Set([...text.matchAll(JOINER)].map(({ index }) => index))
  const joined: Written[] = []
  for (const { one, index } of written) {
    const last = joined.at(-1)
    const end = last ? last.index + last.one.length : -1
    if (last && index === end + 1 && joiners.has(end))
      last.one = text.slice(last.index, index + one.length)
    else joined.push({ one, index })
  }
  return joined
}

function united(found: readonly [number, number][]): [from: number, to: number][] {
  const all: [number, number][] = []
  for (const [from, to] of found.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}

function foundIn(written: readonly Written[], wanted: readonly string[]): [number, number][] {
  const runs: { at: number; from: number; to: number; isFound: boolean }[] = []
  let all = ''
  for (const { one, index: from } of written) {
    const words = spokenWords(one.replace(JOINER, '')).trimEnd()
    if (words) runs.push({ at: all.length, from, to: from + one.length, isFound: false })
    all += words
  }
  for (const words of wanted) {
    let first = 0
    for (let at = all.indexOf(words); at >= 0; at = all.indexOf(words, at + 1)) {
      while ((runs[first + 1]?.at ?? all.length) <= at) first++
      for (let i = first; i < runs.length && runs[i]!.at < at + words.length; i++)
        runs[i]!.isFound = true
    }
  }
  const found: [number, number][] = []
  for (const [i, { from, to, isFound }] of runs.entries())
    if (isFound && runs[i - 1]?.isFound) found.at(-1)![1] = to
    else if (isFound) found.push([from, to])
  return found
}
