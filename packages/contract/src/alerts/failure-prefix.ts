import { CALLING_CODES } from '../wire/calling-codes.ts'

/** Digits after the calling code: area codes where all have three, else what tells regions and mobiles apart. */
const digitsAfter = (code: string) => (code === '1' || code === '7' ? 3 : 2)

/** Fewer digits without a plus are a national number or an extension. */
const INTERNATIONAL = 11

/**
 * The beginning of a called or calling number that failures are gathered by: `+4930` of an international number,
 * else its first three digits. Empty for what is no number, such as a SIP user.
 */
export function failurePrefix(called: string | null): string {
  const user = (called ?? '').replace(/^(?:sips?|tel):/i, '').split(/[@;]/, 1)[0]!
  if (!/^\+?[\d\s().-]+$/.test(user)) return ''
  const digits = user.replace(/\D/g, '')
  const isInternational =
    user.startsWith('+') || user.startsWith('00') || digits.length >= INTERNATIONAL
  const number = digits.replace(/^0+/, '')
  const code =
    isInternational && !/^0(?!0)/.test(user)
      ? CALLING_CODES.find((c) => number.startsWith(c))
      : undefined
  return code === undefined
    ? digits.slice(0, 3)
    : `+${number.slice(0, code.length + digitsAfter(code))}`
}

/** A prefix as people read it: `+49 30`. */
export function prefixText(prefix: string): string {
  const code = CALLING_CODES.find((c) => prefix.startsWith(`+${c}`))
  if (code === undefined) return prefix
  return `+${code} ${prefix.slice(code.length + 1)}`.trim()
}
