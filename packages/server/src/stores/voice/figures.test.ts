import { describe, expect, it } from 'vitest'
import { noVoiceFigures, voiceFigures } from './figures.ts'
import type { Sum } from './store.ts'

const HOUR = 3_600_000
const T0 = Date.parse('2026-03-01T00:00:00Z')
const all = (at: number, measure: Sum['measure'], n: number, value = 0): Sum => ({
  by: 'all',
  key: '',
  at,
  measure,
  n,
  value,
})

describe('figures of conversations', () => {
  it('have the percentiles of all times of all hours, not means of them', () => {
    const { response } = voiceFigures(
      [
        all(T0, 'response', 96, 500),
        all(T0, 'response', 1, 9_000),
        all(T0 + HOUR, 'response', 2, 1_200),
        all(T0 + HOUR, 'response', 1, 700),
      ],
      { from: T0, to: T0 + 2 * HOUR },
    )
    expect(response).toEqual({ known: 100, p50: 500, p95: 500, p99: 1_200 })
  })

  it.each([
    [1, { known: 1, p50: 100, p95: 100, p99: 100 }],
    [2, { known: 2, p50: 100, p95: 200, p99: 200 }],
    [3, { known: 3, p50: 200, p95: 300, p99: 300 }],
    [20, { known: 20, p50: 1_000, p95: 1_900, p99: 2_000 }],
  ])('are by the nearest rank of %i times', (n, expected) => {
    const times = Array.from({ length: n }, (_, i) => all(T0, 'answer', 1, (i + 1) * 100))
    expect(voiceFigures(times, { from: T0, to: T0 + HOUR }).answer).toEqual(expected)
  })

  it('are of hours in a short span, and of days of the time zone in a long one', () => {
    const sums = [
      all(T0 + 22 * HOUR, 'calls', 3),
      all(T0 + 22 * HOUR, 'response', 3, 400),
      all(T0 + 23 * HOUR, 'calls', 1),
      all(T0 + 23 * HOUR, 'turns', 4),
    ]
    const short = voiceFigures(sums, { from: T0, to: T0 + 24 * HOUR }, 'Europe/Berlin')
    expect(short.times.map(({ time, until, calls }) => [time, until, calls])).toEqual([
      ['2026-03-01T22:00:00.000Z', '2026-03-01T23:00:00.000Z', 3],
      ['2026-03-01T23:00:00.000Z', '2026-03-02T00:00:00.000Z', 1],
    ])
    const long = voiceFigures(sums, { from: T0, to: T0 + 240 * HOUR }, 'Europe/Berlin')
    expect(long.times).toMatchObject([
      { time: '2026-03-01T00:00:00.000Z', until: '2026-03-01T23:00:00.000Z', calls: 3 },
      { time: '2026-03-01T23:00:00.000Z', until: '2026-03-02T23:00:00.000Z', calls: 1, turns: 4 },
    ])
    expect(long.times[0]!.response).toEqual({ known: 3, p50: 400, p95: 400, p99: 400 })
    expect(long).toMatchObject({ calls: 4, turns: 4 })
  })

  it('name what is unknown null, and put the most first', () => {
    const of = (by: Sum['by'], key: string, measure: Sum['measure'], n: number): Sum => ({
      by,
      key,
      measure,
      n,
      value: 0,
      at: undefined,
    })
    const figures = voiceFigures(
      [
        of('application', '', 'calls', 2),
        of('application', 'app-1', 'calls', 5),
        of('application', 'gone', 'calls', 0),
        of('recognizer', 'google\n', 'turns', 1),
        of('recognizer', '\n', 'turns', 2),
        of('voice', 'aws\nJoanna', 'prompts', 1),
        of('vendor', 'voice\naws', 'requests', 4),
        of('vendor', 'voice\naws', 'failed', 1),
        of('vendor', 'recognition\naws', 'requests', 9),
      ],
      { from: T0, to: T0 + HOUR },
    )
    expect(
      figures.applications.map(({ application_sid, calls }) => [application_sid, calls]),
    ).toEqual([
      ['app-1', 5],
      [null, 2],
    ])
    expect(figures.recognizers.map(({ vendor, language }) => [vendor, language])).toEqual([
      [null, null],
      ['google', null],
    ])
    expect(figures.voices).toMatchObject([{ vendor: 'aws', voice: 'Joanna', prompts: 1 }])
    expect(figures.vendors).toEqual([
      { service: 'recognition', vendor: 'aws', requests: 9, failed: 0 },
      { service: 'voice', vendor: 'aws', requests: 4, failed: 1 },
    ])
  })

  it('say what the time was spent on, each part over the turns of which it is known', () => {
    const { parts } = voiceFigures(
      [
        all(T0, 'response', 2, 1_000),
        all(T0, 'answer', 8, 900),
        all(T0, 'spent_on_recognition', 600),
        all(T0, 'spent_on_webhook', 4_000),
        all(T0, 'spent_on_pause', 0),
      ],
      { from: T0, to: T0 + HOUR },
    )
    expect(parts).toEqual([
      { part: 'recognition', ms: 300 },
      { part: 'webhook', ms: 500 },
    ])
  })

  it('tell calls that were counted before there were interruptions from calls without any', () => {
    const of = (hour: number, measure: Sum['measure'], n: number) =>
      all(T0 + hour * HOUR, measure, n)
    const before = [of(0, 'calls', 3), of(0, 'turns', 5), of(0, 'prompts', 9)]
    const since = [of(1, 'calls', 1), of(1, 'barge_in_known', 4), of(1, 'talk_over', 2)]
    const figures = voiceFigures([...before, ...since], { from: T0, to: T0 + 2 * HOUR })
    const none = { known: 0, p50: null, p95: null, p99: null }
    expect(figures.times).toMatchObject([
      { calls: 3, barge_in_known: 0, talk_over: none, silence_before: none, talk_known: 0 },
      { calls: 1, barge_in_known: 4, barge_ins: 0, talk_over: { known: 2, p50: 0 } },
    ])
    expect(figures).toMatchObject({ barge_in_known: 4, talk_over: { known: 2, p95: 0 } })
  })

  it('are empty where none are kept', () => {
    expect(noVoiceFigures({ from: T0, to: T0 + HOUR })).toMatchObject({
      is_kept: false,
      calls: 0,
      times: [],
      response: { known: 0, p50: null, p95: null, p99: null },
    })
  })
})
