import type { SpeechCredential } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { lastTest, summarize, usageText } from './test-result'

const both = { use_for_tts: 1, use_for_stt: 1 } as const
const ok = { status: 'ok' } as const
const untested = { status: 'not tested' } as const
const failed = (reason: string) => ({ status: 'fail', reason }) as const

it('is ok if everything tested is ok, and fails if anything fails', () => {
  expect(summarize({ tts: ok, stt: ok }, both)).toEqual({
    status: 'ok',
    text: 'Connection test successful',
  })
  expect(summarize({ tts: ok, stt: untested }, both).status).toBe('ok')
  expect(summarize({ tts: ok, stt: failed('b') }, both)).toEqual({
    status: 'fail',
    text: 'STT: b.',
  })
  expect(summarize({ tts: failed('a'), stt: failed('b.') }, both).text).toBe('TTS: a. STT: b.')
  expect(summarize({ tts: failed('same'), stt: failed('same') }, both).text).toBe('same.')
})

it('says why nothing was tested', () => {
  const nothing = { tts: untested, stt: untested }
  expect(summarize(nothing, { use_for_tts: 0, use_for_stt: 0 }).text).toBe(
    'In order to test your credentials you need to enable TTS/STT.',
  )
  // a vendor that cannot be tested, and one not tested yet
  expect(summarize(nothing, both).text).toBe(
    'In order to test your credentials you need to enable TTS/STT.',
  )
  expect(summarize(nothing, both, false)).toEqual({ status: 'not tested', text: '' })
  expect(summarize({ ...nothing, tts: { ...untested, reason: 'No test' } }, both).text).toBe(
    'No test',
  )
})

it('uses the stored test result, or else the columns', () => {
  const row = { ...both, last_tested: '2026-01-02 03:04:05', tts_tested_ok: 1, stt_tested_ok: null }
  expect(lastTest(row as SpeechCredential)).toEqual({
    result: { tts: ok, stt: untested },
    at: row.last_tested,
    real: false,
  })
  const never = { ...row, last_tested: null, tts_tested_ok: 0 }
  expect(lastTest(never as SpeechCredential).result).toEqual({ tts: untested, stt: untested })
  const test_result = { tts: failed('a'), stt: ok, at: '2026-01-02T03:04:05Z', real: true }
  expect(lastTest({ ...row, test_result } as unknown as SpeechCredential)).toEqual({
    result: { tts: failed('a'), stt: ok },
    at: test_result.at,
    real: true,
  })
})

it('says what a credential is used for', () => {
  const text = (use_for_tts: 0 | 1, use_for_stt: 0 | 1) => usageText({ use_for_tts, use_for_stt })
  expect([text(1, 1), text(1, 0), text(0, 1), text(0, 0)]).toEqual([
    'TTS/STT',
    'TTS',
    'STT',
    'Not in use',
  ])
})
