import type { SpeechCatalogue } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { pickRecognizerLanguage, pickSynthesis, pickVoice } from './speech-defaults'

const options = (...values: string[]) => values.map((value) => ({ value, name: value }))
const synthesisCatalogue = (byLanguage: Record<string, string[]>): SpeechCatalogue => ({
  tts: Object.entries(byLanguage).map(([value, voices]) => ({
    value,
    name: value,
    voices: options(...voices),
  })),
})
const recognitionCatalogue = (...languages: string[]): SpeechCatalogue => ({
  stt: options(...languages),
})

const google = synthesisCatalogue({
  'de-DE': ['de-A', 'de-B'],
  'en-US': ['en-US-Standard-A', 'en-US-Standard-C'],
})
const before = { language: 'de-DE', voice: 'Hans' }

it.each([
  ['google', google, before, ['en-US', 'en-US-Standard-C']],
  ['google', google, { language: 'de-DE', voice: 'de-B' }, ['de-DE', 'de-A']],
  ['google', synthesisCatalogue({ 'fr-FR': ['fr-A'] }), before, ['fr-FR', 'fr-A']],
  [
    'aws',
    synthesisCatalogue({ 'en-US': ['Joanna'], 'de-DE': ['Vicki', 'Hans'] }),
    before,
    ['de-DE', 'Vicki'],
  ],
  [
    'aws',
    synthesisCatalogue({ 'fr-FR': ['Léa'], 'en-US': ['Joanna'] }),
    before,
    ['en-US', 'Joanna'],
  ],
  ['verbio', synthesisCatalogue({ 'es-ES': ['David'] }), before, ['es-ES', 'David']],
  ['elevenlabs', synthesisCatalogue({ de: ['Rachel'], en: [] }), before, ['en', 'Rachel']],
  [
    'whisper',
    synthesisCatalogue({ 'de-DE': ['Hans'], 'en-US': ['alloy'] }),
    before,
    ['en-US', 'alloy'],
  ],
  [
    'playht',
    synthesisCatalogue({ afrikaans: [], english: ['Jennifer'] }),
    before,
    ['english', 'Jennifer'],
  ],
  ['playht', synthesisCatalogue({ 'en-GB': ['Ben'], 'en-US': ['Jen'] }), before, ['en-US', 'Jen']],
  ['cartesia', synthesisCatalogue({ 'de-DE': ['Eva'], en: ['Ann'] }), before, ['en', 'Ann']],
  ['rimelabs', synthesisCatalogue({ spa: ['nova'], eng: ['luna'] }), before, ['eng', 'luna']],
  ['rimelabs', synthesisCatalogue({ spa: ['nova'] }), before, ['spa', 'nova']],
  ['inworld', synthesisCatalogue({ es: ['Diego'], de: ['Josef'] }), before, ['es', 'Diego']],
  ['deepgram', { models: options('aura-a', 'aura-b') }, before, ['de-DE', 'aura-a']],
  ['deepgram', { models: options('a', 'Hans') }, before, ['de-DE', 'Hans']],
  ['custom:mine', {}, before, ['de-DE', '']],
  ['gladia', {}, before, ['de-DE', '']],
])('preselects language and voice for %s', (vendor, catalogue, was, [language, voice]) => {
  expect(pickSynthesis(vendor, catalogue, was)).toEqual({ language, voice })
})

it('prefers custom voices', () => {
  const picked = pickSynthesis('google', google, before, ['custom_1', 'custom_2'])
  expect(picked).toEqual({ language: 'en-US', voice: 'custom_1' })
})

it.each([
  ['google', recognitionCatalogue('af-ZA', 'en-US'), 'de', 'en-US'],
  ['google', recognitionCatalogue('af-ZA', 'en-US', 'de'), 'de', 'de'],
  ['google', recognitionCatalogue('af-ZA'), 'de', 'af-ZA'],
  ['aws', recognitionCatalogue('af-ZA', 'en-US'), 'de', 'en-US'],
  ['cobalt', recognitionCatalogue('ru_ru-8khz', 'en_US-8khz'), 'en-US', 'en_US-8khz'],
  ['deepgram', recognitionCatalogue('multi', 'en'), 'en-US', 'multi'],
  ['custom:mine', {}, 'de', 'en-US'],
  ['playht', {}, 'en-US', 'en-US'],
])('preselects a recognition language for %s', (vendor, catalogue, was, language) => {
  expect(pickRecognizerLanguage(vendor, catalogue, was)).toBe(language)
})

it('picks the voice for a language', () => {
  expect(pickVoice('google', google, 'en-US')).toBe('en-US-Standard-C')
  expect(pickVoice('google', google, 'de-DE')).toBe('de-A')
  expect(pickVoice('aws', google, 'en-US')).toBe('en-US-Standard-A')
  expect(pickVoice('google', google, 'xx')).toBe('')
})
