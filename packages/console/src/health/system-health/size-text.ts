import { numberText } from '@switchroom/contract'

const UNITS = ['kB', 'MB', 'GB', 'TB']
const DIGITS = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false }

/** `14.2 MB` */
export function sizeText(bytes: number) {
  if (bytes < 1_000) return `${bytes} B`
  let size = bytes / 1_000
  let unit = 0
  // 999.95 would be shown as 1000.0
  while (size >= 999.95 && unit < UNITS.length - 1) {
    size /= 1_000
    unit++
  }
  return `${numberText(size, DIGITS)} ${UNITS[unit]}`
}
