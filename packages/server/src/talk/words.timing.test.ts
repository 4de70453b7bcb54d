import { foundWords, spokenWords, wantedWords } from '@switchroom/contract'
import { expect, it } from 'vitest'

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
  // this thread's own time: a busy machine does not count
  const start = process.threadCpuUsage()
  const words = spokenWords(long)
  wantedWords(long)
  foundWords(long, wantedWords(text))
  // some hundredths of a second; ten seconds where the work grows with the square of the length
  const { user, system } = process.threadCpuUsage(start)
  expect((user + system) / 1_000).toBeLessThan(3_000)
  expect(words).toMatch(/^( .* )?$/s)
})
