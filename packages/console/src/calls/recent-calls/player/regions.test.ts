import type { Trace } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { treeOf } from '../tracing/spans'
import type { Peaks } from './peaks'
import { labelled, type Region, regionsOf } from './regions'

type Said = { id: string; parent?: string; from: number; to: number; name?: string; has?: object }
const ns = (seconds: number) =>
  String(1_700_000_000_000_000_000n + BigInt(Math.round(seconds * 1e9)))
const value = (v: unknown) =>
  typeof v === 'boolean'
    ? { boolValue: v }
    : typeof v === 'number'
      ? { intValue: String(v) }
      : { stringValue: v }
const roots = (...spans: Said[]) =>
  treeOf({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: spans.map(({ id, parent = '', from, to, name = id, has = {} }) => ({
              spanId: id,
              parentSpanId: parent,
              name,
              startTimeUnixNano: ns(from),
              endTimeUnixNano: ns(to),
              attributes: Object.entries(has).map(([key, v]) => ({ key, value: value(v) })),
            })),
          },
        ],
      },
    ],
  } as unknown as Trace).roots

/** It began 2 seconds after the call. */
const zero: Said = { id: 'background-record:listen', from: 2, to: 62 }
/** Loud on the left until second 5. */
const peaks: [Peaks, Peaks] = [new Float32Array(48_000), new Float32Array(48_000)]
peaks[0].fill(0.5, 0, 5 * 800)
const regions = (...spans: Said[]) => regionsOf(roots(zero, ...spans), peaks, 60)

const gather: Said = {
  id: 'g',
  name: 'verb:gather{input}',
  from: 5,
  to: 9,
  has: {
    'stt.resolve': 'speech',
    'stt.result': JSON.stringify({
      vendor: { name: 'google' },
      language_code: 'en-US',
      alternatives: [{ transcript: 'yes please', confidence: 0.93 }],
    }),
  },
}

describe('what was understood', () => {
  it('is a region with all that is known of it, and one for how long it took', () => {
    const found = regions(gather, { id: 'h', parent: 'g', name: 'verb:hook', from: 8, to: 8.5 })!
    expect(found).toMatchObject([
      {
        kind: 'speech',
        channel: 0,
        details: {
          title: 'Speech to text result',
          facts: [
            ['Vendor', 'google'],
            ['Confidence', '0.93'],
            ['Language code', 'en-US'],
            ['Transcript', 'yes please'],
            // until second 7, but for the 5.02 of speech and the half of the hook
            ['Latency', '1.48 seconds'],
          ],
        },
      },
      { kind: 'stt-latency', channel: 0, end: 7, text: '1.48s' },
    ])
    expect(found[0]!.start).toBeCloseTo(3.05, 6)
    expect(found[1]!.start).toBeCloseTo(5.02, 6)
  })

  it('took as long as the platform says, where it does', () => {
    const has = { ...gather.has, 'stt.latency_ms': 640 }
    expect(regions({ ...gather, has })![1]).toMatchObject({ text: '0.64s' })
  })

  it.each([
    ['timeout', 'None (speech session timeout)'],
    ['killed', 'None (call disconnected or speech session terminated)'],
  ])('may be nothing: %s', (resolve, transcript) => {
    const [found, ...others] = regions({ ...gather, has: { 'stt.resolve': resolve } })!
    expect(others).toEqual([])
    expect(found!.details!.facts).toEqual([['Transcript', transcript]])
  })

  it.each([
    ['stt-listen:0', 0],
    ['stt-listen:1', 0],
    ['stt-listen:2', 1],
    ['stt-listen:99', 1],
  ])('of %s is on channel %i', (name, channel) => {
    expect(regions({ ...gather, name })![0]).toMatchObject({ channel })
  })

  it('says nothing of a confidence of 0', () => {
    const has = {
      'stt.resolve': 'speech',
      'stt.result': JSON.stringify({ alternatives: [{ transcript: 'x', confidence: 0 }] }),
    }
    expect(regions({ ...gather, has })![0]!.details!.facts.map(([name]) => name)).not.toContain(
      'Confidence',
    )
  })
})

