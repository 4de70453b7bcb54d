/** A typed text, and the other things it may be. */
export type SearchText = {
  text: string
  /** The digits of a number, without an international or trunk prefix; undefined if the text is no number. */
  digits?: string
  /** A whole sid, in lower case. */
  sid?: string
}

const SID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const NUMBER = /^[\d\s+().\-/]+$/
const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$/
/** Fewer digits after a zero are the end of a number, such as the last four: 0084. */
const AFTER_PREFIX = 4

/**
 * The digits that numbers are stored with. Leading zeros are the prefix of a number that is dialled, 00 44 or 020,
 * unless too few digits follow; what contains the digits with them also contains them without.
 */
function digitsOf(text: string): string {
  const digits = text
    .replace(/\(0+\)/g, (zero, at: number) => (at > 0 ? '' : zero))
    .replace(/\D/g, '')
  const bare = digits.replace(/^0+/, '')
  return bare.length >= AFTER_PREFIX ? bare : digits
}

/** Digits that numbers have, or begin with. */
export type NumberPart = { digits: string; begins: boolean }

/** Between the cells of a pasted table, and before each plus. */
const BETWEEN_NUMBERS = /[\n\t,;]+|\s+(?=\+)/
/** No number has more digits. */
const MOST_DIGITS = 15
/** A column of numbers that was pasted into one line. */
const COLUMN = /^(?:\+?\d{5,15}\*?\s+)+\+?\d{5,15}\*?$/

function partsIn(typed: string): string[] {
  const text = typed.trim()
  const isColumn = COLUMN.test(text) && text.replace(/\D/g, '').length > MOST_DIGITS
  return text.split(isColumn ? /\s+/ : BETWEEN_NUMBERS).filter((part) => part.trim())
}
/** Fewer digits are in too many numbers. */
const MIN_DIGITS = 3

/** Several numbers, or the beginning of one with `*` behind it: `+4420*`. Undefined if something else was typed. */
export function numbersIn(typed: string): NumberPart[] | undefined {
  const parts = partsIn(typed)
  const numbers = parts.flatMap((part): NumberPart[] => {
    const begins = /\d\s*\*$/.test(part)
    const number = begins ? part.replace(/\s*\*$/, '') : part
    const { digits = '' } = searchText(number)
    // a trunk prefix is no beginning of a number; one of other countries is
    const found = begins ? number.replace(/\D/g, '').replace(/^00/, '') : digits
    return digits.length < MIN_DIGITS ? [] : [{ digits: found, begins }]
  })
  const isPlain = numbers.length === 1 && !numbers[0]!.begins
  return numbers.length === 0 || numbers.length < parts.length || isPlain ? undefined : numbers
}

/** Decides what a text means that somebody typed to find something. */
export function searchText(typed: string): SearchText {
  const text = typed.trim()
  if (SID.test(text)) return { text, sid: text.toLowerCase() }
  if (NUMBER.test(text) && /\d/.test(text) && !IP_ADDRESS.test(text))
    return { text, digits: digitsOf(text) }
  return { text }
}
