import { expect, it } from 'vitest'
import { measureText, namesText, shortTime } from './voice-text'

it('puts a filter into words', () => {
  expect(measureText('not_understood')).toBe('Not understood')
  expect(measureText('response', undefined, 2_000)).toBe('Response time at least 2 s')
  expect(measureText('first_audio', 'voice', 450)).toBe('First audio after at least 450 ms')
  expect(measureText('response')).toBe('Known response time')
  expect(measureText('failed', 'vendor')).toBe('Request failed')
  expect(measureText('failed', 'recognizer')).toBe('Recognizer failed')
  // a time that is no filter of this
  expect(measureText('hung_up', undefined, 2_000)).toBe('Hung up while waiting')
})

it('names recognizers, voices and vendors', () => {
  const nameOf = (vendor: string) => vendor.toUpperCase()
  const text = (part: 'recognizer' | 'voice' | 'vendor', first: string, second: string) =>
    namesText({ part, first, second }, nameOf)
  expect(text('recognizer', 'google', 'de-DE')).toBe('GOOGLE, de-DE')
  expect(text('recognizer', 'aws', '')).toBe('AWS, Unknown')
  expect(text('voice', '', '')).toBe('Unknown')
  expect(text('vendor', 'recognition', 'google')).toBe('GOOGLE, Recognition')
  expect(text('vendor', '', '')).toBe('Unknown')
})

it('writes times without needless decimals', () => {
  expect([0, 450, 1_000, 1_250].map(shortTime)).toEqual(['0 ms', '450 ms', '1 s', '1.25 s'])
})
