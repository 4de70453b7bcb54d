import { z } from 'zod'
import { OwnSubscription } from '../billing/subscriptions.ts'
import { Account } from '../tenants/accounts.ts'
import { ApiKey } from '../tenants/api-keys.ts'
import { ServiceProvider } from '../tenants/service-providers.ts'
import { ROLES } from '../wire/claims.ts'
import {
  Flag,
  FlagIn,
  listQuery,
  NoContent,
  pageOf,
  resource,
  SecretOrNull,
  Sid,
  SidOrNull,
  Text,
  TextOrNull,
  versioned,
} from '../wire/common.ts'
import { endpoints, lists, updates } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { fileColumns } from '../wire/file-columns.ts'
import { exportFilters, importEndpoint } from '../wire/import.ts'
import { Proof } from '../wire/proof.ts'
import {
  CHOOSE_A_CHANGE,
  changesSomething,
  exportsMany,
  removesMany,
  selectionOf,
  updatesMany,
} from '../wire/selection.ts'
import { t } from '../wire/text.ts'
import { USER_COLUMNS } from './user-columns.ts'

/** A user in a list. Owners are present only if set. */
export const UserItem = z.object({
  user_sid: z.string(),
  name: z.string(),
  email: z.string(),
  scope: z.enum(ROLES),
  force_change: Flag,
  is_active: Flag,
  is_view_only: z.boolean(),
  account_sid: z.string().optional(),
  account_name: z.string().optional(),
  service_provider_sid: z.string().optional(),
  service_provider_name: z.string().optional(),
})
export type UserItem = z.infer<typeof UserItem>

export const User = z.object({
  user_sid: z.string(),
  name: z.string(),
  email: z.string(),
  pending_email: StringOrNull,
  phone: StringOrNull,
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  force_change: Flag,
  provider: z.string(),
  provider_userid: StringOrNull,
  scope: z.string(),
  email_validated: Flag,
  phone_validated: Flag,
  is_active: Flag,
  is_view_only: z.boolean(),
  /** True if a user of an account may manage its other users: the platform's permission `PROVISION_USERS`. */
  manages_users: z.boolean(),
})
export type User = z.infer<typeof User>
export const UserView = User.extend(versioned)
export type UserView = z.infer<typeof UserView>

const Email = z.email(t('Enter an email address')).max(255)
const Password = z.string().min(1).max(1024)

export const UserCreate = z.object({
  name: Text(255),
  email: Email,
  initial_password: z.string().min(1).max(1024),
  force_change: FlagIn.default(1),
  is_active: FlagIn.default(1),
  is_view_only: FlagIn.default(0),
  /** Default: not for users whom others of their account add. */
  manages_users: FlagIn.optional(),
  service_provider_sid: SidOrNull.optional(),
  account_sid: SidOrNull.optional(),
})

/** Omitted fields keep their stored values. Owners may be sent unchanged; the server defines who may move users. */
export const UserUpdate = z.object({
  name: Text(255).optional(),
  email: Email.optional(),
  /** A temporary password, which its user must change. It takes a `proof` of whoever sets it. */
  initial_password: SecretOrNull(1024).optional(),
  proof: Proof.optional(),
  force_change: FlagIn.optional(),
  is_active: FlagIn.optional(),
  is_view_only: FlagIn.optional(),
  manages_users: FlagIn.optional(),
  service_provider_sid: SidOrNull.optional(),
  account_sid: SidOrNull.optional(),
  /** Scope as read; it follows from the owners. */
  scope: z.string().optional(),
  old_password: Password.optional(),
  new_password: Password.optional(),
})

/**
 * A row of the CSV import and export of users. Owners are names or sids; without a scope a user is an account's.
 * Passwords are never exported.
 */
export const UserRow = z.object({
  name: Text(255),
  email: Email,
  scope: z.enum(ROLES).default('account'),
  service_provider: TextOrNull(64).default(null),
  account: TextOrNull(64).default(null),
  is_active: FlagIn.default(1),
  is_view_only: FlagIn.default(0),
  password: Password,
  force_change: FlagIn.default(1),
})

