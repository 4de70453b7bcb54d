import { plural, t } from '@switchroom/contract'

const TIMES = [
  t('once'),
  t('twice'),
  t('three times'),
  t('four times'),
  t('five times'),
  t('six times'),
  t('seven times'),
  t('eight times'),
  t('nine times'),
  t('ten times'),
]
export const times = (n: number) => TIMES[n - 1] ?? plural(n, '{n} time|{n} times')

/** A time in milliseconds: `1.3 s`. */
export const seconds = (ms: number) => {
  const s = Math.max(0, ms) / 1_000
  const whole = Math.round(s)
  if (whole >= 60)
    return t('{minutes} min {seconds} s', { minutes: Math.floor(whole / 60), seconds: whole % 60 })
  return `${s < 9.95 ? s.toFixed(1) : whole} s`
}

/** A time of a call: `1:05`. */
export function clock(ms: number) {
  const s = Math.max(0, Math.round(ms / 1_000))
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}

/** Quotes text from a message safely within a sentence. */
export const quoted = (text: string) => {
  const plain = text.replace(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ').trim()
  return `“${[...plain].slice(0, 160).join('')}”`
}
