import { formatTenDigits } from '@switchroom/contract'
import { useEffect, useState } from 'react'

type Format = (number: string) => string | undefined
let format: Format | undefined
let loading: Promise<Format> | undefined

/** The phone number library is large, so it is loaded only when a list needs it. */
function load() {
  loading ??= import('libphonenumber-js/min').then(({ parsePhoneNumberFromString }) => {
    format = (number) => {
      const parsed = parsePhoneNumberFromString(`+${number.replace(/^\+/, '')}`)
      return parsed?.isPossible() ? parsed.formatInternational() : undefined
    }
    return format
  })
  return loading
}

/**
 * Other numbers of country code 1, as the library formats every one of them. Most lists of numbers then need no library,
 * and none of their rows changes after it is shown.
 */
const countryCode1 = (number: string) => {
  const m = /^\+?1([2-9]\d{2})(\d{3})(\d{4})$/.exec(number)
  return m ? `+1 ${m[1]} ${m[2]} ${m[3]}` : undefined
}

/** Formats numbers that need no library. */
export const formatAtOnce = (number: string) => formatTenDigits(number) ?? countryCode1(number)
const isPlain = (number: string) => /^\+?\d{7,15}$/.test(number)

/** Formats like `usePhoneFormat`, for text outside of a screen. */
export const phoneText = async (number: string) =>
  formatAtOnce(number) ?? ((isPlain(number) && (await load())(number)) || number)

/** Formats ten digits as the specification says, other numbers internationally; patterns stay as they are. */
export function usePhoneFormat(numbers: readonly string[]) {
  const wanted = !format && numbers.some((n) => isPlain(n) && !formatAtOnce(n))
  const [, again] = useState(false)
  useEffect(() => {
    let mounted = true
    if (wanted)
      load().then(
        () => mounted && again(true),
        () => undefined,
      )
    return () => {
      mounted = false
    }
  }, [wanted])
  return (number: string) =>
    formatAtOnce(number) ?? (isPlain(number) ? (format?.(number) ?? number) : number)
}
