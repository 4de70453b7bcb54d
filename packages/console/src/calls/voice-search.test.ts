import { expect, it } from 'vitest'
import { voiceFilters } from './voice-search'

it('takes what a figure of conversations counts', () => {
  const voice_of = 'recognizer/custom%3Aa%2Fb/de-DE'
  expect(voiceFilters({ voice: 'response', voice_of, at_least: '2400' })).toEqual({
    voice: 'response',
    voice_of,
    at_least: 2_400,
  })
  expect(voiceFilters({ voice_of: 'recognizer//' }).voice_of).toBe('recognizer//')
})

it.each([
  { voice: 'silence' },
  { voice_of: 'recognizer/google' },
  { voice_of: 'recognizer/google/de/DE' },
  { voice_of: 'carrier/a/b' },
  { voice_of: 'voice/%/x' },
  { at_least: '-1' },
  { at_least: '1.5' },
  { at_least: 'long' },
])('drops %o, which the server would reject', (raw) => {
  expect(Object.values(voiceFilters(raw))).toEqual([undefined, undefined, undefined])
})
