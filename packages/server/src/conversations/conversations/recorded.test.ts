import type { Conversation, ConversationEntry, TranscriptPart } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { withRecorded } from './recorded.ts'

type Entry<K> = Extract<ConversationEntry, { kind: K }>

const T0 = 1_700_000_000_000
const heard = (from: number, at: number, more: Partial<Entry<'heard'>> = {}): Entry<'heard'> => ({
  ...{ kind: 'heard', at: T0 + at, from: T0 + from, side: 'caller', outcome: 'speech' },
  ...{ transcript: 'x', from_recording: null, digits: null, confidence: null, language: null },
  ...{ vendor: null, label: null, instead_of: null, ended_by: null, error: null },
  ...{ asked_again: false, response: null },
  ...more,
})
const said = (
  at: number,
  end: number | null,
  more: Partial<Entry<'said'>> = {},
): Entry<'said'> => ({
  ...{ kind: 'said', at: T0 + at, end: end === null ? null : T0 + end, text: 'x' },
  ...{ from_recording: null, is_cut: false, url: null, is_streamed: false, vendor: null },
  ...{ language: null, voice: null, label: null, cached: null, voice_ms: null, failed: [] },
  ...{ is_spoken: true, is_interrupted: null },
  ...more,
})
const event = (at: number): Entry<'event'> => ({
  ...{ kind: 'event', at: T0 + at, end: null, tone: 'info', text: 'Something happened' },
})
const conversation = (
  entries: ConversationEntry[],
  more: Partial<Conversation> = {},
): Conversation => ({
  ...{ began: T0, answered: T0, ended: T0 + 60_000, recording: T0 + 1_000 },
  ...{ hung_up_by: null, greeting_ms: null, entries, findings: [], slowest: null },
  ...{ median_ms: null, cut: false, words: 'keep', transcribed: null },
  model_session: null,
  interruptions: {
    barge_ins: 0,
    barge_in_known: 0,
    talk_over_ms: null,
    silence_before_ms: null,
    talk: null,
  },
  ...more,
})
const part = (side: TranscriptPart['side'], from: number, to: number, text: string | null) => ({
  side,
  from,
  to,
  text,
})
const lay = (into: Conversation, ...parts: ReturnType<typeof part>[]) =>
  withRecorded(into, { vendor: 'deepgram', language: 'en-US', parts })
/** Each entry in short: its words, or its kind. */
const words = ({ entries }: Conversation) =>
  entries.map((entry) =>
    entry.kind === 'recorded'
      ? `${entry.side}: ${entry.text}`
      : entry.kind === 'event' || entry.kind === 'model'
        ? entry.kind
        : entry.from_recording,
  )

