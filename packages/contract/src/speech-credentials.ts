import { z } from 'zod'
import {
  accountParams,
  Created,
  Flag,
  FlagIn,
  Nothing,
  PageQuery,
  pageOf,
  Sid,
  SidOrNull,
  serviceProviderParams,
  TextOrNull,
  versioned,
} from './common.ts'
import { endpoints } from './endpoint.ts'

/**
 * The row. The vendor's own settings stand beside these, flat, by the names of its descriptor; its secrets
 * as a mask.
 */
export const SpeechCredential = z.looseObject({
  speech_credential_sid: z.string(),
  service_provider_sid: z.string().nullable(),
  /** Null: for all accounts of the provider. */
  account_sid: z.string().nullable(),
  /** A vendor's id, or `custom:<name>`. */
  vendor: z.string(),
  label: z.string().nullable(),
  use_for_tts: Flag.nullable(),
  use_for_stt: Flag.nullable(),
  last_used: z.string().nullable(),
  last_tested: z.string().nullable(),
  tts_tested_ok: Flag.nullable(),
  stt_tested_ok: Flag.nullable(),
  created_at: z.string().nullable(),
})
export type SpeechCredential = z.infer<typeof SpeechCredential>
export const SpeechCredentialView = SpeechCredential.extend(versioned)
export type SpeechCredentialView = z.infer<typeof SpeechCredentialView>

/** Ours adds whose it is, so that a list needs no call for it. */
export const SpeechCredentialItem = SpeechCredential.extend({
  account_name: z.string().nullish(),
})
export type SpeechCredentialItem = z.infer<typeof SpeechCredentialItem>

// the vendor's settings are checked on the server: only it knows which secrets are stored already
const uses = { use_for_tts: FlagIn.optional(), use_for_stt: FlagIn.optional() }

export const SpeechCredentialCreate = z.looseObject({
  vendor: z.string('vendor is required').trim().min(1, 'vendor is required').max(32),
  account_sid: SidOrNull.optional(),
  service_provider_sid: SidOrNull.optional(),
  label: TextOrNull(64).optional(),
  ...uses,
})

/** A member left out stays as it is, null removes it, a mask keeps the stored secret. */
export const SpeechCredentialUpdate = z.looseObject(uses)

export const labelTaken = (label: string) =>
  `Label ${label} is already in use for another speech credential`

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

const accountOne = accountParams.extend({ speech_credential_sid: Sid })
const providerOne = serviceProviderParams.extend({ speech_credential_sid: Sid })
const query = PageQuery.omit({ sort: true })

/** The platform has everything twice: below an account and below a provider. */
const below = <
  const P extends string,
  All extends z.ZodObject,
  One extends z.ZodObject,
  const O extends string,
>(
  owner: P,
  of: O,
  all: All,
  one: One,
) =>
  ({
    list: {
      path: `${owner}/SpeechCredentials`,
      params: all,
      access: 'account',
      method: 'GET',
      summary: `Speech credentials ${of}`,
      list: true,
      query,
      response: pageOf(SpeechCredentialItem),
    },
    create: {
      path: `${owner}/SpeechCredentials`,
      params: all,
      access: 'account',
      method: 'POST',
      summary: `Add a speech credential ${of}`,
      body: SpeechCredentialCreate,
      status: 201,
      response: Created,
    },
    view: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid`,
      params: one,
      access: 'account',
      method: 'GET',
      versioned: true,
      summary: `One speech credential ${of}`,
      response: SpeechCredentialView,
    },
    update: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid`,
      params: one,
      access: 'account',
      method: 'PUT',
      versioned: true,
      summary: `Change a speech credential ${of}`,
      body: SpeechCredentialUpdate,
      status: 204,
      response: Nothing,
    },
    remove: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid`,
      params: one,
      access: 'account',
      method: 'DELETE',
      summary: `Delete a speech credential ${of}`,
      status: 204,
      response: Nothing,
    },
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

export const accountSpeechCredentials = endpoints(
  below('/Accounts/:account_sid', 'of an account', accountParams, accountOne),
)
export const providerSpeechCredentials = endpoints(
  below(
    '/ServiceProviders/:service_provider_sid',
    'of a service provider',
    serviceProviderParams,
    providerOne,
  ),
)
