import { z } from 'zod'
import { FlagIn, ofAccount, Sid, Text } from '../wire/common.ts'
import { endpoints, Sound } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'
import { SPEAK_MAX_CHARACTERS } from './sample-length.ts'
import { accountCredentialParams, providerCredentialParams } from './speech-credentials.ts'
import { TestResult } from './test-result.ts'

const Sentence = z.object({
  text: z.string().trim().min(1).max(SPEAK_MAX_CHARACTERS),
  language: z.string().min(1).max(64),
  voice: z.string().min(1).max(256),
  /** For vendors with several engines, such as standard and neural. */
  engine: z.string().max(32).optional(),
})

/** The platform's own endpoint for the same. */
const SentenceWithCredential = z.object({
  speech_credential_sid: Sid,
  text: Text(SPEAK_MAX_CHARACTERS),
  language: Text(64),
  voice: Text(256),
  engine: z.string().max(32).default('standard'),
  encodingMp3: FlagIn.default(0),
})

const ALL_REQUIRED = t('speech_credential_sid, text, language, voice are all required')
const refusals = {
  speech_credential_sid: ALL_REQUIRED,
  text: ALL_REQUIRED,
  language: ALL_REQUIRED,
  voice: ALL_REQUIRED,
}

/** Per minute and caller, since each call costs money. */
export const SPEECH_CALLS_PER_MINUTE = 30

/** A mono 16-bit WAV of 8 or 16 kHz, in base64. */
export const RECORDING_MAX_BYTES = 2_000_000
export const RECORDING_MAX_SECONDS = 30
const Recording = z.object({
  wav: z.string().min(1).max(RECORDING_MAX_BYTES),
  language: z.string().max(64).default(''),
})

const nestedEndpoints = <const P extends string, One extends z.ZodObject, const O extends string>(
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
      summary: `Test a speech credential ${of} free of charge, or with a live test`,
      /**
       * Set: really speak and listen, which the vendor charges for. It listens to a tone: an answer without
       * words is a success. Ours.
       */
      query: z.object({ real: FlagIn.optional() }),
      mutatesWhen: 'real',
      response: TestResult,
    },
    speak: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid/Synthesize`,
      params: one,
      access: 'account',
      method: 'POST',
      summary: `Synthesize a sentence with a speech credential ${of}`,
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
      summary: `Transcribe a short recording with a speech credential ${of}`,
      own: true,
      maxBody: RECORDING_MAX_BYTES + 1_000,
      body: Recording,
      response: z.object({ text: z.string() }),
    },
  }) as const

/** Tests of a credential: is it valid, how does it sound, what does it recognize. */
export const accountSpeechTrials = endpoints({
  ...nestedEndpoints('/Accounts/:account_sid', 'of an account', accountCredentialParams),
  synthesise: {
    ...ofAccount('/TtsCache/Synthesize'),
    method: 'POST',
    summary: 'Synthesize a sentence with a speech credential of an account, as the platform does',
    body: SentenceWithCredential,
    refusals,
    sound: true,
    response: Sound,
  },
  synthesiseAnywhere: {
    path: '/TtsCache/Synthesize',
    access: 'admin',
    method: 'POST',
    summary: 'Synthesize a sentence for the account in the body',
    body: SentenceWithCredential.extend({
      account_sid: z.string(t('Account not found for sid undefined')).pipe(Sid),
    }),
    refusals,
    sound: true,
    response: Sound,
  },
})
export const providerSpeechTrials = endpoints(
  nestedEndpoints(
    '/ServiceProviders/:service_provider_sid',
    'of a service provider',
    providerCredentialParams,
  ),
)
