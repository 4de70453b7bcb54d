import { z } from 'zod'
import {
  accountParams,
  Flag,
  FlagIn,
  Int,
  listQuery,
  NoContent,
  ofAccount,
  pageOf,
  SidOrNull,
  serviceProviderParams,
  Text,
  versioned,
} from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { fileColumns } from '../wire/file-columns.ts'
import { hidden } from '../wire/hidden.ts'
import { exportFilters, importEndpoint } from '../wire/import.ts'
import { t } from '../wire/text.ts'
import { ACCOUNT_FILE_COLUMNS } from './account-columns.ts'
import { BucketCredential, BucketTest } from './buckets.ts'
import { AccountLimit, LimitsIn } from './limits.ts'
import { RECORD_FORMATS } from './record-formats.ts'
import { WebhookSecret } from './webhook-secret.ts'
import { OptionalWebhook, Webhook, WebhookCell } from './webhooks.ts'

export const Account = z.object({
  account_sid: z.string(),
  name: z.string(),
  sip_realm: StringOrNull,
  service_provider_sid: z.string(),
  device_calling_application_sid: StringOrNull,
  is_active: Flag,
  created_at: StringOrNull,
  plan_type: z.string(),
  stripe_customer_id: StringOrNull,
  /** In clear text on a single read, otherwise masked. */
  webhook_secret: hidden(z.string()),
  disable_cdrs: Flag,
  trial_end_date: StringOrNull,
  deactivated_reason: StringOrNull,
  device_to_call_ratio: z.number(),
  subspace_client_id: StringOrNull,
  subspace_client_secret: hidden(StringOrNull),
  subspace_sip_teleport_id: StringOrNull,
  subspace_sip_teleport_destinations: StringOrNull,
  siprec_hook_sid: StringOrNull,
  record_all_calls: Flag,
  record_format: z.string(),
  /** With masked secrets. */
  bucket_credential: z.record(z.string(), z.unknown()).nullable(),
  enable_debug_log: Flag,
  registration_hook: Webhook.nullable(),
  queue_event_hook: Webhook.nullable(),
})
export type Account = z.infer<typeof Account>
export const AccountView = Account.extend({
  limits: z.array(AccountLimit),
  /** Switchroom only: so that forms need no extra request. */
  device_calling_application_name: z.string().nullish(),
  siprec_hook_name: z.string().nullish(),
  ...versioned,
})
export type AccountView = z.infer<typeof AccountView>

export const ACCOUNT_NAME_TAKEN = t(
  'The name you have entered is already in use on another one of your accounts.',
)
export const SIP_REALM_TAKEN = t(
  'The SIP Realm you have entered is already in use on another one of your accounts.',
)

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const REALM = new RegExp(`^${label}(?:\\.${label})+$`)

/** At least three labels: the platform creates it below a domain of its own. */
const RealmName = z
  .string()
  .trim()
  .toLowerCase()
  .refine((realm) => realm.length <= 132 && REALM.test(realm) && realm.split('.').length > 2, {
    error: ({ input }) => t('invalid sip_realm: {input}', { input }),
  })

/** Stored in lower case. Empty becomes null, since two empty realms would collide. */
export const SipRealm = z
  .string()
  .trim()
  .toLowerCase()
  .max(132)
  .refine(
    (realm) => realm === '' || REALM.test(realm),
    t('Enter a domain name, such as sip.example.com'),
  )
  .nullable()
  .transform((realm) => realm || null)

export const AccountCreate = z.object({
  name: Text(64),
  sip_realm: SipRealm.optional(),
  service_provider_sid: SidOrNull.optional(),
  registration_hook: OptionalWebhook().optional(),
  queue_event_hook: OptionalWebhook().optional(),
  device_calling_application_sid: SidOrNull.optional(),
  siprec_hook_sid: SidOrNull.optional(),
  record_all_calls: FlagIn.optional(),
  record_format: z.enum(RECORD_FORMATS).optional(),
  /** Null, or the vendor `none`, removes it. A mask keeps the stored secret. */
  bucket_credential: BucketCredential.nullable().optional(),
  /** Only administrators may change it; others may send the stored value. */
  enable_debug_log: FlagIn.optional(),
  /** Only administrators and providers may change it; accounts may send the stored value. */
  is_active: FlagIn.optional(),
  disable_cdrs: FlagIn.optional(),
  device_to_call_ratio: Int(0, 1_000_000).optional(),
  /** Switchroom only: saved in the same transaction. As the members above. */
  limits: LimitsIn.optional(),
})

