import type { VoiceFigures } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { sentencesOf } from './sentences'

const times = (known: number, p95: number | null) => ({ known, p50: p95, p95, p99: p95 })

const figures = (some: Partial<VoiceFigures>): VoiceFigures => ({
  is_kept: true,
  from: '2026-01-31T10:00:00.000Z',
  until: '2026-01-31T12:00:00.000Z',
  calls: 10,
  turns: 100,
  not_understood: 2,
  timed_out: 0,
  failed: 0,
  hung_up: 0,
  response: times(100, 1_200),
  answer: times(100, 1_000),
  barge_ins: 0,
  barge_in_known: 0,
  talk_over: times(0, null),
  silence_before: times(0, null),
  talk_known: 0,
  caller_talk: 0,
  application_talk: 0,
  prompts: 0,
  cached: 0,
  not_cached: 0,
  ended_by_caller: 0,
  ended_by_application: 0,
  times: [],
  applications: [],
  versions: [],
  recognizers: [],
  voices: [],
  vendors: [],
  parts: [],
  ...some,
})

const before = { figures: figures({}), application: undefined }
const slower = figures({ response: times(100, 2_400), not_understood: 1 })

it('says whether it got slower, and understood less', () => {
  expect(sentencesOf(slower, before)).toEqual([
    { text: 'Response time p95 rose from 1.20 s to 2.40 s.', tone: 'worse' },
    { text: 'Turns not understood fell from 2.0 % to 1.0 %.', tone: 'better' },
  ])
  expect(sentencesOf(figures({}), before).map(({ text }) => text)).toEqual([
    'Response time p95 stayed at 1.20 s.',
    'As before, 2.0 % of turns were not understood.',
  ])
})

it('compares with another application by its name', () => {
  const other = { figures: figures({}), application: 'Front desk' }
  expect(sentencesOf(slower, other).map(({ text }) => text)).toEqual([
    'Response time p95 is 2.40 s, longer than 1.20 s with Front desk.',
    '1.0 % of turns were not understood, fewer than 2.0 % with Front desk.',
  ])
})

it('says of which times, and that few are uncertain', () => {
  const few = figures({ response: times(0, null), answer: times(12, 3_000) })
  expect(sentencesOf(few, before).map(({ tone }) => tone)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(sentencesOf(few, before).map(({ text }) => text)).toEqual([
    'Answer time p95 rose from 1.00 s to 3.00 s.',
    'As before, 2.0 % of turns were not understood.',
    'Percentiles of fewer than 30 times are uncertain: 12 are known, and 100 of what they are compared with.',
  ])
})

it('says nothing without conversations on both sides', () => {
  expect(sentencesOf(figures({ calls: 0 }), before)).toEqual([])
  expect(sentencesOf(slower, { ...before, figures: figures({ calls: 0 }) })).toEqual([])
})
