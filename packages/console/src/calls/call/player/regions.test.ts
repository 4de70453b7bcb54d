import type { Trace } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { treeOf } from '../tracing/spans'
import type { Peaks } from './peaks'
import { labelsThatFit, type Region, regionsOf } from './regions'

type SpanSpec = {
  id: string
  parent?: string
  from: number
  to: number
  name?: string
  has?: object
}
const ns = (seconds: number) =>
  String(1_700_000_000_000_000_000n + BigInt(Math.round(seconds * 1e9)))
const value = (v: unknown) =>
  typeof v === 'boolean'
    ? { boolValue: v }
    : typeof v === 'number'
      ? { intValue: String(v) }
      : { stringValue: v }
const roots = (...spans: SpanSpec[]) =>
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

/** The recording starts 2 seconds into the call. */
const recordingStart: SpanSpec = { id: 'background-record:listen', from: 2, to: 62 }
/** The left channel is loud until second 5. */
const peaks: [Peaks, Peaks] = [new Float32Array(48_000), new Float32Array(48_000)]
peaks[0].fill(0.5, 0, 5 * 800)
const regions = (...spans: SpanSpec[]) => regionsOf(roots(recordingStart, ...spans), peaks, 60)

const gather: SpanSpec = {
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

describe('a speech-to-text result', () => {
  it('is a region with details, and one for its latency', () => {
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
            // until second 7, minus 5.02 s of speech and the 0.5 s of the hook
            ['Latency', '1.48 seconds'],
          ],
        },
      },
      { kind: 'stt-latency', channel: 0, end: 7, text: '1.48s' },
    ])
    expect(found[0]!.start).toBeCloseTo(3.05, 6)
    expect(found[1]!.start).toBeCloseTo(5.02, 6)
  })

  it('takes its latency from the platform if given', () => {
    const has = { ...gather.has, 'stt.latency_ms': 640 }
    expect(regions({ ...gather, has })![1]).toMatchObject({ text: '0.64s' })
  })

  it.each([
    ['timeout', 'None (speech session timeout)'],
    ['killed', 'None (call disconnected or speech session terminated)'],
  ])('may be empty: %s', (resolve, transcript) => {
    const [found, ...others] = regions({ ...gather, has: { 'stt.resolve': resolve } })!
    expect(others).toEqual([])
    expect(found!.details!.facts).toEqual([['Transcript', transcript]])
  })

  it.each([
    ['stt-listen:0', 0],
    ['stt-listen:1', 0],
    ['stt-listen:2', 1],
    ['stt-listen:99', 1],
  ])('from %s is on channel %i', (name, channel) => {
    expect(regions({ ...gather, name })![0]).toMatchObject({ channel })
  })

  it('omits a confidence of 0', () => {
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
  it('show DTMF keys, wide enough to see', () => {
    const key: SpanSpec = {
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

  const generation: SpanSpec = {
    id: 't',
    name: 'tts-generation',
    from: 10,
    to: 12,
    has: { 'tts.vendor': 'aws', 'tts.cached': false },
  }
  it('show generated speech, up to its first byte if known', () => {
    expect(regions(generation)).toMatchObject([{ channel: 1, start: 8, end: 10, text: '2.00s' }])
    const has = { ...generation.has, time_to_first_byte_ms: 350 }
    const [found] = regions({ ...generation, has })!
    expect(found!.end).toBeCloseTo(8.35, 6)
    expect(found!.details!.facts).toEqual([
      ['Vendor', 'aws'],
      ['Latency', '0.35 seconds'],
      ['From cache', 'No'],
    ])
  })
  it('leave out cached speech and speech without a vendor', () => {
    expect(regions({ ...generation, has: { ...generation.has, 'tts.cached': true } })).toEqual([])
    expect(regions({ ...generation, has: { 'tts.cached': false } })).toEqual([])
  })

  const hook: SpanSpec = {
    id: 'h',
    name: 'verb:hook',
    from: 10,
    to: 10.02,
    has: { 'http.body': '{"reason":"speechDetected"}', 'http.statusCode': 200 },
  }
  it('show how applications responded to speech', () => {
    const [found] = regions(hook)!
    expect(found).toMatchObject({ kind: 'response', channel: 0, start: 8, text: '0.02s' })
    expect(found!.end).toBeCloseTo(8.05, 6)
    expect(found!.details!.facts).toEqual([
      ['Status code', '200'],
      ['Latency', '0.02 seconds'],
    ])
    const none = { 'http.body': '{"reason":"dtmfDetected"}' }
    expect(regions({ ...hook, has: none })![0]!.details!.facts[0]).toEqual(['Status code', '404'])
    expect(regions({ ...hook, has: { 'http.body': '{"reason":"other"}' } })).toEqual([])
  })

  it.each([undefined, '', 'null', '[]', '7', '{"reason":', '{"reason":{}}'])(
    'leave out a hook with the body %s',
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
])('shows no transcript for the result %s', (text) => {
  const has = { 'stt.resolve': 'speech', 'stt.result': text }
  const [found] = regions({ ...gather, has })!
  const facts = Object.fromEntries(found!.details!.facts)
  expect(facts.Transcript).toBe('None (call disconnected or speech session terminated)')
})

it('has no regions without the start of the recording', () => {
  expect(regionsOf(roots(gather), peaks, 60)).toBeUndefined()
  expect(regionsOf([], undefined, 60)).toBeUndefined()
})

it('has no latency region without audio', () => {
  expect(regionsOf(roots(recordingStart, gather), undefined, 60)).toHaveLength(1)
})

it('clips regions to the recording, in order', () => {
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

describe('the labels on regions', () => {
  const region = (id: string, channel: 0 | 1, start: number, text = '0.45s'): Region => ({
    id,
    kind: 'response',
    channel,
    start,
    end: start + 1,
    text,
  })
  const labels = (...all: Region[]) => [...labelsThatFit(all, (seconds) => seconds * 10)]

  it('never overlap within a channel', () => {
    expect(
      labels(region('a', 0, 0), region('b', 0, 2), region('c', 1, 2), region('d', 0, 5)),
    ).toEqual(['a', 'c', 'd'])
  })
  it('are placed from left to right, whatever their order', () => {
    expect(labels(region('late', 0, 2), region('early', 0, 0))).toEqual(['early'])
  })
  it('of regions that start before the visible part are at its edge', () => {
    expect(labels(region('before', 0, -50), region('next', 0, 1))).toEqual(['before'])
  })
  it('are empty without regions', () => {
    expect(labels(region('a', 0, 0, ''), region('b', 0, 1))).toEqual(['b'])
  })
})
