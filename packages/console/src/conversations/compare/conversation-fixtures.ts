import type {
  CallEvent,
  Conversation,
  Heard,
  Recorded,
  ResponseTime,
  Said,
} from '@switchroom/contract'

// builders of conversation entries for tests; each takes what the test is about

export const response = (
  parts: ResponseTime['parts'],
  more: Partial<ResponseTime> = {},
): ResponseTime => ({
  since: 'speech',
  began: 0,
  parts,
  until: 'voice',
  ms: parts.reduce((sum, { ms }) => sum + ms, 0),
  ...more,
})

export const heard = (transcript: string | null, more: Partial<Heard> = {}): Heard => ({
  kind: 'heard',
  at: 0,
  from: 0,
  side: 'caller',
  outcome: 'speech',
  transcript,
  from_recording: null,
  digits: null,
  confidence: null,
  language: null,
  vendor: null,
  label: null,
  instead_of: null,
  ended_by: null,
  error: null,
  asked_again: false,
  response: null,
  ...more,
})

export const said = (text: string | null, more: Partial<Said> = {}): Said => ({
  kind: 'said',
  at: 0,
  end: null,
  text,
  from_recording: null,
  is_cut: false,
  url: null,
  is_streamed: false,
  vendor: null,
  language: null,
  voice: null,
  label: null,
  cached: null,
  voice_ms: null,
  failed: [],
  is_spoken: true,
  is_interrupted: null,
  ...more,
})

export const recorded = (text: string, more: Partial<Recorded> = {}): Recorded => ({
  kind: 'recorded',
  at: 0,
  end: 0,
  side: 'other',
  text,
  ...more,
})

export const event = (text: string): CallEvent => ({
  kind: 'event',
  at: 0,
  end: null,
  tone: 'info',
  text,
})

export const conversation = (
  entries: Conversation['entries'],
  more: Partial<Conversation> = {},
): Conversation => ({
  began: 0,
  answered: null,
  ended: null,
  recording: null,
  hung_up_by: null,
  greeting_ms: null,
  entries: entries.map((entry, i) => ({ ...entry, at: i * 1_000 })),
  findings: [],
  slowest: null,
  median_ms: null,
  interruptions: {
    barge_ins: 0,
    barge_in_known: 0,
    talk_over_ms: null,
    silence_before_ms: null,
    talk: null,
  },
  cut: false,
  words: 'keep',
  transcribed: null,
  model_session: null,
  ...more,
})
