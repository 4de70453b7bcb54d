import { isIP } from 'node:net'
import { CALLING_CODES } from '@switchroom/contract'

/** Fewer digits are an extension or a service such as 112, and are not shown at all. */
const NUMBER_DIGITS = 7
/** Fewer digits without a plus are a national number. */
const INTERNATIONAL_DIGITS = 11

/** Names that callers without a number use; they are kept. */
const NOBODY = new Set(['anonymous', 'restricted', 'unavailable', 'unknown'])

/** `+15085551234` as `+1xxxxxxxx34`: the rest shows the notation and the length. Anything else is `user`. */
export function shortNumber(text: string): string {
  if (NOBODY.has(text.toLowerCase())) return text.toLowerCase()
  const digits = text.replace(/\D/g, '')
  if (digits === '' || !/^\+?[\d\s().*#-]+$/.test(text)) return 'user'
  const plus = text.startsWith('+')
  const hidden = (n: number) => 'x'.repeat(n)
  if (digits.length < NUMBER_DIGITS) return `${plus ? '+' : ''}${hidden(digits.length)}`
  const isInternational = plus || digits.length >= INTERNATIONAL_DIGITS
  const code = (isInternational && CALLING_CODES.find((c) => digits.startsWith(c))) || ''
  return `${plus ? '+' : ''}${code}${hidden(digits.length - code.length - 2)}${digits.slice(-2)}`
}

/** The user part of a URI, or a record's number: without parameters, password and escapes. */
export function shortUser(user: string): string {
  const [name = ''] = user.split(/[;:]/, 1)
  return shortNumber(name.replace(/%2b/gi, '+').replace(/%23/g, '#'))
}

/** Shortens the caller of a record: a number, or a URI. */
export const shortParty = (party: string) =>
  shortUser(party.replace(/^(?:sips?|tel):/i, '').split('@', 1)[0]!)

/** Digits that may be a number within a sentence. */
const DIGITS = /\+?\d(?:[ ().-]{0,2}\d){4,}/g
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** A sentence of the carrier's, without addresses and sids, and with its numbers shortened. */
export const shortText = (text: string) =>
  text
    .slice(0, 200)
    .replace(/\p{C}/gu, ' ')
    .replace(/\S*@\S*/g, 'user@hidden')
    .replace(UUID, 'hidden')
    .replace(DIGITS, shortNumber)

/** A host as it may be shown: an address, or one of the carrier's own names. */
export function shortHost(host: string, names: readonly string[]): string {
  const plain = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  const isKnown = isIP(plain) || names.some((name) => plain === name || plain.endsWith(`.${name}`))
  return isKnown ? host.toLowerCase() : 'hidden.invalid'
}
