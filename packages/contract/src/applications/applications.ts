import { z } from 'zod'
import {
  OptionalWebhook,
  RequiredWebhook,
  WebhookCell,
  WebhookWithSid,
} from '../tenants/webhooks.ts'
import {
  Flag,
  FlagIn,
  listQuery,
  ofAccount,
  pageOf,
  resource,
  Sid,
  SidOrNull,
  serviceProviderParams,
  Text,
  TextOrNull,
  versioned,
} from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { fileColumns } from '../wire/file-columns.ts'
import { hidden } from '../wire/hidden.ts'
import { exportFilters, importEndpoint } from '../wire/import.ts'
import { LATEST_CALLS_SORTS, latestCalls, unusedFilter } from '../wire/latest-calls.ts'
import { whenMissing } from '../wire/plain-messages.ts'
import { t } from '../wire/text.ts'
import { NOT_JSON } from './app-json.ts'
import { APPLICATION_FILE_COLUMNS } from './application-columns.ts'

const text = StringOrNull

export const Application = z.object({
  application_sid: z.string(),
  name: z.string(),
  service_provider_sid: text,
  account_sid: text,
  app_json: hidden(StringOrNull, 'verbs'),
  speech_synthesis_vendor: text,
  speech_synthesis_language: text,
  speech_synthesis_voice: text,
  speech_synthesis_label: text,
  speech_recognizer_vendor: text,
  speech_recognizer_language: text,
  speech_recognizer_label: text,
  use_for_fallback_speech: Flag.nullable(),
  fallback_speech_synthesis_vendor: text,
  fallback_speech_synthesis_language: text,
  fallback_speech_synthesis_voice: text,
  fallback_speech_synthesis_label: text,
  fallback_speech_recognizer_vendor: text,
  fallback_speech_recognizer_language: text,
  fallback_speech_recognizer_label: text,
  env_vars: hidden(z.record(z.string(), z.unknown()).nullable(), 'values'),
  created_at: text,
  record_all_calls: Flag,
  call_hook: WebhookWithSid.nullable(),
  call_status_hook: WebhookWithSid.nullable(),
  messaging_hook: WebhookWithSid.nullable(),
})
export type Application = z.infer<typeof Application>
export const ApplicationView = Application.extend(versioned)
export type ApplicationView = z.infer<typeof ApplicationView>

/** With the account's name and its calls, so that lists need no extra request. */
export const ApplicationItem = Application.extend({ account_name: text, ...latestCalls })
export type ApplicationItem = z.infer<typeof ApplicationItem>

export const APPLICATION_NAME_TAKEN = t(
  'The name you have entered is already in use on another one of your applications.',
)

/** A JSON array of verbs, as text. `verbProblem` checks it against the platform's verbs. */
const AppJson = z
  .string(whenMissing(NOT_JSON))
  .max(65_535)
  .nullable()
  .transform((json) => json?.trim() || null)
  .refine((json) => {
    try {
      return json === null || JSON.parse(json) !== undefined
    } catch {
      return false
    }
  }, NOT_JSON)

export const EnvVars = z.record(
  z.string(),
  z.union([z.string().max(16_384), z.number(), z.boolean()]),
)

export const ApplicationCreate = z.object({
  name: Text(64),
  account_sid: SidOrNull.optional(),
  call_hook: RequiredWebhook(),
  call_status_hook: RequiredWebhook(),
  messaging_hook: OptionalWebhook().optional(),
  app_json: AppJson.optional(),
  env_vars: EnvVars.nullable().optional(),
  speech_synthesis_vendor: Text(64).optional(),
  speech_synthesis_language: Text(12).optional(),
  speech_synthesis_voice: TextOrNull(256).optional(),
  speech_synthesis_label: TextOrNull(64).optional(),
  speech_recognizer_vendor: Text(64).optional(),
  speech_recognizer_language: Text(64).optional(),
  speech_recognizer_label: TextOrNull(64).optional(),
  use_for_fallback_speech: FlagIn.optional(),
  fallback_speech_synthesis_vendor: TextOrNull(64).optional(),
  fallback_speech_synthesis_language: TextOrNull(12).optional(),
  fallback_speech_synthesis_voice: TextOrNull(256).optional(),
  fallback_speech_synthesis_label: TextOrNull(64).optional(),
  fallback_speech_recognizer_vendor: TextOrNull(64).optional(),
  fallback_speech_recognizer_language: TextOrNull(64).optional(),
  fallback_speech_recognizer_label: TextOrNull(64).optional(),
  record_all_calls: FlagIn.optional(),
})

/** Omitted fields keep their stored values. Call hooks can be replaced, not removed. */
export const ApplicationUpdate = ApplicationCreate.partial()

/** A row of the CSV import and export of applications. Webhooks are URLs. */
export const ApplicationRow = z.object({
  name: Text(64),
  account: TextOrNull(64).default(null),
  call_hook: WebhookCell(),
  call_status_hook: WebhookCell(),
  speech_synthesis_vendor: Text(64).optional(),
  speech_synthesis_language: Text(12).optional(),
  speech_synthesis_voice: Text(256).optional(),
  speech_recognizer_vendor: Text(64).optional(),
  speech_recognizer_language: Text(64).optional(),
  record_all_calls: FlagIn.default(0),
})

const { one, all } = resource('/Applications', { application_sid: Sid })
const query = listQuery('name', 'created_at', ...LATEST_CALLS_SORTS).extend({
  ...unusedFilter,
  /** Text within the name alone, as pickers ask for it. */
  name: z.string().trim().max(100).optional(),
})

const hookRefusals = (refusal: (hook: string) => string) =>
  Object.fromEntries(
    ['call_hook', 'call_status_hook', 'messaging_hook'].map((hook) => [hook, refusal(hook)]),
  )
const addingRefusals = hookRefusals((hook) =>
  t("'{hook}' must be an object when adding an application", { hook }),
)
const updatingRefusals = hookRefusals((hook) =>
  t("'{hook}' must be an object when updating an application", { hook }),
)

export const applications = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List applications',
    query: query.extend({ account_sid: Sid.optional() }),
    response: pageOf(ApplicationItem),
  },
  ofAccount: {
    ...ofAccount('/Applications'),
    ...lists,
    summary: 'List applications of an account',
    query,
    response: pageOf(ApplicationItem),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/Applications',
    params: serviceProviderParams,
    access: 'account',
    ...lists,
    summary: 'List applications of all accounts of a service provider',
    query,
    response: pageOf(ApplicationItem),
  },
  view: { ...one, ...views, summary: 'Get an application', response: ApplicationView },
  create: {
    ...all,
    ...adds,
    summary: 'Add an application',
    body: ApplicationCreate,
    refusals: { ...addingRefusals, name: t('missing field name') },
  },
  update: {
    ...one,
    ...updates,
    summary: 'Update an application',
    body: ApplicationUpdate,
    refusals: updatingRefusals,
  },
  import: {
    path: '/Applications/Import',
    access: 'account',
    summary: 'Import applications from CSV, all or none',
    ...importEndpoint,
  },
  export: {
    path: '/Applications/Export',
    access: 'account',
    method: 'GET',
    summary: 'Export applications as CSV, ready to import',
    own: true,
    file: 'applications.csv',
    query: z.object({
      ...exportFilters,
      ...unusedFilter,
      account_sid: Sid.optional(),
      ...fileColumns(APPLICATION_FILE_COLUMNS),
    }),
    response: z.string(),
  },
  remove: { ...one, ...removes, summary: 'Delete an application that is not in use' },
})
