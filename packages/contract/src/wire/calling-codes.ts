const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i))

/** Zones of E.164 whose codes have two digits; those of all other zones have three. */
const TWO_DIGITS = [
  '20',
  '27',
  ...range(30, 34),
  '36',
  '39',
  '40',
  '41',
  ...range(43, 49),
  ...range(51, 58),
  ...range(60, 66),
  '81',
  '82',
  '84',
  '86',
  ...range(90, 95),
  '98',
]

/** Country codes that can follow the plus, assigned or not. From ITU-T E.164. */
export const CALLING_CODES: readonly string[] = [
  '1',
  '7',
  ...TWO_DIGITS,
  ...range(20, 99)
    .filter((zone) => !zone.startsWith('7') && !TWO_DIGITS.includes(zone))
    .flatMap((zone) => range(Number(`${zone}0`), Number(`${zone}9`))),
]
