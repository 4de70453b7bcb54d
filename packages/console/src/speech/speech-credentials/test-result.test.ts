import type { SpeechCredential } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { remembered, usageText, verdict } from './test-result'

const both = { use_for_tts: 1, use_for_stt: 1 } as const
const ok = { status: 'ok' } as const
const untried = { status: 'not tested' } as const
const bad = (reason: string) => ({ status: 'fail', reason }) as const

it('is ok when what was tried is ok, and fails when anything does', () => {
  expect(verdict({ tts: ok, stt: ok }, both)).toEqual({
    status: 'ok',
    text: 'Connection test successful',
  })
  expect(verdict({ tts: ok, stt: untried }, both).status).toBe('ok')
  expect(verdict({ tts: ok, stt: bad('b') }, both)).toEqual({ status: 'fail', text: 'STT: b.' })
  expect(verdict({ tts: bad('a'), stt: bad('b.') }, both).text).toBe('TTS: a. STT: b.')
  expect(verdict({ tts: bad('same'), stt: bad('same') }, both).text).toBe('same.')
})

it('says why nothing was tried', () => {
  const nothing = { tts: untried, stt: untried }
  expect(verdict(nothing, { use_for_tts: 0, use_for_stt: 0 }).text).toBe(
    'In order to test your credentials you need to enable TTS/STT.',
  )
  // a vendor that cannot be asked, and one that nobody has asked
  expect(verdict(nothing, both).text).toBe(
    'In order to test your credentials you need to enable TTS/STT.',
  )
  expect(verdict(nothing, both, false)).toEqual({ status: 'not tested', text: '' })
  expect(verdict({ ...nothing, tts: { ...untried, reason: 'No test' } }, both).text).toBe('No test')
})

it('remembers what the server remembers, or what the columns say', () => {
  const row = { ...both, last_tested: '2026-01-02 03:04:05', tts_tested_ok: 1, stt_tested_ok: null }
  expect(remembered(row as SpeechCredential)).toEqual({
    result: { tts: ok, stt: untried },
    at: row.last_tested,
    real: false,
  })
  const never = { ...row, last_tested: null, tts_tested_ok: 0 }
  expect(remembered(never as SpeechCredential).result).toEqual({ tts: untried, stt: untried })
  const test_result = { tts: bad('a'), stt: ok, at: '2026-01-02T03:04:05Z', real: true }
  expect(remembered({ ...row, test_result } as unknown as SpeechCredential)).toEqual({
    result: { tts: bad('a'), stt: ok },
    at: test_result.at,
    real: true,
  })
})

it('says what a credential is for', () => {
  const text = (use_for_tts: 0 | 1, use_for_stt: 0 | 1) => usageText({ use_for_tts, use_for_stt })
  expect([text(1, 1), text(1, 0), text(0, 1), text(0, 0)]).toEqual([
    'TTS/STT',
    'TTS',
    'STT',
    'Not in use',
  ])
})
