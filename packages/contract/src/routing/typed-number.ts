import { t } from '../wire/text.ts'

export const NOT_A_NUMBER = t(
  'Enter digits with an optional +, or a pattern such as 1508* or {pattern}',
  { pattern: '^1508\\d{7}$' },
)

export const CHANGED_BY_SPREADSHEET = t(
  'This looks like a number that a spreadsheet has changed. Format the column as text and enter it again',
)

/** Digits with one decimal point or comma, or with an exponent: `15085550105.0`, `1.5085550106`, `4,41E+11`. */
const CHANGED = /^\+?\d+(?:[.,]\d+)?(?:E[+-]?\d+)?$/i

export const isChangedBySpreadsheet = (text: string) => CHANGED.test(text) && !/^\+?\d+$/.test(text)

/**
 * Why a number that a person brings is refused, although the platform would take it for a pattern: dots stand for any
 * digit, but only a text with more of a pattern in it is meant as one.
 */
export function typedNumberProblem(text: string): string | undefined {
  if (isChangedBySpreadsheet(text)) return CHANGED_BY_SPREADSHEET
  return /^\+?\d+(?:[.,/-]\d+)+$/.test(text) ? NOT_A_NUMBER : undefined
}

/** Characters that nobody sees, for a character class: soft hyphens, zero-width ones, marks of writing directions. */
export const UNSEEN = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff'

const WRITTEN = /^\+?[\d ()/-]+$/
const WITH_DOTS = /^\+?\d+(?:\.\d{2,}){2,}$/
const ODD = new RegExp(`[\\s${UNSEEN}]`, 'g')

/**
 * A number as people write it, +44 (0)20 7946-0958 or 01.23.45.67.89, as it is stored. What may be a pattern stays as it is: a
 * text with one dot is no written number.
 */
export function asStored(text: string): string {
  const seen = text.replace(ODD, (odd) => (/\s/.test(odd) ? ' ' : ''))
  if (!WRITTEN.test(seen) && !WITH_DOTS.test(seen)) return text
  const digits = seen.replace(seen.startsWith('+') ? /\(0\)|\D/g : /\D/g, '')
  return digits.length >= 7 && digits.length <= 15 ? digits : text
}
