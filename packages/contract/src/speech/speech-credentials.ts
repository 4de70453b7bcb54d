import { z } from 'zod'
import {
  accountParams,
  Created,
  Flag,
  FlagIn,
  NoContent,
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
import { StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { LastTestResult } from './test-result.ts'

/**
 * A credential. The vendor's own settings are further members, named as in its descriptor; its secrets
 * as a mask.
 */
export const SpeechCredential = z.looseObject({
  speech_credential_sid: z.string(),
  service_provider_sid: StringOrNull,
  /** Null if shared by all accounts of the provider. */
  account_sid: StringOrNull,
  /** The vendor's id; of custom vendors `<id>:<name>`. */
  vendor: z.string(),
  label: StringOrNull,
  use_for_tts: Flag.nullable(),
  use_for_stt: Flag.nullable(),
  last_used: StringOrNull,
  last_tested: StringOrNull,
  tts_tested_ok: Flag.nullable(),
  stt_tested_ok: Flag.nullable(),
  created_at: StringOrNull,
  /** Switchroom only: the result of testing the present settings; omitted if not tested. */
  test_result: LastTestResult.optional(),
  /** Switchroom only: the stored credential cannot be decrypted; an update must send all settings again. */
  unreadable: z.literal(true).optional(),
})
export type SpeechCredential = z.infer<typeof SpeechCredential>
export const SpeechCredentialView = SpeechCredential.extend(versioned)
export type SpeechCredentialView = z.infer<typeof SpeechCredentialView>

/** With the account's name, so that lists need no extra request. */
export const SpeechCredentialItem = SpeechCredential.extend({
  account_name: z.string().nullish(),
})
export type SpeechCredentialItem = z.infer<typeof SpeechCredentialItem>

// the server checks the vendor's settings: only it knows which secrets are stored
const common = {
  use_for_tts: FlagIn.nullish(),
  use_for_stt: FlagIn.nullish(),
  /** Switchroom only: the mode from the vendor's descriptor; the fields of other modes are cleared. */
  mode: z.string().max(32).nullish(),
}

export const SpeechCredentialCreate = z.looseObject({
  vendor: Text(64, t('Choose a vendor')),
  account_sid: SidOrNull.optional(),
  service_provider_sid: SidOrNull.optional(),
  label: TextOrNull(64).optional(),
  ...common,
})

/**
 * Omitted fields keep their stored values, null clears a field, a mask keeps the stored secret. Vendor, label and owner
 * cannot change; they may be sent unchanged. Without `mode` it follows from the fields.
 */
export const SpeechCredentialUpdate = z.looseObject(common)

export const NOTHING_TO_UPDATE = t('use_for_tts and use_for_stt are the only updateable fields')
export const UNREADABLE_CREDENTIAL = t(
  'The stored credential can no longer be decrypted. Enter it again',
)
export const labelTaken = (label: string) =>
  t('Label {label} is already in use for another speech credential', { label })

export const accountCredentialParams = accountParams.extend({ speech_credential_sid: Sid })
export const providerCredentialParams = serviceProviderParams.extend({ speech_credential_sid: Sid })
const query = PageQuery.omit({ sort: true })
/** Only this account's credentials; without it those that all accounts share. */
const queryOfProvider = query.extend({
  account_sid: Sid.optional(),
  /** Switchroom only: include those of all accounts. */
  all: FlagIn.optional(),
})

/** The platform has each endpoint twice: for accounts and for providers. */
const nestedEndpoints = <
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
      refusals: { vendor: t('vendor is required') },
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
      response: NoContent,
    },
    remove: {
      path: `${owner}/SpeechCredentials/:speech_credential_sid`,
      params: one,
      access: 'account',
      method: 'DELETE',
      summary: `Delete a speech credential ${of}`,
      status: 204,
      response: NoContent,
    },
  }) as const

export const accountSpeechCredentials = endpoints(
  nestedEndpoints(
    '/Accounts/:account_sid',
    'of an account',
    accountParams,
    accountCredentialParams,
    query,
  ),
)
export const providerSpeechCredentials = endpoints(
  nestedEndpoints(
    '/ServiceProviders/:service_provider_sid',
    'of a service provider',
    serviceProviderParams,
    providerCredentialParams,
    queryOfProvider,
  ),
)