describe('what was heard in a recording', () => {
  it('is laid into the turns of each side', () => {
    const laid = lay(
      conversation([said(1_000, 4_000), heard(4_000, 8_000), said(9_000, 12_000)]),
      part('other', 200, 2_900, 'Welcome.'),
      part('caller', 4_000, 6_000, 'Hello there.'),
      part('other', 8_100, 10_900, 'Goodbye.'),
    )
    expect(words(laid)).toEqual(['Welcome.', 'Hello there.', 'Goodbye.'])
    expect(laid.transcribed).toEqual({ vendor: 'deepgram', language: 'en-US' })
    expect(laid.entries).toMatchObject([{ text: 'x' }, { transcript: 'x' }, { text: 'x' }])
  })

  it('goes to the turn that it overlaps most', () => {
    const into = conversation([heard(2_000, 5_000), heard(5_000, 9_000)])
    expect(words(lay(into, part('caller', 3_000, 7_000, 'mostly the second')))).toEqual([
      null,
      'mostly the second',
    ])
    expect(words(lay(into, part('caller', 1_500, 4_500, 'mostly the first')))).toEqual([
      'mostly the first',
      null,
    ])
  })

  it('is joined in order of time', () => {
    const laid = lay(
      conversation([heard(2_000, 20_000)]),
      part('caller', 8_000, 9_000, 'two'),
      part('caller', 3_000, 4_000, ' one '),
      part('caller', 12_000, 13_000, 'three'),
    )
    expect(words(laid)).toEqual(['one two three'])
  })

  it('is an entry of its own, in order of time, where there is no turn', () => {
    const laid = lay(
      conversation([event(0), said(2_000, 4_000), event(30_000)]),
      part('other', 11_000, 12_000, 'the called party'),
      part('caller', 500, 900, 'too early'),
      part('caller', 1_500, 2_500, 'over the prompt'),
    )
    expect(words(laid)).toEqual([
      'event',
      'caller: too early',
      null,
      'caller: over the prompt',
      'other: the called party',
      'event',
    ])
    expect(laid.entries[4]).toEqual({
      ...{ kind: 'recorded', at: T0 + 12_000, end: T0 + 13_000, side: 'other' },
      text: 'the called party',
    })
  })

  it('may be half a second off', () => {
    const into = conversation([heard(5_000, 8_000)])
    expect(words(lay(into, part('caller', 7_300, 8_300, 'late')))).toEqual(['late'])
    expect(words(lay(into, part('caller', 7_700, 8_300, 'too late')))).toEqual([
      null,
      'caller: too late',
    ])
  })

  it('goes to prompts without a known end, until the next', () => {
    const into = conversation([said(1_000, null), said(10_000, null)])
    const parts = [part('other', 5_000, 7_000, 'first'), part('other', 20_000, 22_000, 'second')]
    expect(words(lay(into, ...parts))).toEqual(['first', 'second'])
  })

  it('does not go to what was never spoken', () => {
    const into = conversation([said(1_000, 9_000, { is_spoken: false })])
    expect(words(lay(into, part('other', 2_000, 3_000, 'other')))).toEqual([null, 'other: other'])
  })

  it('goes to what the called party said, which the caller hears', () => {
    const into = conversation([heard(1_000, 9_000, { side: 'called' })])
    expect(words(lay(into, part('other', 2_000, 3_000, 'hi')))).toEqual(['hi'])
  })

  it('is nothing for parts without words', () => {
    const into = conversation([heard(1_000, 9_000)])
    const laid = lay(into, part('caller', 2_000, 3_000, null), part('other', 1, 300, ''))
    expect(words(laid)).toEqual([null])
    expect(laid.transcribed).not.toBeNull()
  })

  it('keeps findings and the slowest turn at their entries', () => {
    const into = conversation([said(2_000, 4_000), heard(10_000, 12_000)], {
      slowest: 1,
      findings: [
        { tone: 'warn', text: 'a', entry: 1 },
        { tone: 'warn', text: 'b', entry: null },
        { tone: 'warn', text: 'c', entry: 0 },
      ],
    })
    const laid = lay(into, part('caller', 0, 100, 'early'), part('caller', 5_000, 5_500, 'later'))
    expect(laid.entries.map(({ kind }) => kind)).toEqual(['recorded', 'said', 'recorded', 'heard'])
    expect(laid.slowest).toBe(3)
    expect(laid.findings.map(({ entry }) => entry)).toEqual([3, null, 1])
  })

  it.each([
    ['the answer', { recording: null, answered: T0 + 3_000 }, 3_000],
    ['the beginning', { recording: null, answered: null }, 0],
  ])('is counted from %s where it is unknown when the recording began', (_, of, from) => {
    const laid = lay(conversation([], of), part('caller', 500, 900, 'a'))
    expect(laid.entries).toMatchObject([{ at: T0 + from + 500, end: T0 + from + 900 }])
  })

  it('does not make a page that nobody can show', () => {
    const parts = Array.from({ length: 12_000 }, (_, i) => part('caller', i * 9, i * 9 + 5, 'a'))
    const laid = lay(conversation([event(0), event(50_000)]), ...parts)
    expect(laid.entries).toHaveLength(10_000)
    expect(laid.entries.at(-1)).toMatchObject({ kind: 'recorded' })
    expect(laid.cut).toBe(true)
  })

  it('leaves the conversation that it was given as it was', () => {
    const into = conversation([heard(1_000, 9_000)])
    const before = structuredClone(into)
    lay(into, part('caller', 2_000, 3_000, 'a'))
    expect(into).toEqual(before)
  })
})
