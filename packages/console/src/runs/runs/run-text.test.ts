import type { Question, RunStep } from '@switchroom/contract'
import { expect, it } from 'vitest'
import {
  announcementOf,
  answererText,
  askedText,
  clockText,
  endCode,
  endFacts,
  requestText,
} from './run-text'

const question = (more: Partial<Question>): Question => ({
  verb: 'gather',
  side: 'caller',
  answers: ['hang_up'],
  targets: [],
  timeout_ms: null,
  digits: null,
  ...more,
})

it.each([
  [0, '0:00.0'],
  [1_449, '0:01.4'],
  [59_960, '1:00.0'],
  [3_600_000, '60:00.0'],
])('shows %i ms on the run’s clock', (ms, text) => {
  expect(clockText(ms)).toBe(text)
})

it.each([
  [
    { answers: ['speech', 'digits'], timeout_ms: 10_000 },
    'gather listens for speech and keys, for up to 10 s',
  ],
  [{ answers: ['digits'] }, 'gather listens for keys'],
  [{ verb: 'silence', answers: ['wait'] }, 'The application is silent'],
  [
    {
      verb: 'dial',
      answers: ['answered'],
      targets: [
        { type: 'phone', to: '1' },
        { type: 'user', to: 'a@b' },
      ],
    },
    'Dials 1, a@b',
  ],
  [
    { verb: 'enqueue', answers: ['bridged'], targets: [{ type: 'queue', to: 'q' }] },
    'enqueue waits: q',
  ],
  [{ verb: 'say', answers: ['wait', 'hang_up'] }, 'say repeats until something ends it'],
] as [Partial<Question>, string][])('asks %j', (more, text) => {
  expect(askedText(question(more))).toBe(text)
})

it('knows who answers', () => {
  expect(answererText({ kind: 'busy' }, 'caller')).toBe('Called party')
  expect(answererText({ kind: 'speech', text: 'x' }, 'caller')).toBe('Caller')
  expect(answererText({ kind: 'digits', digits: '1' }, 'called')).toBe('Called party')
  expect(answererText({ kind: 'hang_up' }, 'caller')).toBe('Caller')
})

it('names requests, and of a call status which', () => {
  const data = { text: '{"call_sid":"x","call_status":"in-progress"}', bytes: 1, is_cut: false }
  expect(requestText({ name: 'call:status', verb: null, data })).toBe('Call status: in-progress')
  expect(requestText({ name: 'verb:hook', verb: 'gather', data })).toBe('Hook of gather')
  expect(requestText({ name: 'session:new', verb: null, data })).toBe('The call comes in')
})

it('tells what the caller gets', () => {
  const ended = {
    kind: 'ended',
    at: 0,
    by: 'platform',
    text: '',
    sip_status: 480,
    sip_reason: 'Temporarily Unavailable',
    x_reason: 'no application provided',
    is_answered: false,
  } as const
  expect(endFacts(ended)).toEqual(['Never answered'])
  expect(endCode(ended)).toEqual([
    '480 Temporarily Unavailable',
    'X-Reason: no application provided',
  ])
})

it('announces the latest prompts and the end only', () => {
  const said = (text: string): RunStep => ({
    ...{ kind: 'said', at: 0, verb: 'say', side: 'caller', text, loop: 1 },
    ...{ vendor: null, language: null, voice: null, label: null },
  })
  const many = ['a', 'b', 'c'].map(said)
  expect(announcementOf(many, (text) => text.toUpperCase())).toBe('B C')
  expect(announcementOf([{ kind: 'paused', at: 0, ms: 1 }], String)).toBe('')
})
