import type { Conversation, Heard, ResponsePart, ResponseTime, Said } from '@switchroom/contract'

/** Start of every example's call, in ms since 1970: recent, since stores drop old calls. */
export const T0 = Math.floor(Date.now() / 1_000) * 1_000 - 600_000

export type Attributes = Record<string, string | number | boolean>

/**
 * A span as the facts write it: id, parent id (undefined for the root, or an id that never arrives), start and
 * duration in ms from the root's start, name, attributes.
 */
export type ExampleSpan = {
  id: string
  parent?: string
  start: number
  duration: number
  name: string
  attributes?: Attributes
}

export type ExpectedHeard = Partial<Omit<Heard, 'kind'>>
export type ExpectedSaid = Partial<Omit<Said, 'kind'>>

type OfCall =
  | 'answered'
  | 'ended'
  | 'recording'
  | 'hung_up_by'
  | 'greeting_ms'
  | 'median_ms'
  | 'slowest'

/** Expected findings; times in ms from the root's start. Only members named here are compared. */
export type Expected = Partial<Pick<Conversation, OfCall>> & {
  /** All heard entries in order. `slowest` counts in them. */
  heard: ExpectedHeard[]
  /** All said entries in order. */
  said: ExpectedSaid[]
  /** Each matches an event, which is the one that matched before or a later one. */
  events: RegExp[]
  /** Each matches a finding, in any order, and there are no others. */
  findings: RegExp[]
  /** None matches a finding. */
  noFindings?: RegExp[]
}

export type Example = { name: string; spans: ExampleSpan[]; expected: Expected }

export function span(
  id: string,
  parent: string | undefined,
  start: number,
  duration: number,
  name: string,
  attributes: Attributes = {},
): ExampleSpan {
  return { id, ...(parent !== undefined && { parent }), start, duration, name, attributes }
}

/** The root of an inbound call. */
export const call = (duration: number, attributes: Attributes = {}) =>
  span('a', undefined, 0, duration, 'incoming-call', {
    callSid: 'c1',
    accountSid: 'acc1',
    callId: 'call-1',
    externalCallId: 'ext-1',
    finalStatus: 200,
    ...attributes,
  })

export const answered = (start: number) =>
  span('f', 'a', start, 20, 'call-status:in-progress', {
    callStatus: 'in-progress',
    sipStatus: 200,
  })

export const over = (start: number, callTerminationBy: 'caller' | 'jambonz') =>
  span('c', 'a', start, 20, 'call-status:completed', {
    callStatus: 'completed',
    callTerminationBy,
    duration: Math.floor(start / 1000),
    sipStatus: 200,
  })

/** A webhook that a verb made; null for one without an HTTP answer. */
export const hook = (
  id: string,
  parent: string,
  start: number,
  duration: number,
  path: string,
  body: object,
  status: number | null = 200,
) =>
  span(id, parent, start, duration, `verb:hook (${path})`, {
    'http.body': JSON.stringify({ callSid: 'c1', direction: 'inbound', from: '1555', ...body }),
    ...(status !== null && { 'http.statusCode': status }),
  })

export const SPEECH = 'inputs=speech,vendor=google,language=en-US'
export const DEFAULT = 'inputs=speech,vendor=default,language=default'
export const DIGITS = 'inputs=digits'
export const PROMPTED = ',with nested say task'

/** A gather; without a way that it resolved if that is null. */
export const gather = (
  id: string,
  start: number,
  duration: number,
  options: string,
  resolve: string | null,
  attributes: Attributes = {},
) =>
  span(id, 'a', start, duration, `verb:gather{${options}}`, {
    ...(resolve !== null && { channel: 1, 'stt.label': 'None', 'stt.resolve': resolve }),
    ...attributes,
  })

/** A recognizer's result, as an attribute. */
export const result = (
  transcript: string,
  confidence?: number,
  vendor = 'google',
  language = 'en-US',
) => ({
  'stt.result': JSON.stringify({
    language_code: language,
    channel_tag: 1,
    is_final: true,
    alternatives: [{ ...(confidence !== undefined && { confidence }), transcript }],
    vendor: { name: vendor, evt: {} },
  }),
})

/** The same with the time from the end of speech, as `stt.latency_ms` writes it. */
export const late = (latency: string, transcript: string, confidence?: number) => ({
  ...result(transcript, confidence),
  'stt.latency_ms': latency,
  'stt.talkspurts': '[]',
})

export const say = (id: string, start: number, duration: number, text: string) =>
  span(id, 'a', start, duration, `verb:say{text=${text}}`)

export const prompt = (id: string, parent: string, start: number, duration: number, text: string) =>
  span(id, parent, start, duration, `nested:say{text=${text}}`)

/** A request for a voice; one that failed if `cached` is null. */
export const tts = (
  id: string,
  parent: string,
  start: number,
  duration: number,
  cached: boolean | null,
  attributes: Attributes = {},
) =>
  span(id, parent, start, duration, 'tts-generation', {
    'tts.vendor': 'google',
    'tts.language': 'en-US',
    'tts.voice': 'en-US-Wavenet-C',
    'tts.label': 'None',
    ...(cached !== null && { 'tts.cached': cached }),
    ...attributes,
  })

/** A key that a listen task saw. */
export const key = (id: string, parent: string, start: number, pressed: string) =>
  span(id, parent, start, 0, `dtmf:${pressed}`, { channel: 1, dtmf: pressed, duration: '120ms' })

export const recording = (start: number, duration: number) =>
  span('r', 'a', start, duration, 'background-record:listen')

export const HUNG_UP_BY_CALLER = /caller hung up/i
export const HUNG_UP_BY_APPLICATION = /application hung up/i

/** A response time, its parts in the order in which they are written. */
export const answer = (
  since: ResponseTime['since'],
  began: number,
  parts: Partial<Record<ResponsePart, number>>,
  until: ResponseTime['until'],
  ms: number | null,
): ResponseTime => ({
  since,
  began,
  parts: Object.entries(parts).map(([part, ms]) => ({ part: part as ResponsePart, ms })),
  until,
  ms,
})
