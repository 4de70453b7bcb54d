import { t } from '@switchroom/contract'

const two = (n: number) => String(n).padStart(2, '0')

/** An hour of the day, 0 to 23. */
export const hourText = (hour: number) =>
  t('{from}:00 to {to}:00', { from: two(hour), to: two((hour + 1) % 24) })
