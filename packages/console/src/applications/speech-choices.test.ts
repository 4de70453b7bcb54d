import type { SpeechCatalogue } from '@switchroom/contract'
import { expect, it } from 'vitest'
import {
  pickRecognized,
  pickSynthesis,
  pickVoice,
  vendorOptions,
  voiceOptions,
  withStored,
} from './speech-choices'

const named = (...values: string[]) => values.map((value) => ({ value, name: value }))
const speaks = (byLanguage: Record<string, string[]>): SpeechCatalogue => ({
  tts: Object.entries(byLanguage).map(([value, voices]) => ({
    value,
    name: value,
    voices: named(...voices),
  })),
})
const hears = (...languages: string[]): SpeechCatalogue => ({ stt: named(...languages) })

const google = speaks({ 'de-DE': ['de-A'], 'en-US': ['en-US-Standard-A', 'en-US-Standard-C'] })
const before = { language: 'de-DE', voice: 'Hans' }

it.each([
  ['google', google, before, { language: 'en-US', voice: 'en-US-Standard-C' }],
  ['google', google, { language: 'de-DE', voice: 'de-A' }, { language: 'de-DE', voice: 'de-A' }],
  ['aws', speaks({ 'en-US': ['Joanna'], 'de-DE': ['Vicki'] }), before, ['de-DE', 'Vicki']],
  ['aws', speaks({ 'fr-FR': ['Léa'], 'en-US': ['Joanna'] }), before, ['en-US', 'Joanna']],
  ['verbio', speaks({ 'es-ES': ['David'] }), before, ['es-ES', 'David']],
  ['elevenlabs', speaks({ de: ['Rachel'], en: ['Rachel'] }), before, ['en', 'Rachel']],
  ['whisper', speaks({ 'en-US': ['alloy'] }), before, ['en-US', 'alloy']],
  ['playht', speaks({ afrikaans: [], english: ['Jennifer'] }), before, ['english', 'Jennifer']],
  ['playht', speaks({ 'en-GB': ['Ben'], 'en-US': ['Jen'] }), before, ['en-US', 'Jen']],
  ['cartesia', speaks({ de: ['Eva'], en: ['Ann'] }), before, ['en', 'Ann']],
  ['rimelabs', speaks({ spa: ['nova'], eng: ['luna'] }), before, ['eng', 'luna']],
  ['rimelabs', speaks({ spa: ['nova'] }), before, ['spa', 'nova']],
  ['inworld', speaks({ de: ['Josef'] }), before, ['de', 'Josef']],
  ['deepgram', { models: named('aura-a', 'aura-b') }, before, ['de-DE', 'aura-a']],
  ['deepgram', { models: named('a', 'Hans') }, before, ['de-DE', 'Hans']],
  ['gladia', {}, before, ['de-DE', '']],
])('%s is first given what is usual with it', (vendor, catalogue, was, pick) => {
  const [language, voice] = Array.isArray(pick) ? pick : [pick.language, pick.voice]
  expect(pickSynthesis(vendor, catalogue, was)).toEqual({ language, voice })
})

it.each([
  ['google', hears('af-ZA', 'en-US'), 'de', 'en-US'],
  ['google', hears('af-ZA', 'en-US', 'de'), 'de', 'de'],
  ['aws', hears('af-ZA', 'en-US'), 'de', 'en-US'],
  ['cobalt', hears('ru_ru-8khz', 'en_US-8khz'), 'en-US', 'en_US-8khz'],
  ['deepgram', hears('multi', 'en'), 'en-US', 'multi'],
  ['playht', {}, 'en-US', 'en-US'],
])('%s first hears what is usual with it', (vendor, catalogue, was, language) => {
  expect(pickRecognized(vendor, catalogue, was)).toBe(language)
})

it('changes the voice with the language', () => {
  expect(pickVoice('google', google, 'en-US')).toBe('en-US-Standard-C')
  expect(pickVoice('google', google, 'de-DE')).toBe('de-A')
  expect(pickVoice('google', google, 'xx')).toBe('')
})

it('offers voices by name, the shared ones with every language', () => {
  const shared = speaks({ en: ['b', 'a'], de: [] })
  expect(voiceOptions('elevenlabs', shared, 'de').map((o) => o.value)).toEqual(['a', 'b'])
  expect(voiceOptions('aws', shared, 'de')).toEqual([])
})

it('offers vendors by what they can do, and the one that is stored', () => {
  const ids = (direction: 'tts' | 'stt', stored = '') =>
    vendorOptions(direction, stored).map((o) => o.value)
  for (const deaf of ['wellsaid', 'elevenlabs', 'whisper', 'resemble'])
    expect(ids('stt')).not.toContain(deaf)
  for (const mute of ['assemblyai', 'openai', 'deepgramflux', 'cobalt', 'houndify'])
    expect(ids('tts')).not.toContain(mute)
  expect(vendorOptions('tts', 'custom:mine').at(-1)).toEqual({
    value: 'custom:mine',
    label: 'mine (custom)',
  })
  expect(vendorOptions('tts', 'gladia').at(-1)?.label).toBe('Gladia')
  expect(withStored([{ value: 'a', label: 'A' }], 'old')[0]).toEqual({ value: 'old', label: 'old' })
})
