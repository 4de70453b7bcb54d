import { expect, it } from 'vitest'
import { hasWords, plainLetters } from './spellings.ts'

it.each([
  ['Vogelmühle', 'vogelmuhle'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['São Paulo', 'sao paulo'],
  ['Łódź', 'lodz'],
  ['O’Brien', "o'brien"],
  ['Ærø', 'aero'],
])('%s is %s without its marks', (text, plain) => {
  expect(plainLetters(text)).toBe(plain)
})

it.each([
  ['Vogelmühle Klinik', 'klinik vogelmuehle', true],
  ['Mueller', 'Müller', true],
  ['Müller', 'Mueller', true],
  ['Aldermoor', 'alder moor', true],
  ['Aldermoor', 'alder north', false],
  ['Aldermoor', '', true],
])('%s has the words of “%s”: %s', (text, typed, has) => {
  expect(hasWords([text, null], typed)).toBe(has)
})
