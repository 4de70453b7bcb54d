import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { expect, it } from 'vitest'
import { formatAtOnce } from './phone-format'

const byLibrary = (number: string) =>
  parsePhoneNumberFromString(`+${number.replace('+', '')}`)?.formatInternational()

it('formats numbers of country code 1 as the library does', () => {
  for (let area = 200; area < 1_000; area++)
    for (const rest of ['0001234', '1119999', '0115550'])
      expect(formatAtOnce(`1${area}${rest}`)).toBe(byLibrary(`1${area}${rest}`))
  expect(formatAtOnce('+18765550123')).toBe('+1 876 555 0123')
})

it('leaves other numbers to the library', () => {
  for (const number of ['491701234567', '10234567890', '11234567890', '1508005280', '44123'])
    expect(formatAtOnce(number)).toBeUndefined()
})

it('formats valid numbers of North America as the specification says', () => {
  expect(formatAtOnce('15085550123')).toBe('+1 (508) 555-0123')
  expect(formatAtOnce('5085550123')).toBe('(508) 555-0123')
})
