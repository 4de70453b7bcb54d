import type { Question } from '@switchroom/contract'

type Digits = NonNullable<Question['digits']>

/**
 * Tells if the pressed keys are complete:
 * - `complete`: at once
 * - `pause`: after a pause
 * - `open`: not yet, so that the platform waits for more until the timeout
 */
export function keyState(keys: string, { min, max, finish_keys }: Digits) {
  if ([...keys].some((key) => finish_keys.includes(key))) return 'complete'
  if (max !== null && max > 0 && keys.length >= max) return 'complete'
  return min !== null && min > 0 && keys.length >= min ? 'pause' : 'open'
}

/** Telephone keys in typed text; other characters are dropped. */
export const keysIn = (text: string) => text.toUpperCase().replace(/[^\dA-D*#]/g, '')
