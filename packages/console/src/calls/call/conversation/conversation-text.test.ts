import type { CallEvent } from '@switchroom/contract'
import { expect, it } from 'vitest'
import * as fixtures from '../../../conversations/compare/conversation-fixtures'
import {
  figuresOf,
  hasCutTexts,
  heardFacts,
  longestOf,
  msText,
  outcomeOf,
  partText,
  responseNotes,
  saidFacts,
  serviceChanges,
  spentOn,
  timeText,
  withoutText,
} from './conversation-text'

const response = fixtures.response(
  [
    { part: 'recognition', ms: 362 },
    { part: 'webhook', ms: 640 },
    { part: 'voice', ms: 306 },
  ],
  { began: 1_000 },
)
const heard = fixtures.heard('Hello', { at: 2_000, from: 1_000 })
const said = fixtures.said('Welcome', { at: 3_000 })
const conversation = fixtures.conversation([])

it.each([
  [0.4, '0 ms'],
  [362.4, '362 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [1_308, '1.31 s'],
])('writes %d ms as %s', (ms, text) => expect(msText(ms)).toBe(text))

it.each([
  [32_000, '0:32'],
  [-2_000, '−0:02'],
  [-400, '0:00'],
  [0, '0:00'],
  [3_725_000, '1:02:05'],
])('writes the time %d ms after the answer as %s', (after, text) =>
  expect(timeText(7_000 + after, 7_000)).toBe(text),
)

it('tells what is known of a recognition', () => {
  const nameOf = (vendor: string) => vendor.toUpperCase()
  expect(heardFacts(heard, nameOf)).toEqual([])
  expect(
    heardFacts(
      {
        ...heard,
        vendor: 'deepgram',
        label: 'main',
        instead_of: 'google',
        language: 'en-US',
        confidence: 0.876,
        ended_by: 'key',
        asked_again: true,
      },
      nameOf,
    ),
  ).toEqual([
    'DEEPGRAM (main)',
    'Instead of GOOGLE',
    'en-US',
    'Confidence 88 %',
    'Ended by the finish key',
    'Asked again',
  ])
  expect(heardFacts({ ...heard, vendor: 'deepgram', confidence: 0 }, nameOf)).toEqual([
    'DEEPGRAM',
    'Confidence 0 %',
  ])
  const again = { ...heard, vendor: 'deepgram', language: 'en-US', confidence: 1 }
  expect(heardFacts(again, nameOf, false)).toEqual(['Confidence 100 %'])
})

it('tells what is known of what the application said', () => {
  const nameOf = (vendor: string) => vendor.toUpperCase()
  expect(saidFacts(said, nameOf)).toEqual([])
  expect(
    saidFacts(
      {
        ...said,
        vendor: 'google',
        voice: 'Joanna',
        language: 'en-US',
        cached: false,
        voice_ms: 306,
        failed: [{ vendor: 'elevenlabs', ms: 1_508 }],
      },
      nameOf,
    ),
  ).toEqual([
    'GOOGLE',
    'Joanna',
    'en-US',
    'Synthesized',
    'First audio after 306 ms',
    'ELEVENLABS failed after 1.51 s',
  ])
  expect(saidFacts({ ...said, cached: true }, nameOf)).toEqual(['From cache'])
  const again = { ...said, vendor: 'google', voice: 'Joanna', language: 'en-US', cached: true }
  expect(saidFacts(again, nameOf, false)).toEqual(['From cache'])
})

it('tells a service again only when it changes, of each side', () => {
  const event: CallEvent = { kind: 'event', at: 0, end: null, tone: 'info', text: 'x' }
  const listens = { ...heard, vendor: 'deepgram' }
  const speaks = { ...said, vendor: 'google', voice: 'Joanna' }
  expect(
    serviceChanges([speaks, listens, event, speaks, listens, { ...speaks, voice: 'Ruth' }, speaks]),
  ).toEqual([true, true, true, false, false, true, true])
})

it.each([
  [{}, undefined],
  [{ transcript: null }, 'The trace does not show what was said.'],
  [{ outcome: 'digits', transcript: null, digits: '1' }, undefined],
  [{ outcome: 'digits', transcript: null }, 'The trace does not show which keys were pressed.'],
  [{ outcome: 'low_confidence' }, 'Low confidence'],
  [{ outcome: 'nothing', transcript: null }, 'No input'],
  [{ outcome: 'error', transcript: null }, 'Recognition failed'],
  [{ outcome: 'stopped', transcript: null }, 'Listening ended without a result'],
] as const)('says what came of %j: %s', (of, text) => {
  expect(outcomeOf({ ...heard, ...of }, 'keep')?.text).toBe(text)
})

it('says why there is no text', () => {
  expect(withoutText(said, 'keep')).toBeUndefined()
  expect(
    withoutText({ ...said, text: null, url: 'https://x.example/a.mp3' }, 'keep'),
  ).toBeUndefined()
  expect(withoutText({ ...said, text: null }, 'keep')).toBe(
    'The trace does not show what was said.',
  )
  expect(withoutText({ ...said, text: null, is_streamed: true }, 'keep')).toMatch(
    /^Streamed speech\./,
  )
})

it('describes a response time', () => {
  expect(partText('hand_over', 5)).toBe('Hand-over 5 ms')
  expect(spentOn(response)).toBe(1_308)
  expect(responseNotes(response)).toEqual([])
  expect(responseNotes({ ...response, since: 'result', until: 'unknown', ms: null })).toEqual([
    'First audio not known',
    'Counted from the recognition result: the end of speech is not known',
  ])
  expect(responseNotes({ ...response, until: 'hangup' })).toEqual([
    'The call ended before an answer',
  ])
  expect(responseNotes({ ...response, until: 'verb' })).toEqual(['Answered without speech'])
})

it('takes the longest response time as the scale', () => {
  const short = { ...heard, response: { ...response, parts: [{ part: 'voice' as const, ms: 9 }] } }
  expect(longestOf([said, short, { ...heard, response }, heard])).toBe(1_308)
  expect(longestOf([said])).toBe(0)
})

it('says of words that the account does not keep that they are not kept', () => {
  const silent = { ...heard, transcript: null }
  expect(outcomeOf(silent, 'leave_out')?.text).toBe(
    'Left out by the account’s setting of transcripts',
  )
  expect(outcomeOf({ ...silent, outcome: 'nothing' }, 'leave_out')?.text).toBe('No input')
  expect(withoutText({ ...said, text: null }, 'leave_out')).toBe(
    'Left out by the account’s setting of transcripts',
  )
  expect(withoutText(said, 'leave_out')).toBeUndefined()
})

it('knows a text that is shown whole, since the recording has it', () => {
  const cut = { ...said, is_cut: true }
  expect(hasCutTexts(undefined)).toBe(false)
  expect(hasCutTexts({ ...conversation, entries: [said, heard] })).toBe(false)
  expect(hasCutTexts({ ...conversation, entries: [cut] })).toBe(true)
  expect(
    hasCutTexts({ ...conversation, entries: [{ ...cut, from_recording: 'Welcome to us' }] }),
  ).toBe(false)
})

it('gives the figures that are known', () => {
  expect(figuresOf(conversation, undefined)).toEqual([{ name: 'Turns', text: '0' }])
  expect(
    figuresOf(
      {
        ...conversation,
        entries: [
          said,
          { ...heard, response },
          heard,
          { ...heard, outcome: 'digits' },
          { ...heard, outcome: 'nothing' },
          { ...heard, outcome: 'nothing', response },
        ],
        slowest: 1,
        median_ms: 900,
        greeting_ms: 1_200,
        interruptions: {
          barge_ins: 1,
          barge_in_known: 3,
          talk_over_ms: 450,
          silence_before_ms: 1_250,
          talk: { caller_ms: 2_000, application_ms: 6_000 },
        },
      },
      'application',
    ),
  ).toEqual([
    { name: 'Turns', text: '4' },
    { name: 'Median response', text: '900 ms' },
    { name: 'Slowest', text: '1.31 s', entry: 1 },
    { name: 'Greeting', text: '1.20 s' },
    { name: 'Interrupted prompts', text: '1 of 3' },
    { name: 'Both spoke', text: '0.5 s' },
    { name: 'Silence before the caller, median', text: '1.3 s' },
    { name: 'The caller spoke', text: '25 % of the time spoken' },
    { name: 'Ended by', text: 'Application' },
  ])
})
