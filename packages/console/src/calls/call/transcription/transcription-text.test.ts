import type { Transcription, TranscriptionPlan } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { conversation, heard, said } from '../../../conversations/compare/conversation-fixtures'
import {
  failedText,
  languageOf,
  lengthText,
  planTexts,
  progressOf,
  turnsOf,
} from './transcription-text'

const part = (more: Partial<Transcription['parts'][number]> = {}) => ({
  side: 'caller' as const,
  from: 0,
  to: 1_000,
  text: null,
  error: null,
  ...more,
})
const transcription = (...parts: Transcription['parts']): Transcription => ({
  call_sid: 'call-1',
  state: 'running',
  speech_credential_sid: 'speech-1',
  vendor: 'google',
  language: 'en-US',
  is_automatic: false,
  begun_at: '2026-11-28T10:00:00.000Z',
  ended_at: null,
  message: null,
  parts,
})
const plan: TranscriptionPlan = {
  length_ms: 760_000,
  speech_ms: { caller: 150_400, other: 280_000 },
  requests: 41,
  services: [],
}

it.each([
  [0, '0 s'],
  [499, '0 s'],
  [40_000, '40 s'],
  [59_600, '1 min 0 s'],
  [760_000, '12 min 40 s'],
])('writes %i ms as %s', (ms, text) => expect(lengthText(ms)).toBe(text))

it('tells what it will take', () => {
  expect(planTexts(plan)).toEqual([
    'The recording is 12 min 40 s long. 7 min 10 s of it is speech: 2 min 30 s by the caller, 4 min 40 s by the other side.',
    'Only the speech is sent, in 41 requests to the service.',
  ])
  expect(planTexts({ ...plan, speech_ms: { caller: 0, other: 0 }, requests: 0 })).toEqual([
    'The recording is 12 min 40 s long. There is no speech in it.',
  ])
})

it('counts what is answered, also by a failure or without words', () =>
  expect(
    progressOf(
      transcription(part(), part({ text: '' }), part({ text: 'yes' }), part({ error: 'no' })),
    ),
  ).toEqual({ done: 3, all: 4 }))

it('tells how much is missing, and why the first is', () => {
  expect(failedText(transcription(part({ text: 'yes' })))).toBeUndefined()
  expect(
    failedText(
      transcription(
        part({ text: 'yes' }),
        part({ error: 'No quota' }),
        part({ error: 'Too late' }),
      ),
    ),
  ).toBe('2 of 3 stretches of speech are missing: No quota')
})

it('makes turns of what was heard, in order of time', () =>
  expect(
    turnsOf(
      transcription(
        part({ from: 5_000, to: 6_000, text: 'four people' }),
        part({ from: 7_000, text: '' }),
        part({ from: 8_000, error: 'No quota' }),
        part({ side: 'other', from: 1_000, to: 4_000, text: 'For how many?' }),
      ),
    ),
  ).toEqual([
    { kind: 'recorded', at: 1_000, end: 4_000, side: 'other', text: 'For how many?' },
    { kind: 'recorded', at: 5_000, end: 6_000, side: 'caller', text: 'four people' },
  ]))

it('suggests the language of most turns', () => {
  expect(languageOf(undefined)).toBeUndefined()
  expect(
    languageOf(conversation([said('Hi', { language: 'fr-FR' }), heard('yes')])),
  ).toBeUndefined()
  expect(
    languageOf(
      conversation([
        heard('yes', { language: 'en-US' }),
        heard('ja', { language: 'de-DE' }),
        heard('nein', { language: 'de-DE' }),
      ]),
    ),
  ).toBe('de-DE')
})
