import { expect, it } from 'vitest'
import { sampleSentence } from './sample-sentences'

it.each([
  ['de-DE', 'Guten Tag'],
  ['de', 'Guten Tag'],
  ['en_us', 'Hello'],
  ['english', 'Hello'],
  ['cmn-CN', '您好'],
  ['nb-NO', 'Hei, og takk'],
  ['spa', 'Hola'],
  ['xx-YY', 'Hello'],
  ['', 'Hello'],
  ['constructor', 'Hello'],
])('greets %s with %s', (language, words) => {
  expect(sampleSentence(language)).toContain(words)
})
