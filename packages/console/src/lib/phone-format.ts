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

const tenDigits = (number: string) => formatTenDigits(number)
const isPlain = (number: string) => /^\+?\d{7,15}$/.test(number)

/** Formats ten digits as the specification says, other numbers internationally; patterns stay as they are. */
export function usePhoneFormat(numbers: readonly string[]) {
  const wanted = !format && numbers.some((n) => isPlain(n) && !tenDigits(n))
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
    tenDigits(number) ?? (isPlain(number) ? (format?.(number) ?? number) : number)
}
