import type { ConversationEntry } from '@switchroom/contract'

/** Features of an entry that decide if another call has the same step. */
export type Step = {
  kind: ConversationEntry['kind']
  /** The side that was heard; empty for other kinds. */
  side: string
  /** Outcome of listening, or the file played; empty for entries matched by their words. */
  key: string
  /** Sorted ids of the words. All numbers count as one word. */
  words: Uint32Array
  /** Number of further words that may be names. */
  names: number
  firstWord: string
  is_cut: boolean
}

// scripts without spaces between words are split into characters
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{M}'’]+/gu
const QUOTED = /“[^”]*”/g
/** Words compared of an entry; more would add nothing. */
const WORDS = 40

/** True if a word may be a name: it is capitalized and does not start a sentence. */
const isName = (text: string, word: RegExpExecArray) =>
  /^\p{Lu}/u.test(word[0]) &&
  /[^.!?:]\s*$/u.test(text.slice(Math.max(0, word.index - 3), word.index))

function wordsOf(text: string, is_cut: boolean) {
  const found = [...text.slice(0, 1_000).matchAll(WORD)].slice(0, WORDS)
  // the last word of a text that was cut may be half of one
  const whole = is_cut && found.length > 1 ? found.slice(0, -1) : found
  const names = whole.filter((word) => isName(text, word))
  const words = whole.map(([word]) => (/^\p{N}/u.test(word) ? '#' : word.toLowerCase()))
  return { words, names: names.length }
}

const NO_WORDS = new Uint32Array()

/** Reads entries as steps. Only those of the same reader can be compared. */
export function stepReader(): (entry: ConversationEntry) => Step {
  const numbers = new Map<string, number>()
  const numberOf = (word: string) => {
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    return number
  }
  const told = (text: string, is_cut: boolean) => {
    const { words, names } = wordsOf(text, is_cut)
    return { words: Uint32Array.from(words, numberOf).sort(), names, firstWord: words[0] ?? '' }
  }
  return (entry) => {
    const { kind } = entry
    const step = {
      kind,
      side: '',
      key: '',
      words: NO_WORDS,
      names: 0,
      firstWord: '',
      is_cut: false,
    }
    if (kind === 'heard') return { ...step, side: entry.side, key: entry.outcome }
    if (kind === 'event') return { ...step, ...told(entry.text.replace(QUOTED, '0'), false) }
    if (kind === 'recorded') return { ...step, side: entry.side, ...told(entry.text, false) }
    if (kind === 'model')
      return {
        ...{ ...step, side: entry.side, key: entry.what },
        ...told(entry.tool?.name ?? entry.text ?? '', false),
      }
    const { text, url, is_cut } = entry
    return { ...step, ...told(text ?? '', is_cut), key: url ?? '', is_cut }
  }
}

/** Number of words that both have. Both are sorted. */
function common(a: Uint32Array, b: Uint32Array): number {
  let i = 0
  let j = 0
  let n = 0
  while (i < a.length && j < b.length) {
    const left = a[i]!
    const right = b[j]!
    if (left === right) {
      n++
      i++
      j++
    } else if (left < right) i++
    else j++
  }
  return n
}

/** Share of words that are the same, from 0 to 1. Names that differ count as half. */
function shareOf(a: Step, b: Step): number {
  const shorter = Math.min(a.words.length, b.words.length)
  const longer = Math.max(a.words.length, b.words.length)
  if (longer === 0) return a.key === b.key ? 1 : 0
  const same = common(a.words, b.words)
  const names = Math.min(a.names, b.names, shorter - same)
  return Math.min(1, (same + names / 2) / (a.is_cut || b.is_cut ? shorter || longer : longer))
}

/** True if both say the same. Prompts may differ in names and numbers, events in numbers and in the subject. */
export function saysSame(a: ConversationEntry, b: ConversationEntry): boolean {
  const stepOf = stepReader()
  const [left, right] = [stepOf(a), stepOf(b)]
  if (left.kind !== right.kind || left.side !== right.side || left.key !== right.key) return false
  const share = shareOf(left, right)
  return left.kind === 'event' ? share === 1 : share > 0.5
}

/** Highest worth of a pair, by kind. */
export const MOST: Record<Step['kind'], number> = {
  said: 16,
  recorded: 8,
  model: 8,
  heard: 5,
  event: 4,
}

/**
 * Worth of putting two steps side by side; 0 if they must not be. What an application says leads: a
 * prompt that both calls have outweighs several that only stand at the same place.
 */
export function worthOf(a: Step, b: Step): number {
  if (a.kind !== b.kind || a.side !== b.side) return 0
  if (a.kind === 'heard') return a.key === b.key ? MOST.heard : 3
  const share = a.key === b.key ? shareOf(a, b) : 0
  if (a.kind === 'said') return share === 1 ? MOST.said : share > 0.5 ? 12 : 2
  if (a.kind === 'recorded' || a.kind === 'model')
    return a.key !== b.key ? 0 : share === 1 ? MOST[a.kind] : share > 0.5 ? 6 : 2
  if (share > 0.5) return share === 1 ? MOST.event : 3
  return a.firstWord === b.firstWord ? 2 : 0
}
