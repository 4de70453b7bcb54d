import type { SpeechCatalogue } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { pickRecognized, pickSynthesis, pickVoice } from './speech-defaults'

const named = (...values: string[]) => values.map((value) => ({ value, name: value }))
const speaks = (byLanguage: Record<string, string[]>): SpeechCatalogue => ({
  tts: Object.entries(byLanguage).map(([value, voices]) => ({
    value,
    name: value,
    voices: named(...voices),
  })),
})
const hears = (...languages: string[]): SpeechCatalogue => ({ stt: named(...languages) })

const google = speaks({
  'de-DE': ['de-A', 'de-B'],
  'en-US': ['en-US-Standard-A', 'en-US-Standard-C'],
})
const before = { language: 'de-DE', voice: 'Hans' }

it.each([
  ['google', google, before, ['en-US', 'en-US-Standard-C']],
  ['google', google, { language: 'de-DE', voice: 'de-B' }, ['de-DE', 'de-A']],
  ['google', speaks({ 'fr-FR': ['fr-A'] }), before, ['fr-FR', 'fr-A']],
  ['aws', speaks({ 'en-US': ['Joanna'], 'de-DE': ['Vicki', 'Hans'] }), before, ['de-DE', 'Vicki']],
  ['aws', speaks({ 'fr-FR': ['Léa'], 'en-US': ['Joanna'] }), before, ['en-US', 'Joanna']],
  ['verbio', speaks({ 'es-ES': ['David'] }), before, ['es-ES', 'David']],
  ['elevenlabs', speaks({ de: ['Rachel'], en: [] }), before, ['en', 'Rachel']],
  ['whisper', speaks({ 'de-DE': ['Hans'], 'en-US': ['alloy'] }), before, ['en-US', 'alloy']],
  ['playht', speaks({ afrikaans: [], english: ['Jennifer'] }), before, ['english', 'Jennifer']],
  ['playht', speaks({ 'en-GB': ['Ben'], 'en-US': ['Jen'] }), before, ['en-US', 'Jen']],
  ['cartesia', speaks({ 'de-DE': ['Eva'], en: ['Ann'] }), before, ['en', 'Ann']],
  ['rimelabs', speaks({ spa: ['nova'], eng: ['luna'] }), before, ['eng', 'luna']],
  ['rimelabs', speaks({ spa: ['nova'] }), before, ['spa', 'nova']],
  ['inworld', speaks({ es: ['Diego'], de: ['Josef'] }), before, ['es', 'Diego']],
  ['deepgram', { models: named('aura-a', 'aura-b') }, before, ['de-DE', 'aura-a']],
  ['deepgram', { models: named('a', 'Hans') }, before, ['de-DE', 'Hans']],
  ['custom:mine', {}, before, ['de-DE', '']],
  ['gladia', {}, before, ['de-DE', '']],
])('%s is first given what is usual with it', (vendor, catalogue, was, [language, voice]) => {
  expect(pickSynthesis(vendor, catalogue, was)).toEqual({ language, voice })
})

it('prefers a voice of the account itself', () => {
  const picked = pickSynthesis('google', google, before, ['custom_1', 'custom_2'])
  expect(picked).toEqual({ language: 'en-US', voice: 'custom_1' })
})

it.each([
  ['google', hears('af-ZA', 'en-US'), 'de', 'en-US'],
  ['google', hears('af-ZA', 'en-US', 'de'), 'de', 'de'],
  ['google', hears('af-ZA'), 'de', 'af-ZA'],
  ['aws', hears('af-ZA', 'en-US'), 'de', 'en-US'],
  ['cobalt', hears('ru_ru-8khz', 'en_US-8khz'), 'en-US', 'en_US-8khz'],
  ['deepgram', hears('multi', 'en'), 'en-US', 'multi'],
  ['custom:mine', {}, 'de', 'en-US'],
  ['playht', {}, 'en-US', 'en-US'],
])('%s first hears what is usual with it', (vendor, catalogue, was, language) => {
  expect(pickRecognized(vendor, catalogue, was)).toBe(language)
})

it('changes the voice with the language', () => {
  expect(pickVoice('google', google, 'en-US')).toBe('en-US-Standard-C')
  expect(pickVoice('google', google, 'de-DE')).toBe('de-A')
  expect(pickVoice('aws', google, 'en-US')).toBe('en-US-Standard-A')
  expect(pickVoice('google', google, 'xx')).toBe('')
})
