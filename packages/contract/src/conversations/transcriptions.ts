import { z } from 'zod'
import { Sid } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { TranscribedWith } from './transcript-settings.ts'

/** Milliseconds since the recording began. */
const Offset = z.number().int().nonnegative()

/** The left channel of a recording has the caller, the right one whatever the caller hears. */
export const RECORDED_SIDES = ['caller', 'other'] as const

/** A stretch of speech on one side of a recording: a request to the service. */
export const TranscriptPart = z.object({
  side: z.enum(RECORDED_SIDES),
  from: Offset,
  to: Offset,
  /** Null until it is recognized, and if that failed. Empty if the service heard no words. */
  text: hidden(StringOrNull, 'text'),
  /** Why it failed; null if it did not. */
  error: hidden(StringOrNull, 'text'),
})
export type TranscriptPart = z.infer<typeof TranscriptPart>

/**
 * `interrupted`: its process ended before it did; starting it again keeps what was recognized.
 * `failed`: no part was recognized, or the recording could not be read.
 */
export const TRANSCRIPTION_STATES = ['running', 'done', 'failed', 'interrupted'] as const

/** A transcription of a call's recording. */
export const Transcription = z.object({
  call_sid: z.string(),
  state: z.enum(TRANSCRIPTION_STATES),
  /** Null once the credential is deleted. */
  speech_credential_sid: StringOrNull,
  vendor: z.string(),
  language: z.string(),
  /** True if the account's setting started it, and nobody asked for it. */
  is_automatic: z.boolean(),
  begun_at: z.string(),
  ended_at: StringOrNull,
  /** Why it failed. */
  message: hidden(StringOrNull, 'text'),
  parts: z.array(TranscriptPart),
})
export type Transcription = z.infer<typeof Transcription>

/** The cost of transcribing a recording. */
export const TranscriptionPlan = z.object({
  /** Length of the recording in milliseconds. */
  length_ms: Integer,
  /** Length of the speech on each side in milliseconds. Nothing else is sent. */
  speech_ms: z.object({ caller: Integer, other: Integer }),
  requests: Integer,
  /** The account's recognition services, each with the language it takes for spoken by default. */
  services: z.array(
    z.object({
      speech_credential_sid: z.string(),
      vendor: z.string(),
      label: StringOrNull,
      language: z.string(),
    }),
  ),
})
export type TranscriptionPlan = z.infer<typeof TranscriptionPlan>

const of = {
  path: '/Accounts/:account_sid/RecentCalls/:call_sid/Transcription',
  params: z.object({ account_sid: Sid, call_sid: Sid }),
  access: 'account',
  own: true,
} as const

export const transcriptions = endpoints({
  view: {
    ...of,
    method: 'GET',
    summary: 'Get the transcription of a call’s recording',
    response: Transcription,
  },
  plan: {
    ...of,
    path: `${of.path}/Plan`,
    method: 'GET',
    summary: 'Estimate the speech and requests of transcribing a call’s recording',
    response: TranscriptionPlan,
  },
  start: {
    ...of,
    method: 'POST',
    summary: 'Transcribe the recording of a call, in the background',
    body: TranscribedWith,
    response: Transcription,
  },
  remove: { ...of, ...removes, summary: 'Delete the transcription of a call’s recording' },
})
