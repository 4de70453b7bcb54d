import { z } from 'zod'
import { ApplicationPeriod } from '../calls/recent-calls.ts'
import { ofAccount, ofServiceProvider } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { ResponsePart } from './conversations.ts'

const Ms = z.number().nonnegative()

/**
 * Times of which each is rounded to two digits, so that what is kept of an hour does not grow with its calls. Rounding
 * keeps their order: these are the percentiles, rounded. Null without times.
 */
const Percentiles = z.object({
  /** Number of known times. */
  known: Integer,
  p50: Ms.nullable(),
  p95: Ms.nullable(),
  p99: Ms.nullable(),
})
export type Percentiles = z.infer<typeof Percentiles>

/** Results of listening to callers. */
const TurnCounts = z.object({
  /** Number of times that callers said or pressed something, or were listened to in vain. */
  turns: Integer,
  /** Speech with less confidence than the application wants, or after which it asked for the same again. */
  not_understood: Integer,
  /** Nothing was said or pressed in time. */
  timed_out: Integer,
  /** The recognizer failed. */
  failed: Integer,
  /** The caller hung up instead of waiting for the answer any longer. */
  hung_up: Integer,
  /** Response times of which the trace shows beginning and end: for speech, the application must ask for its latency. */
  response: Percentiles,
  /**
   * Times from the result of listening to the first audio of the answer, whether the result was speech, keys, a time-out
   * or an error. Known for more turns.
   */
  answer: Percentiles,
})
export type TurnCounts = z.infer<typeof TurnCounts>

/** Counts of the prompts that applications said. */
const PromptCounts = z.object({
  prompts: Integer,
  /** Prompts from the cache, and not. Those of which it is not known are in neither. */
  cached: Integer,
  not_cached: Integer,
})
export type PromptCounts = z.infer<typeof PromptCounts>

/**
 * How caller and application spoke at the same time, and waited for each other. A trace tells less of it than of
 * response times: what it does not tell is in no figure, and calls that were counted before these figures existed have
 * none. Talk spurts, which the platform writes for applications that ask for the latency of speech, are in whole
 * seconds: one begins and ends in the middle of its second, unless the trace tells the end.
 */
const InterruptionCounts = z.object({
  /** Prompts that the caller interrupted by speech or a key. */
  barge_ins: Integer,
  /** Prompts of which the trace tells whether the caller interrupted them. */
  barge_in_known: Integer,
  /**
   * By turn of speech, the time in which application and caller both spoke, 0 if they did not. Speech that began in the
   * second in which a prompt ended began after it, unless it interrupted the prompt. Unknown without talk spurts, or
   * without beginning or end of a prompt that may have been heard meanwhile.
   */
  talk_over: Percentiles,
  /**
   * By turn of speech, the silence before it: from the end of the application’s prompt until the caller spoke. Within the
   * second in which the prompt ended, speech began in the middle of what is left of it. None if both spoke. The silence
   * before the application’s turn is its response time.
   */
  silence_before: Percentiles,
  /** Calls of which the trace tells when each side spoke to the other, from the first to the last turn. */
  talk_known: Integer,
  /** Milliseconds that callers and applications spoke in these calls. */
  caller_talk: Ms,
  application_talk: Ms,
})
export type InterruptionCounts = z.infer<typeof InterruptionCounts>

/** Figures of the conversations between callers and applications, in calls whose trace tells. */
export const VoiceFigures = TurnCounts.extend({
  ...PromptCounts.shape,
  ...InterruptionCounts.shape,
  /** False if the traces are kept where no figures can be made of them, as in Jaeger. Everything else is empty then. */
  is_kept: z.boolean(),
  /** The period of the counted calls. `until` is exclusive. */
  from: z.string(),
  until: z.string(),
  /** Calls in which a caller was listened to, or something was said to one. */
  calls: Integer,
  /** Calls that the caller ended, or the application, where the trace tells. */
  ended_by_caller: Integer,
  ended_by_application: Integer,
  /** Per hour or day, oldest first, without empty ones. `until` is exclusive. Days consist of full UTC hours, within the period. */
  times: z.array(
    TurnCounts.extend({
      ...InterruptionCounts.shape,
      time: z.string(),
      until: z.string(),
      calls: Integer,
    }),
  ),
  /** The most calls first, and so on for those below; at most 500 of each. */
  applications: z.array(
    TurnCounts.extend({
      ...InterruptionCounts.shape,
      application_sid: StringOrNull,
      calls: Integer,
    }),
  ),
  /** By version, of accounts that split figures by one: see the transcript settings. */
  versions: z.array(
    TurnCounts.extend({
      ...PromptCounts.shape,
      ...InterruptionCounts.shape,
      application_sid: StringOrNull,
      /** Null if the call has none; `*` stands for all beyond the first 50 of a day. */
      version: StringOrNull,
      calls: Integer,
      ended_by_caller: Integer,
      ended_by_application: Integer,
      first_audio: Percentiles,
    }),
  ),
  recognizers: z.array(TurnCounts.extend({ vendor: StringOrNull, language: StringOrNull })),
  voices: z.array(
    PromptCounts.extend({
      vendor: StringOrNull,
      voice: StringOrNull,
      /** Times from the request for the voice to its first audio, for prompts that were not cached. */
      first_audio: Percentiles,
      /** Times of turns that it answered. */
      response: Percentiles,
      answer: Percentiles,
    }),
  ),
  /** Requests to vendors, and how many failed, whether or not another vendor took its place. */
  vendors: z.array(
    z.object({
      service: z.enum(['recognition', 'voice']),
      vendor: z.string(),
      requests: Integer,
      failed: Integer,
    }),
  ),
  /**
   * Mean length of each part of the known times: recognition and digits over all known `response` times, others over
   * all
   * known `answer` times.
   */
  parts: z.array(z.object({ part: ResponsePart, ms: Ms })),
})
export type VoiceFigures = z.infer<typeof VoiceFigures>

const figures = {
  method: 'GET',
  own: true,
  costs: 'figures',
  query: ApplicationPeriod,
  response: VoiceFigures,
} as const

export const accountVoice = endpoints({
  figures: {
    ...figures,
    ...ofAccount('/VoiceFigures'),
    summary: 'Get response times and other figures of the conversations of an account',
  },
})

export const providerVoice = endpoints({
  figures: {
    ...figures,
    ...ofServiceProvider('/VoiceFigures'),
    summary:
      'Get response times and other figures of the conversations of a service provider’s accounts',
  },
})
