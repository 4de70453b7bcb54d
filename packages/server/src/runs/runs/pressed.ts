import type { Question } from '@switchroom/contract'
import type { Members } from './run-application.ts'

const number = (value: unknown) => (Number.isFinite(value) ? Number(value) : null)

/** When the keys of a gather are complete. */
export const digitsWanted = (data: Members): NonNullable<Question['digits']> => ({
  min: number(data.minDigits),
  max: number(data.numDigits) ?? number(data.maxDigits),
  finish_keys: typeof data.finishOnKey === 'string' ? data.finishOnKey.slice(0, 50) : '',
})

/** What the platform takes of pressed keys. Undefined if they are too few, so that it waits for more until it gives up. */
export function digitsOf(
  pressed: string,
  { min, max, finish_keys }: NonNullable<Question['digits']>,
): string | undefined {
  let digits = ''
  for (const key of pressed) {
    if (finish_keys.includes(key)) return digits
    digits += key
    if (max !== null && digits.length >= max) return digits
  }
  // the pause after a key ends them only where a least number is said
  return min !== null && min > 0 && digits.length >= min ? digits : undefined
}