const filters = {
  scope: z.enum(ROLES).optional(),
  account_sid: Sid.optional(),
}
const Selection = selectionOf('user_sids', { ...exportFilters, ...filters }, t('Choose a user'))
export type UserSelection = z.infer<typeof Selection>

/** A change to selected users. Omitted members keep their values. */
export const UsersUpdate = z
  .object({
    select: Selection,
    is_active: FlagIn.optional(),
    is_view_only: FlagIn.optional(),
    force_change: FlagIn.optional(),
  })
  .refine(changesSomething, { path: ['is_active'], message: CHOOSE_A_CHANGE })

export const DUPLICATE_USER = t('invalid username or email')
export const EMAIL_NOT_VERIFIED = t(
  'Verify the new address first. Use POST /ActivationCode to email a code to it',
)

const USER_IMPORT_MAX_BYTES = 4 * 1024 * 1024

const { one, all } = resource('/Users', { user_sid: Sid })

export const users = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List users',
    query: listQuery('name', 'email').extend({ ...filters, service_provider_sid: Sid.optional() }),
    response: pageOf(UserItem),
  },
  me: {
    path: '/Users/me',
    access: 'account',
    method: 'GET',
    summary: 'Get the logged-in user with its account and service provider',
    personOnly: true,
    beforePasswordChange: true,
    beforeSecondFactor: true,
    response: z.object({
      user: User.omit({ is_view_only: true, manages_users: true }).extend({
        force_change: z.boolean(),
        email_validated: z.boolean(),
        phone_validated: z.boolean(),
      }),
      /** The rows as stored; empty for callers without such an owner. */
      account: Account.partial().loose(),
      sp: ServiceProvider.partial().loose(),
      /** Hosted variant only, for users of an account. */
      api_keys: z
        .array(ApiKey.pick({ api_key_sid: true, token: true, last_used: true, created_at: true }))
        .optional(),
      subscription: OwnSubscription.optional(),
      static_ips: z.array(z.string()).optional(),
    }),
  },
  view: { ...one, method: 'GET', versioned: true, summary: 'Get a user', response: UserView },
  create: {
    ...all,
    method: 'POST',
    summary: 'Add a user',
    grantsAccess: true,
    body: UserCreate,
    status: 201,
    response: z.object({ user_sid: z.string() }),
  },
  update: {
    ...one,
    ...updates,
    summary: 'Update a user, or your own password',
    grantsAccess: true,
    allowViewOnly: true,
    beforePasswordChange: true,
    body: UserUpdate,
  },
  import: {
    path: '/Users/Import',
    access: 'account',
    summary: 'Import users from CSV, all or none',
    ...importEndpoint,
    takesCsv: USER_IMPORT_MAX_BYTES,
    grantsAccess: true,
  },
  export: {
    path: '/Users/Export',
    access: 'account',
    method: 'GET',
    summary: 'Export users as CSV, without passwords',
    own: true,
    file: 'users.csv',
    query: z.object({ ...exportFilters, ...filters, ...fileColumns(USER_COLUMNS) }),
    response: z.string(),
  },
  updateMany: {
    ...all,
    ...updatesMany,
    summary: 'Activate, deactivate or restrict many users, all or none',
    grantsAccess: true,
    body: UsersUpdate,
  },
  exportMany: {
    path: '/Users/Export',
    access: 'account',
    ...exportsMany,
    summary: 'Export the chosen users as CSV, without passwords',
    file: 'users.csv',
    body: z.object({ select: Selection }),
  },
  removeMany: {
    path: '/Users/Delete',
    access: 'account',
    ...removesMany,
    summary: 'Delete many users, all or none',
    body: z.object({ select: Selection }),
  },
  remove: { ...one, method: 'DELETE', summary: 'Delete a user', status: 204, response: NoContent },
})
