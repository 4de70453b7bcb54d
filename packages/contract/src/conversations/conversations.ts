import { z } from 'zod'
import { TraceId } from '../calls/traces.ts'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { WordsKept } from './transcript-settings.ts'
import { RECORDED_SIDES } from './transcriptions.ts'

/** Milliseconds since 1970, by the clock of the feature server. */
const At = z.number()
const Ms = z.number().nonnegative()
const Words = hidden(z.string(), 'text')
/** The words that a transcription of the recording has at that time; null without one. */
const FromRecording = Words.nullable()

/**
 * Part of a response time:
 * - `recognition`: from the end of speech to the result
 * - `digits`: from the last key to the end of the wait for another
 * - `webhook`: until the application's webhook answered, or the call ended
 * - `application`: the same where the trace has no webhook
 * - `hand_over`: until the platform started the next verb
 * - `pause`: pauses that the application asked for
 * - `voice`: until the first audio of the answer
 */
export const ResponsePart = z.enum([
  'recognition',
  'digits',
  'webhook',
  'application',
  'hand_over',
  'pause',
  'voice',
])
export type ResponsePart = z.infer<typeof ResponsePart>

/** Time that the caller waited for the answer to a turn, in consecutive parts. */
export const ResponseTime = z.object({
  /** Start of the measurement: the end of speech, the last key or, if neither is known, the result. */
  since: z.enum(['speech', 'key', 'result']),
  began: At,
  parts: z.array(z.object({ part: ResponsePart, ms: Ms })),
  /**
   * End of the measurement: the answer's first audio, the next verb if it does not speak, the end of the call, or an
   * answer whose first audio the trace does not show.
   */
  until: z.enum(['voice', 'verb', 'hangup', 'unknown']),
  /** The sum of the parts; null if the trace does not show when the answer began. */
  ms: Ms.nullable(),
})
export type ResponseTime = z.infer<typeof ResponseTime>

/** Result of listening to one side of the call, with the speech or keys if there were any. */
export const Heard = z.object({
  kind: z.literal('heard'),
  /** Time of the result. */
  at: At,
  /** Time at which listening for it began. */
  from: At,
  side: z.enum(['caller', 'called']),
  /**
   * How listening ended: with speech, with speech below the confidence that the application wants, with digits, with
   * nothing in time, with a failure of the recognizer, or stopped for another reason.
   */
  outcome: z.enum(['speech', 'low_confidence', 'digits', 'nothing', 'error', 'stopped']),
  /** Null if nothing was recognized. */
  transcript: Words.nullable(),
  from_recording: FromRecording,
  /** Null if none were pressed, or the trace does not show which. */
  digits: hidden(z.string()).nullable(),
  /** Confidence from 0 to 1; null if the vendor does not tell. */
  confidence: NumberOrNull,
  language: StringOrNull,
  vendor: StringOrNull,
  label: StringOrNull,
  /** The vendor that was asked first, if another one took its place. */
  instead_of: StringOrNull,
  /** End of the digits: enough of them, the finish key, or a pause. */
  ended_by: z.enum(['number', 'key', 'pause']).nullable(),
  /** The recognizer's error message. */
  error: Words.nullable(),
  /** True if the application asked for the same again. */
  asked_again: z.boolean(),
  /** Null if nobody waited for an answer. */
  response: ResponseTime.nullable(),
})
export type Heard = z.infer<typeof Heard>

/** A prompt: text that the application said, or a sound that it played. */
export const Said = z.object({
  kind: z.literal('said'),
  at: At,
  /** Null if the trace does not show it. */
  end: At.nullable(),
  /** The beginning of the text, which is all that a trace has; null for a sound or a stream. */
  text: Words.nullable(),
  from_recording: FromRecording,
  /** True if the text is longer. */
  is_cut: z.boolean(),
  /** The file that was played. */
  url: hidden(z.string(), 'url').nullable(),
  /** True if the text was streamed in pieces while it was spoken. The trace then has neither text nor voice. */
  is_streamed: z.boolean(),
  vendor: StringOrNull,
  language: StringOrNull,
  voice: StringOrNull,
  label: StringOrNull,
  /** Null if unknown. */
  cached: z.boolean().nullable(),
  /** Time from the request for the voice to its first audio, failed attempts included; null if unknown. */
  voice_ms: Ms.nullable(),
  /** Vendors that failed before, in order. */
  failed: z.array(z.object({ vendor: z.string(), ms: Ms })),
  /** True if it was spoken; false if every vendor failed. */
  is_spoken: z.boolean(),
  /** True if the caller interrupted it by speech or a key; null if the trace does not show it. */
  is_interrupted: z.boolean().nullable(),
})
export type Said = z.infer<typeof Said>

/** Words that only the recording has: of a model session, of a called party, or from where nobody listened. */
export const Recorded = z.object({
  kind: z.literal('recorded'),
  at: At,
  end: At,
  side: z.enum(RECORDED_SIDES),
  text: Words,
})
export type Recorded = z.infer<typeof Recorded>

/** Tokens that a model read, those of them that it had in its cache, and tokens that it wrote. */
export const ModelTokens = z.object({
  input: Integer,
  cached: Integer,
  output: Integer,
})
export type ModelTokens = z.infer<typeof ModelTokens>

