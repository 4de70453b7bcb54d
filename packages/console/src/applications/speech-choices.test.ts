import type { SpeechCredentialItem } from '@switchroom/contract'
import { expect, it } from 'vitest'
import {
  byName,
  credentialFor,
  customVoices,
  defaultLabel,
  ignoredReason,
  labelOptions,
  vendorOptions,
  voicesOf,
  withStoredOption,
} from './speech-choices'

type Part = Partial<SpeechCredentialItem>
const credential = (sid: string, vendor: string, more: Part = {}): SpeechCredentialItem => ({
  speech_credential_sid: sid,
  service_provider_sid: 'sp',
  account_sid: null,
  vendor,
  label: null,
  use_for_tts: 1,
  use_for_stt: 1,
  last_used: null,
  last_tested: null,
  tts_tested_ok: null,
  stt_tested_ok: null,
  created_at: null,
  ...more,
})
const mine = { account_sid: 'me' }
const all = [
  credential('shared', 'aws'),
  credential('own', 'aws', mine),
  credential('prod', 'aws', { ...mine, label: 'prod' }),
  credential('deaf', 'aws', { ...mine, label: 'deaf', use_for_stt: 0 }),
  credential('foreign', 'aws', { account_sid: 'other', label: 'foreign' }),
  credential('labelled', 'deepgram', { label: 'lab' }),
  credential('custom', 'custom:mine', { ...mine, use_for_tts: 0 }),
  credential('theirs', 'custom:theirs', { account_sid: 'other' }),
]
const choice = (vendor: string, label: string, use: 'tts' | 'stt' = 'tts') => ({
  vendor,
  label,
  use,
  account_sid: 'me',
})
const labels = (...of: Parameters<typeof choice>) => labelOptions(all, choice(...of))

it('offers vendors by capability', () => {
  const ids = (use: 'tts' | 'stt') => vendorOptions([], choice('', '', use)).map((o) => o.value)
  for (const ttsOnly of ['wellsaid', 'elevenlabs', 'whisper', 'resemble', 'playht', 'custom'])
    expect(ids('stt')).not.toContain(ttsOnly)
  for (const sttOnly of ['assemblyai', 'openai', 'deepgramflux', 'cobalt', 'gladia', 'custom'])
    expect(ids('tts')).not.toContain(sttOnly)
  expect(ids('tts')).toContain('google')
})

it('offers the custom vendors available to the account', () => {
  const custom = (use: 'tts' | 'stt') =>
    vendorOptions(all, choice('aws', '', use)).filter((o) => o.value.startsWith('custom:'))
  expect(custom('stt')).toEqual([{ value: 'custom:mine', label: 'mine (custom)' }])
  expect(custom('tts')).toEqual([])
})

it('keeps a stored vendor whatever its capabilities', () => {
  const last = (vendor: string) => vendorOptions(all, choice(vendor, '')).at(-1)
  expect(last('gladia')).toEqual({ value: 'gladia', label: 'Gladia' })
  expect(last('custom:gone')).toEqual({ value: 'custom:gone', label: 'gone (custom)' })
})

it('offers the labels available to the account, none first', () => {
  expect(labels('aws', '')).toEqual([
    { value: '', label: 'None' },
    { value: 'deaf', label: 'deaf' },
    { value: 'prod', label: 'prod' },
  ])
  expect(labels('aws', '', 'stt').map((o) => o.value)).toEqual(['', 'prod'])
  expect(labels('deepgram', 'lab')).toEqual([{ value: 'lab', label: 'lab' }])
  expect(labels('ibm', '')).toEqual([])
})

it('keeps a stored label and says if no credential has it', () => {
  expect(labels('aws', 'Prod')[0]).toEqual({ value: 'Prod', label: 'Prod (not found)' })
  expect(labels('ibm', 'old')).toEqual([{ value: 'old', label: 'old (not found)' }])
  expect(labels('deepgram', '')[0]).toEqual({ value: '', label: 'None (not found)' })
})

it('picks an existing label for a newly chosen vendor', () => {
  expect(defaultLabel(all, choice('aws', ''))).toBe('')
  expect(defaultLabel(all, choice('deepgram', ''))).toBe('lab')
  expect(defaultLabel(all, choice('ibm', ''))).toBe('')
})

it('finds the credential the platform would use', () => {
  const sid = (...of: Parameters<typeof choice>) =>
    credentialFor(all, choice(...of))?.speech_credential_sid
  expect(sid('aws', '')).toBe('own')
  expect(sid('aws', 'prod')).toBe('prod')
  expect(sid('aws', 'PROD')).toBeUndefined()
  expect(sid('aws', 'deaf', 'stt')).toBeUndefined()
  expect(sid('aws', 'foreign')).toBeUndefined()
  expect(sid('deepgram', '')).toBeUndefined()
  const others = credentialFor(all, { ...choice('aws', ''), account_sid: 'nobody' })
  expect(others?.speech_credential_sid).toBe('shared')
})

it('warns about credentials the platform ignores', () => {
  const google = credential('g', 'google', { tts_tested_ok: 1, stt_tested_ok: 0 })
  expect(ignoredReason(google, 'tts')).toBeUndefined()
  expect(ignoredReason(google, 'stt')).toContain('test')
  expect(ignoredReason(credential('a', 'aws'), 'stt')).toBeUndefined()
})

it('sorts voices by name, and offers shared voices with every language', () => {
  const voices = [
    { value: 'b', name: 'b' },
    { value: 'a', name: 'a' },
  ]
  const shared = {
    tts: [
      { value: 'en', name: 'en', voices },
      { value: 'de', name: 'de', voices: [] },
    ],
  }
  expect(byName(voicesOf('elevenlabs', shared, 'de')).map((o) => o.value)).toEqual(['a', 'b'])
  expect(voicesOf('aws', shared, 'de')).toEqual([])
  expect(customVoices([{ google_custom_voice_sid: '7', name: 'Anna' }])).toEqual([
    { value: 'custom_7', name: 'Anna (Custom)' },
  ])
})

it('keeps a stored value among the options', () => {
  expect(withStoredOption([{ value: 'a', label: 'A' }], 'old')[0]).toEqual({
    value: 'old',
    label: 'old',
  })
  expect(withStoredOption([{ value: 'a', label: 'A' }], 'a')).toHaveLength(1)
})
