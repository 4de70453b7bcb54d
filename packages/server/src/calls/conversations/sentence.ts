import { seconds as ofMicroseconds } from '../captures/finding-text.ts'

/** A time in milliseconds: `1.3 s`. */
export const seconds = (ms: number) => ofMicroseconds(ms * 1_000)

/** A time of a call: `1:05`. */
export function clock(ms: number) {
  const s = Math.max(0, Math.round(ms / 1_000))
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}
