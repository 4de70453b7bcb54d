import { z } from 'zod'
import { FlagIn } from './common.ts'
import { endpoints } from './endpoint.ts'
import { accountCredentialParams, providerCredentialParams } from './speech-credentials.ts'

export const UseResult = z.object({
  status: z.enum(['ok', 'fail', 'not tested']),
  reason: z.string().optional(),
})
export const TestResult = z.object({ tts: UseResult, stt: UseResult })
export type TestResult = z.infer<typeof TestResult>

const Sound = z.instanceof(Uint8Array<ArrayBuffer>)

export const SPEAK_MAX_CHARACTERS = 1_000
const Sentence = z.object({
  text: z.string('text is required').trim().min(1, 'text is required').max(SPEAK_MAX_CHARACTERS),
  language: z.string('language is required').min(1, 'language is required').max(64),
  voice: z.string('voice is required').min(1, 'voice is required').max(256),
  engine: z.string().max(32).optional(),
})

/** A WAV of one channel and 16 bits, of 8 or 16 kHz, as base64; at most 30 seconds. */
export const RECORDING_MAX_BYTES = 2_000_000
const Recording = z.object({
  wav: z.string('wav is required').min(1, 'wav is required').max(RECORDING_MAX_BYTES),
  language: z.string().max(64).default(''),
})

const below = <const P extends string, One extends z.ZodObject, const O extends string>(
  owner: P,
  of: O,
  one: One,
) =>
  ({
    test: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid/test`,
      params: one,
      access: 'account',
      method: 'GET',
      summary: `Try a speech credential ${of} with a call that costs nothing, or for real`,
      /** Set: really speak and listen, which the vendor charges for. Ours. */
      query: z.object({ real: FlagIn.optional() }),
      changesWith: 'real',
      response: TestResult,
    },
    speak: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid/Synthesize`,
      params: one,
      access: 'account',
      method: 'POST',
      summary: `Say a sentence with a speech credential ${of}`,
      own: true,
      body: Sentence,
      sound: true,
      response: Sound,
    },
    recognise: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid/Recognize`,
      params: one,
      access: 'account',
      method: 'POST',
      summary: `What a speech credential ${of} understands of a short recording`,
      own: true,
      maxBody: RECORDING_MAX_BYTES + 1_000,
      body: Recording,
      response: z.object({ text: z.string() }),
    },
  }) as const

/** Trying a credential: is it good, how does it sound, what does it understand. */
export const accountSpeechTrials = endpoints(
  below('/Accounts/:account_sid', 'of an account', accountCredentialParams),
)
export const providerSpeechTrials = endpoints(
  below(
    '/ServiceProviders/:service_provider_sid',
    'of a service provider',
    providerCredentialParams,
  ),
)
