import type { ApiKeyKind, FOUND_KINDS } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import * as applications from '../../applications/queries.ts'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import * as clients from '../../devices/clients/queries.ts'
import * as tenants from '../../devices/ms-teams-tenants/queries.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Shown } from '../../http/search.ts'
import { type Condition, ownedBy, visibleTo } from '../../http/tenancy.ts'
import * as lcrs from '../../routing/lcrs/queries.ts'
import * as speechCredentials from '../../speech/speech-credentials/queries.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as users from '../../users/queries.ts'

/** Rows that a search by name finds, and what an API key needs to read them. */
export type SearchedKind = {
  kind: Exclude<(typeof FOUND_KINDS)[number], 'phone_number' | 'call'>
  key: ApiKeyKind
  table: Parameters<typeof ownedBy>[0]
  sid: string
  name: RawBuilder<string | null>
  /** Columns by which a search finds it, as in its list. */
  shown: (has: Context['schemaHas']) => Shown
  /** Shown in place of the account's name. */
  detail?: string
  /** Columns that name its owner. */
  owners: readonly ('account_sid' | 'service_provider_sid')[]
  visible: (scope: Scope) => Condition
}

const both = ['account_sid', 'service_provider_sid'] as const
const nothing = sql<never>`1 = 0`

/** True if the caller uses no API key, or one that covers this kind. */
export const covers = ({ key_limits }: Scope, kind: ApiKeyKind) =>
  key_limits?.kinds?.includes(kind) ?? true

export const SEARCHED: readonly SearchedKind[] = [
  {
    kind: 'account',
    key: 'accounts',
    table: 'accounts',
    sid: 'account_sid',
    name: sql`accounts.name`,
    shown: () => accounts.shown,
    owners: ['service_provider_sid'],
    visible: (scope) => ownedBy('accounts', scope),
  },
  {
    kind: 'application',
    key: 'applications',
    table: 'applications',
    sid: 'application_sid',
    name: sql`applications.name`,
    shown: applications.shown,
    owners: ['account_sid'],
    visible: (scope) => ownedBy('applications', scope),
  },
  {
    kind: 'voip_carrier',
    key: 'carriers',
    table: 'voip_carriers',
    sid: 'voip_carrier_sid',
    name: sql`voip_carriers.name`,
    shown: carriers.shown,
    owners: both,
    visible: (scope) => visibleTo('voip_carriers', scope),
  },
  {
    kind: 'client',
    key: 'devices',
    table: 'clients',
    sid: 'client_sid',
    name: sql`clients.username`,
    shown: () => clients.shown,
    owners: ['account_sid'],
    visible: (scope) => ownedBy('clients', scope),
  },
  {
    kind: 'user',
    key: 'access',
    table: 'users',
    sid: 'user_sid',
    name: sql`users.name`,
    shown: () => users.shown,
    detail: 'email',
    owners: both,
    visible: (scope) => ownedBy('users', scope),
  },
  {
    kind: 'speech_credential',
    key: 'speech',
    table: 'speech_credentials',
    sid: 'speech_credential_sid',
    name: sql`coalesce(speech_credentials.label, speech_credentials.vendor)`,
    shown: () => speechCredentials.shown,
    owners: both,
    visible: (scope) => visibleTo('speech_credentials', scope),
  },
  {
    kind: 'lcr',
    key: 'routing',
    table: 'lcr',
    sid: 'lcr_sid',
    name: sql`lcr.name`,
    shown: () => lcrs.shown,
    owners: both,
    visible: (scope) => ownedBy('lcr', scope),
  },
  {
    kind: 'ms_teams_tenant',
    key: 'devices',
    table: 'ms_teams_tenants',
    sid: 'ms_teams_tenant_sid',
    name: sql`ms_teams_tenants.tenant_fqdn`,
    shown: () => tenants.shown,
    owners: ['account_sid'],
    visible: (scope) => ownedBy('ms_teams_tenants', scope),
  },
  {
    kind: 'service_provider',
    key: 'accounts',
    table: 'service_providers',
    sid: 'service_provider_sid',
    name: sql`service_providers.name`,
    shown: () => serviceProviders.shown,
    owners: ['service_provider_sid'],
    // only administrators can go to another provider
    visible: (scope) => (scope.role === 'admin' ? ownedBy('service_providers', scope) : nothing),
  },
]
