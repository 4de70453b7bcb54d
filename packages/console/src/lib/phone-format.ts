import { formatTenDigits } from '@switchroom/contract'
import { useEffect, useState } from 'react'

type Format = (number: string) => string | undefined
let format: Format | undefined
let loading: Promise<Format> | undefined

/** The tables of the world's numbers are large: they come only when a list has need of them. */
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

/** Ten digits by the spec's rule, other numbers internationally, patterns as they are. */
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
