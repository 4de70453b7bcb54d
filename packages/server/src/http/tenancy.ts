import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables } from '../db/open.ts'
import type { Scope } from './scope.ts'

/**
 * Owner columns of a table's rows. An account is always named where there is one:
 * - `account`: nothing but the account is named
 * - `either`: the provider is named where there is no account
 * - `both`: the provider may be named beside the account; rows of older servers lack it
 * - `provider`: the provider is always named
 * - `itself`: the row is a provider, which no account owns
 */
const NAMES = {
  applications: 'account',
  clients: 'account',
  ms_teams_tenants: 'account',
  switchroom_runs: 'account',
  switchroom_simulated_callers: 'account',
  switchroom_suites: 'account',
  switchroom_call_scores: 'account',
  switchroom_score_cards: 'account',
  switchroom_customer_report_links: 'account',
  switchroom_model_hours: 'account',
  switchroom_model_use: 'account',
  switchroom_test_cases: 'account',
  switchroom_transcriptions: 'account',
  api_keys: 'either',
  lcr: 'either',
  phone_numbers: 'either',
  speech_credentials: 'either',
  switchroom_failures: 'either',
  switchroom_alert_destinations: 'both',
  switchroom_event_subscriptions: 'both',
  switchroom_trunk_report_links: 'both',
  users: 'both',
  voip_carriers: 'both',
  accounts: 'provider',
  switchroom_audit: 'provider',
  switchroom_events: 'provider',
  switchroom_webhook_requests: 'provider',
  service_providers: 'itself',
  switchroom_brands: 'itself',
} as const satisfies Partial<
  Record<keyof Tables, 'account' | 'either' | 'both' | 'provider' | 'itself'>
>

type Owned = keyof typeof NAMES
/** Tables whose rows a provider may have for all of its accounts. */
type Shared = 'speech_credentials' | 'voip_carriers'

/** A caller, or an owner. Who names neither account nor provider, and is no administrator, has nothing. */
export type Whose =
  | Scope
  | { account_sid?: string | null | undefined; service_provider_sid?: string | null | undefined }

/** Owner filters of a list. */
export type OwnerQuery = {
  account_sid?: string | undefined
  service_provider_sid?: string | undefined
}

export type Condition = RawBuilder<SqlBool>

const all = sql<SqlBool>`1 = 1`
const nothing = sql<SqlBool>`1 = 0`

const columns = (table: Owned) => ({
  account: sql.ref(`${table}.account_sid`),
  provider: sql.ref(`${table}.service_provider_sid`),
})

/** A condition for `where`: rows of this account; of this provider and its accounts; for administrators, all. */
export function ownedBy(table: Owned, whose: Whose): Condition {
  if ('role' in whose && whose.role === 'admin') return all
  const account_sid = 'account_sid' in whose ? whose.account_sid : undefined
  const sid = whose.service_provider_sid
  const { account, provider } = columns(table)
  if (account_sid) return NAMES[table] === 'itself' ? nothing : sql`${account} = ${account_sid}`
  if (!sid) return nothing
  const ofAccounts = sql`${account} in (select account_sid from accounts where service_provider_sid = ${sid})`
  switch (NAMES[table]) {
    case 'account':
      return sql`${ofAccounts}`
    case 'either':
      return sql`(${ofAccounts} or ${account} is null and ${provider} = ${sid})`
    case 'both':
      // the signs keep SQLite from looking up each row by two indexes: these tables are small, and mostly one provider's
      return sql`(+${provider} = ${sid} or +${ofAccounts})`
    case 'provider':
    case 'itself':
      return sql`${provider} = ${sid}`
  }
}

/** The filters of a list by owner: rows of this account, and of this provider and its accounts. */
export function ownerFilter(
  table: Owned,
  { account_sid, service_provider_sid }: OwnerQuery,
): Condition {
  const conditions = [
    ...(account_sid ? [ownedBy(table, { account_sid })] : []),
    ...(service_provider_sid ? [ownedBy(table, { service_provider_sid })] : []),
  ]
  return conditions.length > 0 ? sql`${sql.join(conditions, sql` and `)}` : all
}

/**
 * Condition for an account's own rows and those its provider shares with all accounts; for providers, their own rows.
 */
export function visibleTo(table: Shared | 'service_providers', whose: Whose): Condition {
  if ('role' in whose && whose.role !== 'account') return ownedBy(table, whose)
  const { account_sid, service_provider_sid: sid } = whose
  const { account, provider } = columns(table)
  // an account that comes without its provider
  const its = account_sid && !sid
  const shares = its
    ? sql`(select service_provider_sid from accounts where account_sid = ${account_sid})`
    : sql`${sid}`
  if (NAMES[table] === 'itself') return account_sid || sid ? sql`${provider} = ${shares}` : nothing
  const shared = sql<SqlBool>`${account} is null and ${provider} = ${shares}`
  if (account_sid) return sql`(${account} = ${account_sid} or ${shared})`
  return sid ? sql`(${shared})` : nothing
}

/** Rows of older servers that nobody owns. */
export function ownerless(table: Shared): Condition {
  const { account, provider } = columns(table)
  return sql`(${account} is null and ${provider} is null)`
}

/** Rows whose parent is among these: `below('sip_gateways.voip_carrier_sid', 'voip_carriers', visibleTo('voip_carriers', scope))`. */
export const below = <P extends Owned>(
  column: `${keyof Tables & string}.${string}`,
  parent: P,
  condition: Condition,
): Condition => {
  const key = sql.ref(column)
  const sid = sql.ref(`${parent}.${column.split('.').at(-1)}`)
  return sql`${key} in (select ${sid} from ${sql.table(parent)} where ${condition})`
}

/** The provider of an account. */
export async function providerOf(db: Db, account_sid: string) {
  const row = await db
    .selectFrom('accounts')
    .select('service_provider_sid')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  return row?.service_provider_sid
}

/** Providers of accounts that a transaction has read: an account keeps its provider. */
const providersIn = new WeakMap<Db, Map<string, string>>()

/** Remembers the provider of an account to the end of a transaction. */
export function noteProvider(tx: Db, account_sid: string, service_provider_sid: string) {
  if (!tx.isTransaction) return
  const known = providersIn.get(tx) ?? new Map<string, string>()
  providersIn.set(tx, known.set(account_sid, service_provider_sid))
}

/** The provider that `noteProvider` stored. */
export const notedProvider = (tx: Db, account_sid: string) => providersIn.get(tx)?.get(account_sid)

/** Call it when a transaction has deleted accounts. */
export const forgetProviders = (tx: Db) => providersIn.delete(tx)

/** Like `providerOf`, but reads once per transaction. */
export async function providerIn(tx: Db, account_sid: string) {
  const known = notedProvider(tx, account_sid)
  if (known !== undefined) return known
  const provider = await providerOf(tx, account_sid)
  if (provider !== undefined) noteProvider(tx, account_sid, provider)
  return provider
}
