import type { SpeechCredentialItem } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { type Prompt, promptVoice } from './prompt-voice'

const credential = (sid: string, vendor: string, label: string | null): SpeechCredentialItem => ({
  ...{ speech_credential_sid: sid, service_provider_sid: 'sp', account_sid: null, vendor, label },
  ...{ use_for_tts: 1, use_for_stt: 1, last_used: null, last_tested: null },
  ...{ tts_tested_ok: null, stt_tested_ok: null, created_at: null },
})
const ALL = [
  credential('plain', 'aws', null),
  credential('prod', 'aws', 'prod'),
  credential('eleven', 'elevenlabs', null),
]
const prompt = (more: Partial<Prompt> = {}): Prompt => ({
  ...{ kind: 'said', at: 0, verb: 'say', side: 'caller', text: 'Hello', loop: 1 },
  ...{ vendor: 'aws', language: 'en-GB', voice: 'Amy', label: null },
  ...more,
})
const voice = (more: Partial<Prompt> = {}) => promptVoice(prompt(more), ALL, 'me')

it('takes the credential of the vendor with this label', () => {
  expect(voice()).toEqual({
    speech_credential_sid: 'plain',
    sentence: { text: 'Hello', language: 'en-GB', voice: 'Amy' },
  })
  expect(voice({ label: 'prod' })).toMatchObject({ speech_credential_sid: 'prod' })
})

it('sends SSML to vendors that read it, and others the words', () => {
  const text = ' <speak>Hi <b>you</b></speak>'
  expect(voice({ text })).toMatchObject({ sentence: { text: text.trim() } })
  expect(voice({ text, vendor: 'elevenlabs' })).toMatchObject({ sentence: { text: 'Hi you' } })
})

it('says why a prompt cannot be heard', () => {
  expect(voice({ vendor: 'google' })).toMatchObject({ isMissing: true })
  expect(voice({ label: 'gone' })).toMatchObject({ isMissing: true })
  const reasons = [
    voice({ text: null }),
    voice({ voice: null }),
    voice({ text: 'x'.repeat(1_001) }),
    voice({ text: '<speak> </speak>', vendor: 'elevenlabs' }),
  ].map((no) => ('problem' in no ? no.problem : no))
  expect(new Set(reasons).size).toBe(4)
})
