import { expect, it } from 'vitest'
import { callsHref } from '../../calls/dashboard/links'
import { namesIn } from '../../calls/recent-calls/voice-text'
import { atLeast, voiceOf } from './links'
import { endsOf } from './spans'

it('names what figures are of so that the list reads the same names', () => {
  expect(voiceOf('recognizer', 'google', 'de-DE')).toBe('recognizer/google/de-DE')
  expect(voiceOf('recognizer', null, null)).toBe('recognizer//')
  const [first, second] = ['custom:a/b %', 'Ünïcode\n&=?#']
  expect(namesIn(voiceOf('voice', first, second))).toEqual({ part: 'voice', first, second })
  // half a character is no reason for a screen to fail
  expect(voiceOf('vendor', 'voice', '\ud800')).toBe('vendor/voice/%EF%BF%BD')
  expect(namesIn('recognizer/%/x')).toBeUndefined()
  expect(namesIn('carrier/a/b')).toBeUndefined()
})

it('leads to the calls of a figure, and none where it is unknown', () => {
  expect(atLeast('response', 2_400, { application_sid: 'a' })).toEqual({
    application_sid: 'a',
    voice: 'response',
    at_least: 2_400,
  })
  expect(atLeast('answer', null)).toBeUndefined()
  // the figures' end is exclusive, the list's is not
  const ends = endsOf({ from: '2026-01-31T10:00:00.000Z', until: '2026-01-31T12:00:00.000Z' })
  const href = callsHref(ends, { ...atLeast('response', 0), voice_of: 'voice/a%20b/' })
  expect(Object.fromEntries(new URL(href, 'http://x').searchParams)).toEqual({
    voice: 'response',
    at_least: '0',
    voice_of: 'voice/a%20b/',
    start: '2026-01-31T10:00:00.000Z',
    end: '2026-01-31T11:59:59.999Z',
  })
})
