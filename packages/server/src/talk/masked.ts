import type { WordsKept } from '@switchroom/contract'

/** What an account wants of the words of its calls, other than all. */
export type Redacted = Exclude<WordsKept, 'keep'>

/** What stands for a digit, and for an e-mail address. */
export const DIGIT = '•'
const ADDRESS = '•••'

/** A text without its digits, of any script, and e-mail addresses. Takes a time in proportion to its length. */
export const masked = (text: string): string => withoutAddresses(text).replace(/\p{Nd}/gu, DIGIT)

const isSpace = (c: string | undefined) => c !== undefined && /\s/.test(c)
const isPart = (c: string | undefined) =>
  c !== undefined && /[^\s@＠﹫,;:<>()[\]{}"“”„«»，。、！？؟،؛]/.test(c)
const ends = (c: string | undefined) => c !== undefined && ".!?'．".includes(c)
/** In narrow letters or wide ones. */
const AT = /[@＠﹫]/g
const DOT = /[.．｡]/

const isCut = (text: string, at: number) => at === text.length || text.startsWith('...', at)

function withoutAddresses(text: string): string {
  let plain = ''
  let done = 0
  // a pattern would look through the same text again and again
  for (const { index: at } of text.matchAll(AT)) {
    const address = addressAround(text, at)
    if (!address) continue
    // several in a row share what is between them
    if (address.from >= done) plain += text.slice(done, address.from) + ADDRESS
    done = Math.max(done, address.to)
  }
  return plain + text.slice(done)
}

/** Where the address is whose `@` this is, also with a space on either side of it. */
function addressAround(text: string, at: number) {
  let from = isSpace(text[at - 1]) ? at - 1 : at
  let to = isSpace(text[at + 1]) ? at + 2 : at + 1
  const isSpaced = from < at || to > at + 1
  const [user, domain] = [from, to]
  while (isPart(text[from - 1])) from--
  while (isPart(text[to])) to++
  while (to > domain && ends(text[to - 1])) to--
  if (from === user) return undefined
  // a text that was cut may end within an address
  if (to === domain) return isCut(text, to) ? { from, to } : undefined
  if (isSpaced && !DOT.test(text.slice(domain, to))) return undefined
  return { from, to }
}