/** Omitted fields keep their stored values. Null, {} or an empty url clears a hook. */
export const AccountUpdate = AccountCreate.partial()

/** A row of the CSV import and export of accounts. Webhooks are URLs. */
export const AccountRow = z.object({
  name: Text(64),
  sip_realm: SipRealm.default(null),
  registration_hook: WebhookCell().optional(),
  queue_event_hook: WebhookCell().optional(),
})

const one = { path: '/Accounts/:account_sid', params: accountParams, access: 'account' } as const
const all = { path: '/Accounts' } as const
const cache = ofAccount('/TtsCache')
const query = listQuery('name', 'created_at').extend({
  /** Text within the name alone, as pickers ask for it. */
  name: z.string().trim().max(100).optional(),
})

export const accounts = endpoints({
  list: {
    ...all,
    access: 'account',
    ...lists,
    summary: 'List accounts',
    query,
    response: pageOf(Account),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/Accounts',
    params: serviceProviderParams,
    access: 'account',
    ...lists,
    summary: 'List accounts of a service provider',
    query,
    response: pageOf(Account),
  },
  view: { ...one, ...views, summary: 'Get an account with its limits', response: AccountView },
  create: {
    callsOutside: true,
    ...all,
    access: 'service_provider',
    ...adds,
    summary: 'Add an account',
    body: AccountCreate,
    refusals: {
      name: t('missing field name'),
      registration_hook: t("'registration_hook' must be an object when adding an account"),
      queue_event_hook: t("'queue_event_hook' must be an object when adding an account"),
    },
  },
  update: {
    callsOutside: true,
    ...one,
    ...updates,
    summary: 'Update an account',
    body: AccountUpdate,
  },
  import: {
    path: '/Accounts/Import',
    access: 'service_provider',
    summary: 'Import accounts from CSV, all or none',
    ...importEndpoint,
  },
  export: {
    path: '/Accounts/Export',
    access: 'service_provider',
    method: 'GET',
    summary: 'Export accounts as CSV, ready to import',
    own: true,
    file: 'accounts.csv',
    query: z.object({ ...exportFilters, ...fileColumns(ACCOUNT_FILE_COLUMNS) }),
    response: z.string(),
  },
  remove: {
    callsOutside: true,
    ...one,
    ...removes,
    summary: 'Delete an account that is not in use',
    /** The caller's password, required of people who delete their own account. */
    body: z.object({ password: z.string().max(1024).optional() }),
  },
  webhookSecret: {
    ...ofAccount('/WebhookSecret'),
    method: 'GET',
    summary: 'Get or regenerate the webhook signing secret',
    query: z.object({ regenerate: FlagIn.optional() }),
    mutatesWhen: 'regenerate',
    response: z.object({ webhook_secret: hidden(z.string()) }),
  },
  setWebhookSecret: {
    ...ofAccount('/WebhookSecret'),
    method: 'POST',
    own: true,
    idempotent: true,
    status: 204,
    summary: 'Set the webhook signing secret to one that the applications already have',
    body: z.object({ webhook_secret: WebhookSecret }),
    response: NoContent,
  },
  setSipRealm: {
    callsOutside: true,
    path: '/Accounts/:account_sid/SipRealms/:sip_realm',
    params: accountParams.extend({ sip_realm: RealmName }),
    access: 'account',
    method: 'POST',
    summary: 'Change the SIP realm of an account',
    status: 204,
    response: NoContent,
  },
  testBucket: {
    ...ofAccount('/BucketCredentialTest'),
    method: 'POST',
    summary: 'Test a bucket credential by writing, reading and deleting an object',
    // the response describes the problem, as on the platform
    body: z.record(z.string(), z.unknown()),
    response: BucketTest,
  },
  ttsCache: {
    ...cache,
    method: 'GET',
    summary: 'Count cached TTS prompts of an account',
    response: z.object({ size: Integer }),
  },
  clearTtsCache: { ...cache, ...removes, summary: 'Clear the TTS cache of an account' },
  /** The platform has this endpoint, but stores no charges. */
  charges: {
    ...ofAccount('/Charges'),
    method: 'GET',
    summary: 'List charges of an account; always empty',
    response: z.array(z.unknown()).max(0),
  },
})
