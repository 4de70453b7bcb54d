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
  Text,
  TextOrNull,
  versioned,
} from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { RememberedResult } from './test-result.ts'

/**
 * The row. The vendor's own settings stand beside these, flat, by the names of its descriptor; its secrets
 * as a mask.
 */
export const SpeechCredential = z.looseObject({
  speech_credential_sid: z.string(),
  service_provider_sid: z.string().nullable(),
  /** Null: for all accounts of the provider. */
  account_sid: z.string().nullable(),
  /** A vendor's id, with the name behind it where each account has its own. */
  vendor: z.string(),
  label: z.string().nullable(),
  use_for_tts: Flag.nullable(),
  use_for_stt: Flag.nullable(),
  last_used: z.string().nullable(),
  last_tested: z.string().nullable(),
  tts_tested_ok: Flag.nullable(),
  stt_tested_ok: Flag.nullable(),
  created_at: z.string().nullable(),
  /** How it was tried as it is now; left out where it was not. Ours. */
  test_result: RememberedResult.optional(),
  /** Ours: what is stored cannot be opened, and a change has to bring everything anew. */
  unreadable: z.literal(true).optional(),
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
const common = {
  use_for_tts: FlagIn.nullish(),
  use_for_stt: FlagIn.nullish(),
  /** Ours: how it connects, by the descriptor's word; the members of the other ways are cleared. */
  mode: z.string().max(32).nullish(),
}

export const SpeechCredentialCreate = z.looseObject({
  vendor: Text(64, 'Choose a vendor'),
  account_sid: SidOrNull.optional(),
  service_provider_sid: SidOrNull.optional(),
  label: TextOrNull(64).optional(),
  ...common,
})

/**
 * A member left out stays as it is, null removes it, a mask keeps the stored secret. Vendor, label and owner
 * stay, and may be sent as they are. Without `mode` the members tell how it connects.
 */
export const SpeechCredentialUpdate = z.looseObject(common)

export const NOTHING_TO_UPDATE = 'use_for_tts and use_for_stt are the only updateable fields'
export const UNREADABLE_CREDENTIAL =
  'The stored credential can no longer be decrypted. Enter it again'
export const labelTaken = (label: string) =>
  `Label ${label} is already in use for another speech credential`

export const accountCredentialParams = accountParams.extend({ speech_credential_sid: Sid })
export const providerCredentialParams = serviceProviderParams.extend({ speech_credential_sid: Sid })
const query = PageQuery.omit({ sort: true })
/** With an account only its own rows; without one those that all accounts share. */
const queryOfProvider = query.extend({
  account_sid: Sid.optional(),
  /** Ours: those of each account besides. */
  all: FlagIn.optional(),
})

/** The platform has all of it twice: below an account and below a provider. */
const below = <
  const P extends string,
  All extends z.ZodObject,
  One extends z.ZodObject,
  Query extends z.ZodObject,
  const O extends string,
>(
  owner: P,
  of: O,
  all: All,
  one: One,
  query: Query,
) =>
  ({
    list: {
      path: `${owner}/SpeechCredentials`,
      params: all,
      access: 'account',
      method: 'GET',
      summary: `List speech credentials ${of}`,
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
      refusals: { vendor: 'vendor is required' },
      status: 201,
      response: Created,
    },
    view: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid`,
      params: one,
      access: 'account',
      method: 'GET',
      versioned: true,
      summary: `Get a speech credential ${of}`,
      response: SpeechCredentialView,
    },
    update: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid`,
      params: one,
      access: 'account',
      method: 'PUT',
      versioned: true,
      summary: `Update a speech credential ${of}`,
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
  }) as const

export const accountSpeechCredentials = endpoints(
  below('/Accounts/:account_sid', 'of an account', accountParams, accountCredentialParams, query),
)
export const providerSpeechCredentials = endpoints(
  below(
    '/ServiceProviders/:service_provider_sid',
    'of a service provider',
    serviceProviderParams,
    providerCredentialParams,
    queryOfProvider,
  ),
)
