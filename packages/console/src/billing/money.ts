import { LOCALE } from '@switchroom/contract'

/** Amounts are cents everywhere but on screen. */
export const money = (cents: number, currency = 'usd') =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).format(cents / 100)
