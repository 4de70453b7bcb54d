import { z } from 'zod'
import { CallPeriod } from '../calls/recent-calls.ts'
import { accountParams, serviceProviderParams } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'
import { ResponsePart } from './conversations.ts'

const Count = z.number().int()
const Ms = z.number().nonnegative()

/**
 * Times of which each is rounded to two digits, so that what is kept of an hour does not grow with its calls. Rounding
 * keeps their order: these are the percentiles, rounded. Null without times.
 */
const Percentiles = z.object({
  /** How many times are known. */
  known: Count,
  p50: Ms.nullable(),
  p95: Ms.nullable(),
  p99: Ms.nullable(),
})
export type Percentiles = z.infer<typeof Percentiles>

/** What came of listening to callers. */
const TurnCounts = z.object({
  /** How often callers said or pressed something, or were listened to in vain. */
  turns: Count,
  /** Speech with less confidence than the application wants, or after which it asked for the same again. */
  not_understood: Count,
  /** Nothing was said or pressed in time. */
  timed_out: Count,
  /** The recognizer failed. */
  failed: Count,
  /** The caller hung up instead of waiting for the answer any longer. */
  hung_up: Count,
  /** Response times of which the trace shows beginning and end: for speech, the application must ask for its latency. */
  response: Percentiles,
  /** From the result of listening, be it speech or keys, to the first audio of the answer. Known of more turns. */
  answer: Percentiles,
})
export type TurnCounts = z.infer<typeof TurnCounts>

/** What applications said. */
const PromptCounts = z.object({
  prompts: Count,
  /** Of those of which it is known. */
  cached: Count,
  not_cached: Count,
})
export type PromptCounts = z.infer<typeof PromptCounts>

/** How callers and applications talked with each other, in calls whose trace tells. */
export const VoiceFigures = TurnCounts.extend({
  ...PromptCounts.shape,
  /** False if the traces are kept where no figures can be made of them, as in Jaeger. Everything else is empty then. */
  is_kept: z.boolean(),
  /** The period of the counted calls. `until` is exclusive. */
  from: z.string(),
  until: z.string(),
  /** Calls in which a caller was listened to, or something was said to one. */
  calls: Count,
  /** Calls that the caller ended, or the application, where the trace tells. */
  ended_by_caller: Count,
  ended_by_application: Count,
  /** Per hour or day, oldest first, without empty ones. `until` is exclusive. Days consist of full UTC hours, within the period. */
  times: z.array(TurnCounts.extend({ time: z.string(), until: z.string(), calls: Count })),
  /** The most calls first, and so on for those below; at most 500 of each. */
  applications: z.array(
    TurnCounts.extend({ application_sid: z.string().nullable(), calls: Count }),
  ),
  recognizers: z.array(
    TurnCounts.extend({ vendor: z.string().nullable(), language: z.string().nullable() }),
  ),
  voices: z.array(
    PromptCounts.extend({
      vendor: z.string().nullable(),
      voice: z.string().nullable(),
      /** From the request for the voice to its first audio, of prompts that were not cached. */
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
      requests: Count,
      failed: Count,
    }),
  ),
  /**
   * What known times were spent on: the mean of each part, of recognition and digits over all known `response` times,
   * of others over all known `answer` times.
   */
  parts: z.array(z.object({ part: ResponsePart, ms: Ms })),
})
export type VoiceFigures = z.infer<typeof VoiceFigures>

const figures = {
  method: 'GET',
  own: true,
  costs: 'figures',
  query: CallPeriod.extend({
    /** Only calls of this application. */
    application_sid: z
      .string()
      .trim()
      .min(1, t('Enter the SID of an application'))
      .max(128, t('Enter the SID of an application'))
      .optional(),
  }),
  response: VoiceFigures,
} as const

export const accountVoice = endpoints({
  figures: {
    ...figures,
    path: '/Accounts/:account_sid/VoiceFigures',
    params: accountParams,
    access: 'account',
    summary: 'Get response times and other figures of the conversations of an account',
  },
})

export const providerVoice = endpoints({
  figures: {
    ...figures,
    path: '/ServiceProviders/:service_provider_sid/VoiceFigures',
    params: serviceProviderParams,
    access: 'service_provider',
    summary:
      'Get response times and other figures of the conversations of a service provider’s accounts',
  },
})
