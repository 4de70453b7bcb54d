import { z } from 'zod'
import {
  Flag,
  FlagIn,
  listQuery,
  ofAccount,
  pageOf,
  resource,
  SecretOrNull,
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
import {
  CHOOSE_A_CHANGE,
  changesSomething,
  exportsMany,
  removesMany,
  selectionOf,
  updatesMany,
} from '../wire/selection.ts'
import { t } from '../wire/text.ts'
import { CLIENT_FILE_COLUMNS } from './client-columns.ts'

/** Named after the platform's table. The console says SIP client. */
export const Client = z.object({
  client_sid: z.string(),
  account_sid: z.string(),
  username: z.string(),
  password: hidden(StringOrNull),
  is_active: Flag,
  allow_direct_app_calling: Flag,
  allow_direct_queue_calling: Flag,
  allow_direct_user_calling: Flag,
})
export type Client = z.infer<typeof Client>
export const ClientView = Client.extend(versioned)
export type ClientView = z.infer<typeof ClientView>

/** With the account's name and SIP realm, and its calls, so that lists need no extra requests. */
export const ClientItem = Client.extend({
  account_name: StringOrNull,
  sip_realm: StringOrNull,
  ...latestCalls,
})
export type ClientItem = z.infer<typeof ClientItem>

export const USERNAME_TAKEN = t("the client's username already exists")

const Username = Text(64).refine((name) => !/\s/.test(name), {
  error: t('The username cannot contain spaces'),
  params: { msg: t('username cannot contain whitespace') },
})
// the longest password whose encrypted form fits the column
const Password = SecretOrNull(128)

export const ClientCreate = z.object({
  account_sid: SidOrNull.optional(),
  username: Username,
  password: Password.optional(),
  is_active: FlagIn.default(1),
  allow_direct_app_calling: FlagIn.default(1),
  allow_direct_queue_calling: FlagIn.default(1),
  allow_direct_user_calling: FlagIn.default(1),
})

export const USERNAME_FIXED = t('The username cannot be changed')

/** Omitted fields keep their stored values. The username cannot change; it may be sent unchanged. */
export const ClientUpdate = z.object({
  account_sid: SidOrNull.optional(),
  username: z.string(USERNAME_FIXED).trim().nullish(),
  password: Password.optional(),
  is_active: FlagIn.optional(),
  allow_direct_app_calling: FlagIn.optional(),
  allow_direct_queue_calling: FlagIn.optional(),
  allow_direct_user_calling: FlagIn.optional(),
})

/** A row of the CSV import and export of SIP clients. Passwords are never exported. */
export const ClientRow = z.object({
  username: Username,
  account: TextOrNull(64).default(null),
  password: z.string().max(128),
  is_active: FlagIn.default(1),
  allow_direct_app_calling: FlagIn.default(1),
  allow_direct_queue_calling: FlagIn.default(1),
  allow_direct_user_calling: FlagIn.default(1),
})

const clientFilters = { ...exportFilters, ...unusedFilter, account_sid: Sid.optional() }
const Selection = selectionOf('client_sids', clientFilters, t('Choose a SIP client'))
export type ClientSelection = z.infer<typeof Selection>

/** A change to selected SIP clients. Omitted members keep their values. */
export const ClientsUpdate = z
  .object({
    select: Selection,
    is_active: FlagIn.optional(),
    allow_direct_app_calling: FlagIn.optional(),
    allow_direct_queue_calling: FlagIn.optional(),
    allow_direct_user_calling: FlagIn.optional(),
  })
  .refine(changesSomething, { path: ['is_active'], message: CHOOSE_A_CHANGE })

const { one, all } = resource('/Clients', { client_sid: Sid })
const query = listQuery('username', ...LATEST_CALLS_SORTS).extend(unusedFilter)

export const clients = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List SIP clients',
    query: query.extend({
      account_sid: Sid.optional(),
      service_provider_sid: Sid.optional(),
    }),
    response: pageOf(ClientItem),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/Clients',
    params: serviceProviderParams,
    access: 'account',
    ...lists,
    summary: 'List SIP clients of a service provider’s accounts',
    query: query.extend({ account_sid: Sid.optional() }),
    response: pageOf(ClientItem),
    own: true,
  },
  ofAccount: {
    ...ofAccount('/Clients'),
    ...lists,
    summary: 'List SIP clients of an account',
    query,
    response: pageOf(ClientItem),
    own: true,
  },
  view: { ...one, ...views, summary: 'Get a SIP client', response: ClientView },
  create: {
    ...all,
    ...adds,
    summary: 'Add a SIP client',
    body: ClientCreate,
    refusals: { username: t('missing field username') },
  },
  update: {
    ...one,
    ...updates,
    summary: 'Update a SIP client',
    body: ClientUpdate,
    refusals: { username: t('username may not be modified') },
  },
  import: {
    path: '/Clients/Import',
    access: 'account',
    summary: 'Import SIP clients from CSV, all or none',
    ...importEndpoint,
  },
  export: {
    path: '/Clients/Export',
    access: 'account',
    method: 'GET',
    summary: 'Export SIP clients as CSV, without passwords',
    own: true,
    file: 'sip-clients.csv',
    query: z.object({ ...clientFilters, ...fileColumns(CLIENT_FILE_COLUMNS) }),
    response: z.string(),
  },
  updateMany: {
    ...all,
    ...updatesMany,
    summary: 'Activate, deactivate or restrict many SIP clients, all or none',
    body: ClientsUpdate,
  },
  exportMany: {
    path: '/Clients/Export',
    access: 'account',
    ...exportsMany,
    summary: 'Export the chosen SIP clients as CSV, without passwords',
    file: 'sip-clients.csv',
    body: z.object({ select: Selection }),
  },
  removeMany: {
    path: '/Clients/Delete',
    access: 'account',
    ...removesMany,
    summary: 'Delete many SIP clients, all or none',
    body: z.object({ select: Selection }),
  },
  remove: { ...one, ...removes, summary: 'Delete a SIP client' },
})
