import type { ApiKeyKind, FOUND_KINDS } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../http/scope.ts'
import { type Condition, ownedBy, visibleTo } from '../../http/tenancy.ts'

/** Rows that a search by name finds, and what an API key needs to read them. */
export type SearchedKind = {
  kind: Exclude<(typeof FOUND_KINDS)[number], 'phone_number' | 'call'>
  key: ApiKeyKind
  table: Parameters<typeof ownedBy>[0]
  sid: string
  name: RawBuilder<string | null>
  /** A further column that is looked through. */
  also?: string
  /** Shown in place of the account's name. */
  detail?: string
  /** Its columns that say whose it is. */
  owners: readonly ('account_sid' | 'service_provider_sid')[]
  visible: (scope: Scope) => Condition
}

const both = ['account_sid', 'service_provider_sid'] as const
const nothing = sql<never>`1 = 0`

/** Whether the caller is no API key, or one that covers this kind. */
export const covers = ({ key_limits }: Scope, kind: ApiKeyKind) =>
  key_limits?.kinds?.includes(kind) ?? true

export const SEARCHED: readonly SearchedKind[] = [
  {
    kind: 'account',
    key: 'accounts',
    table: 'accounts',
    sid: 'account_sid',
    name: sql`name`,
    also: 'sip_realm',
    owners: ['service_provider_sid'],
    visible: (scope) => ownedBy('accounts', scope),
  },
  {
    kind: 'application',
    key: 'applications',
    table: 'applications',
    sid: 'application_sid',
    name: sql`name`,
    owners: ['account_sid'],
    visible: (scope) => ownedBy('applications', scope),
  },
  {
    kind: 'voip_carrier',
    key: 'carriers',
    table: 'voip_carriers',
    sid: 'voip_carrier_sid',
    name: sql`name`,
    also: 'description',
    owners: both,
    visible: (scope) => visibleTo('voip_carriers', scope),
  },
  {
    kind: 'client',
    key: 'devices',
    table: 'clients',
    sid: 'client_sid',
    name: sql`username`,
    owners: ['account_sid'],
    visible: (scope) => ownedBy('clients', scope),
  },
  {
    kind: 'user',
    key: 'access',
    table: 'users',
    sid: 'user_sid',
    name: sql`name`,
    also: 'email',
    detail: 'email',
    owners: both,
    visible: (scope) => ownedBy('users', scope),
  },
  {
    kind: 'speech_credential',
    key: 'speech',
    table: 'speech_credentials',
    sid: 'speech_credential_sid',
    name: sql`coalesce(label, vendor)`,
    also: 'vendor',
    owners: both,
    visible: (scope) => visibleTo('speech_credentials', scope),
  },
  {
    kind: 'lcr',
    key: 'routing',
    table: 'lcr',
    sid: 'lcr_sid',
    name: sql`name`,
    owners: both,
    visible: (scope) => ownedBy('lcr', scope),
  },
  {
    kind: 'ms_teams_tenant',
    key: 'devices',
    table: 'ms_teams_tenants',
    sid: 'ms_teams_tenant_sid',
    name: sql`tenant_fqdn`,
    owners: ['account_sid'],
    visible: (scope) => ownedBy('ms_teams_tenants', scope),
  },
  {
    kind: 'service_provider',
    key: 'accounts',
    table: 'service_providers',
    sid: 'service_provider_sid',
    name: sql`name`,
    owners: ['service_provider_sid'],
    // only administrators can go to another provider
    visible: (scope) => (scope.role === 'admin' ? ownedBy('service_providers', scope) : nothing),
  },
]
