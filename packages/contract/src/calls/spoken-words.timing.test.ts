import { expect, it } from 'vitest'
import { foundWords, spokenWords, wantedWords } from './spoken-words.ts'

it.each([
  'a',
  'é',
  '\u0301',
  'नि',
  '付',
  'ก็',
  '"',
  "'",
  ' x',
  '😀',
  '\ufdfa',
  'שָ"',
  '\0',
  '\u00ad',
])('words of 100 kB of %j take little time', (text) => {
  const long = text.repeat(100_000 / text.length)
  const start = performance.now()
  const words = spokenWords(long)
  wantedWords(long)
  foundWords(long, wantedWords(text))
  // some hundredths of a second; ten seconds where the work grows with the square of the length
  expect(performance.now() - start).toBeLessThan(3_000)
  expect(words).toMatch(/^( .* )?$/s)
})