describe('other regions', () => {
  it('are of keys that were pressed, long enough to be seen', () => {
    const key: Said = {
      id: 'k',
      name: 'dtmf:5',
      from: 10,
      to: 10.01,
      has: { dtmf: '5', duration: '250ms' },
    }
    const [found] = regions(key)!
    expect(found).toMatchObject({ kind: 'dtmf', channel: 0, start: 8 })
    expect(found!.end).toBeCloseTo(8.1, 6)
    expect(found!.details!.facts).toEqual([
      ['Dtmf', '5'],
      ['Duration', '250ms'],
    ])
    expect(regions({ ...key, has: { dtmf: '5' } })).toEqual([])
  })

  const said: Said = {
    id: 't',
    name: 'tts-generation',
    from: 10,
    to: 12,
    has: { 'tts.vendor': 'aws', 'tts.cached': false },
  }
  it('are of speech that was made, until its first byte where that is known', () => {
    expect(regions(said)).toMatchObject([{ channel: 1, start: 8, end: 10, text: '2.00s' }])
    const has = { ...said.has, time_to_first_byte_ms: 350 }
    const [found] = regions({ ...said, has })!
    expect(found!.end).toBeCloseTo(8.35, 6)
    expect(found!.details!.facts).toEqual([
      ['Vendor', 'aws'],
      ['Latency', '0.35 seconds'],
      ['From Cache', 'No'],
    ])
  })
  it('are not of speech that was made before, or by nobody', () => {
    expect(regions({ ...said, has: { ...said.has, 'tts.cached': true } })).toEqual([])
    expect(regions({ ...said, has: { 'tts.cached': false } })).toEqual([])
  })

  const hook: Said = {
    id: 'h',
    name: 'verb:hook',
    from: 10,
    to: 10.02,
    has: { 'http.body': '{"reason":"speechDetected"}', 'http.statusCode': 200 },
  }
  it('are of applications that answered to what was said', () => {
    const [found] = regions(hook)!
    expect(found).toMatchObject({ kind: 'response', channel: 0, start: 8, text: '0.02s' })
    expect(found!.end).toBeCloseTo(8.05, 6)
    expect(found!.details!.facts).toEqual([
      ['Status Code', '200'],
      ['Latency', '0.02 seconds'],
    ])
    const none = { 'http.body': '{"reason":"dtmfDetected"}' }
    expect(regions({ ...hook, has: none })![0]!.details!.facts[0]).toEqual(['Status Code', '404'])
    expect(regions({ ...hook, has: { 'http.body': '{"reason":"other"}' } })).toEqual([])
  })

  it.each([undefined, '', 'null', '[]', '7', '{"reason":', '{"reason":{}}'])(
    'do not come of a hook with the body %s',
    (body) => {
      expect(regions({ ...hook, has: body === undefined ? {} : { 'http.body': body } })).toEqual([])
    },
  )
})

it.each([
  '',
  'null',
  '[]',
  '{',
  '{"alternatives":7}',
  '{"alternatives":[null]}',
  '{"alternatives":[{"transcript":{}}],"vendor":[]}',
])('a result that is %s says nothing, and breaks nothing', (text) => {
  const has = { 'stt.resolve': 'speech', 'stt.result': text }
  const [found] = regions({ ...gather, has })!
  const facts = Object.fromEntries(found!.details!.facts)
  expect(facts.Transcript).toBe('None (call disconnected or speech session terminated)')
})

it('knows nothing where nobody says when the recording began', () => {
  expect(regionsOf(roots(gather), peaks, 60)).toBeUndefined()
  expect(regionsOf([], undefined, 60)).toBeUndefined()
})

it('knows no end of speech without having heard it', () => {
  expect(regionsOf(roots(zero, gather), undefined, 60)).toHaveLength(1)
})

it('is within the recording, and in order', () => {
  const found = regions(
    { ...gather, id: 'late', from: 61.9, to: 80 },
    { ...gather, id: 'before', from: 0, to: 1 },
    { ...gather, id: 'across', from: 1, to: 3 },
  )!
  const speech = found.filter(({ kind }) => kind === 'speech')
  expect(speech.map(({ id }) => id)).toEqual(['across', 'late'])
  expect(speech[0]!.start).toBe(0)
  expect(speech[1]!.end).toBe(60)
})

describe('the words on regions', () => {
  const region = (id: string, channel: 0 | 1, start: number, text = '0.45s'): Region => ({
    id,
    kind: 'response',
    channel,
    start,
    end: start + 1,
    text,
  })
  const at = (...all: Region[]) => [...labelled(all, (seconds) => seconds * 10)]

  it('never cover each other, and do not mind the other side', () => {
    expect(at(region('a', 0, 0), region('b', 0, 2), region('c', 1, 2), region('d', 0, 5))).toEqual([
      'a',
      'c',
      'd',
    ])
  })
  it('are taken from left to right, in whatever order they come', () => {
    expect(at(region('late', 0, 2), region('early', 0, 0))).toEqual(['early'])
  })
  it('of what begins before the picture stand at its edge', () => {
    expect(at(region('before', 0, -50), region('next', 0, 1))).toEqual(['before'])
  })
  it('are none where there are none', () => {
    expect(at(region('a', 0, 0, ''), region('b', 0, 1))).toEqual(['b'])
  })
})