/** An amount of money; the currency has three letters. */
export const ModelCost = z.object({ amount: z.number(), currency: z.string() })
export type ModelCost = z.infer<typeof ModelCost>

/** Words or anything else from within a session with a language model, which its events tell. */
export const ModelTurn = z.object({
  kind: z.literal('model'),
  /** Start of words, if an event tells of it; else the time at which the event came. */
  at: At,
  /** Result of a tool, or end of the model's voice; null if no event tells. */
  end: At.nullable(),
  what: z.enum(['words', 'tool', 'interruption', 'usage', 'error', 'other']),
  side: z.enum(['caller', 'model']),
  /** Words, the message of an error, or the type of another event. Null if it is not kept. */
  text: Words.nullable(),
  /** A tool that the model called. */
  tool: z
    .object({
      name: z.string(),
      /** JSON, or text. */
      arguments: Words.nullable(),
      result: Words.nullable(),
      has_failed: z.boolean(),
    })
    .nullable(),
  tokens: ModelTokens.nullable(),
  /** Null without a price, or without what it is for. */
  cost: ModelCost.nullable(),
  /** True if the caller interrupted these words. */
  is_interrupted: z.boolean(),
})
export type ModelTurn = z.infer<typeof ModelTurn>

/** Sum of a call's sessions with language models. */
export const ModelSession = z.object({
  vendor: StringOrNull,
  /** Null if no event names it. */
  model: StringOrNull,
  /** Null if no event tells. */
  tokens: ModelTokens.nullable(),
  seconds: z.number(),
  /** Characters that the model said. */
  characters: Integer,
  /** Null without a price, or without what it is for. */
  cost: ModelCost.nullable(),
})
export type ModelSession = z.infer<typeof ModelSession>

/** Anything else that happened, as a sentence. */
export const CallEvent = z.object({
  kind: z.literal('event'),
  at: At,
  /** Null if it has no length, or the trace does not show it. */
  end: At.nullable(),
  tone: z.enum(['info', 'warn', 'bad']),
  text: Words,
})
export type CallEvent = z.infer<typeof CallEvent>

export const ConversationEntry = z.discriminatedUnion('kind', [
  Heard,
  Said,
  Recorded,
  ModelTurn,
  CallEvent,
])
export type ConversationEntry = z.infer<typeof ConversationEntry>

/** A finding about a conversation, and the index of the entry that shows it. */
export const ConversationFinding = z.object({
  tone: z.enum(['info', 'warn', 'bad']),
  text: Words,
  entry: IntegerOrNull,
})
export type ConversationFinding = z.infer<typeof ConversationFinding>

/** How both sides spoke at the same time and waited for each other, defined as in `VoiceFigures`. */
export const CallInterruptions = z.object({
  barge_ins: Integer,
  barge_in_known: Integer,
  /** Sum over the turns of speech; null if no turn's is known. */
  talk_over_ms: Ms.nullable(),
  /** Median of the turns of speech; null if no turn's is known. */
  silence_before_ms: Ms.nullable(),
  /** Time that each side spoke; null if the trace does not tell for all of the call. */
  talk: z.object({ caller_ms: Ms, application_ms: Ms }).nullable(),
})
export type CallInterruptions = z.infer<typeof CallInterruptions>

/** A call's conversation from its trace: who said what, and how long people waited. */
export const Conversation = z.object({
  began: At,
  /** Null if the call was not answered, or the trace does not show it. */
  answered: At.nullable(),
  /** Null if the call is not over, or the trace does not show it. */
  ended: At.nullable(),
  /** Start of the recording, within some 300 ms; null if the trace has none. */
  recording: At.nullable(),
  hung_up_by: z.enum(['caller', 'application']).nullable(),
  /** Time from the answer to the first audio; null if unknown. */
  greeting_ms: Ms.nullable(),
  /** Entries in order of time. */
  entries: z.array(ConversationEntry),
  /** The most severe first. */
  findings: z.array(ConversationFinding),
  /** The index of the turn that was answered slowest; null without one. */
  slowest: IntegerOrNull,
  /** The median of the turns of known response time; null without one. */
  median_ms: Ms.nullable(),
  interruptions: CallInterruptions,
  /** True if spans or entries were left out. */
  cut: z.boolean(),
  /** The account's setting that was applied to the words. */
  words: WordsKept,
  /** Service that transcribed the recording; null if it was not transcribed. */
  transcribed: z.object({ vendor: z.string(), language: z.string() }).nullable(),
  /** Null if no events of a model session came. */
  model_session: ModelSession.nullable(),
})
export type Conversation = z.infer<typeof Conversation>

const one = { method: 'GET', response: Conversation, own: true } as const

export const conversations = endpoints({
  ofAccount: {
    ...one,
    path: '/Accounts/:account_sid/RecentCalls/conversation/:trace_id',
    params: z.object({ account_sid: Sid, trace_id: TraceId }),
    access: 'account',
    summary: 'Get the conversation of a call of an account, with response times and findings',
  },
  ofServiceProvider: {
    ...one,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls/conversation/:trace_id',
    params: z.object({ service_provider_sid: Sid, trace_id: TraceId }),
    access: 'service_provider',
    summary:
      'Get the conversation of a call of a service provider’s accounts, with response times and findings',
  },
})
