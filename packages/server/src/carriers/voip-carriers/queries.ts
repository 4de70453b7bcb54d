import type { Flag, PageQuery, VoipCarrierItem } from '@switchroom/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import { insertMany, insertOne } from '../../db/insert-many.ts'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { besideAccount, isCalled, matchesFilter, type Shown } from '../../http/search.ts'
import {
  providerOf as accountsProvider,
  below,
  type OwnerQuery,
  ownedBy,
  ownerless,
  visibleTo,
} from '../../http/tenancy.ts'
import { gatewayCounts } from './gateway-queries.ts'
import { masked, readable } from './readable.ts'

export type Has = Context['schemaHas']

/** Carriers the caller may change. One without a provider belongs to its account's provider. */
export const inScope = (scope: Scope) => ownedBy('voip_carriers', scope)

/** Carriers the caller may see: an account also sees its provider's shared ones. */
export const visible = (scope: Scope) => visibleTo('voip_carriers', scope)

const withSid = (db: Db, sid: string) =>
  db
    .selectFrom('voip_carriers')
    .selectAll('voip_carriers')
    .where('voip_carriers.voip_carrier_sid', '=', sid)

/** The row of a carrier; undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, sid: string) =>
  withSid(db, sid).where(visible(scope)).executeTakeFirst()

/** The rows of these carriers that this caller can see. */
export const findAll = (db: Db, scope: Scope, sids: readonly string[]) =>
  db
    .selectFrom('voip_carriers')
    .selectAll()
    .where('voip_carrier_sid', 'in', sids)
    .where(visible(scope))
    .execute()

/** The row of a carrier; undefined when this caller may not change it. */
export const findOwn = (db: Db, scope: Scope, sid: string) =>
  withSid(db, sid).where(inScope(scope)).executeTakeFirst()

/** Audit subjects of a kind of gateway. The owners of its carrier own the entry. */
export const gatewaySubject =
  <K extends 'sip_gateway' | 'smpp_gateway', G extends { voip_carrier_sid: string }>(
    kind: K,
    gatewayWith: (db: Db, scope: Scope, sid: string) => Promise<G | undefined>,
  ) =>
  (scope: Scope, sid: string) => ({
    kind,
    sid,
    async read(tx: Db) {
      const gateway = await gatewayWith(tx, scope, sid)
      const carrier = gateway && (await find(tx, scope, gateway.voip_carrier_sid))
      return gateway && carrier && ownedGateway(gateway, carrier)
    },
  })

/** A gateway for the audit log, with its owner. */
export const ownedGateway = <G extends object>(
  gateway: G,
  { account_sid, service_provider_sid }: Owner,
) => ({ ...gateway, account_sid, service_provider_sid })

type Owner = { account_sid: string | null; service_provider_sid: string | null }

/** The provider of a carrier. Rows of older servers have none, so their account's counts. */
export async function providerOf(db: Db, carrier: Owner): Promise<string | null> {
  if (carrier.service_provider_sid || !carrier.account_sid) return carrier.service_provider_sid
  return (await accountsProvider(db, carrier.account_sid)) ?? null
}

/** True if a carrier has no owner. Takes no scope: the caller sees something that references it. */
export const isOwnerless = async (db: Db, sid: string) =>
  (await db
    .selectFrom('voip_carriers')
    .select('voip_carrier_sid')
    .where('voip_carrier_sid', '=', sid)
    .where(ownerless('voip_carriers'))
    .executeTakeFirst()) !== undefined

/**
 * The carriers among these that an owner's calls may use: an account its own and its provider's shared ones, a provider
 * its shared ones and those of its accounts. Carriers and callers without an owner match any.
 */
export async function usable(db: Db, scope: Scope, owner: Owner, sids: string[]) {
  if (sids.length === 0) return new Set<string>()
  let query = db
    .selectFrom('voip_carriers')
    .select('voip_carrier_sid')
    .where('voip_carrier_sid', 'in', sids)
    .where(visible(scope))
  const { account_sid, service_provider_sid } = owner
  if (service_provider_sid) {
    const its = account_sid
      ? visibleTo('voip_carriers', owner)
      : ownedBy('voip_carriers', { service_provider_sid })
    // only admins see carriers without an owner
    query = query.where((eb) => eb.or([its, ownerless('voip_carriers')]))
  }
  return new Set((await query.execute()).map((c) => c.voip_carrier_sid))
}

/** True if the caller is an account that may use a carrier which its provider manages. */
export const isShared = (scope: Scope, { account_sid }: Pick<Owner, 'account_sid'>) =>
  // sids are in any case in the platform's tables
  scope.role === 'account' && account_sid?.toLowerCase() !== scope.account_sid.toLowerCase()

export type Filters = OwnerQuery & Pick<PageQuery, 'filter'> & { ownerless?: Flag | undefined }

/** Columns that a search finds a carrier by. */
export const shown = (has: Has): Shown => ({
  sid: 'voip_carriers.voip_carrier_sid',
  names: [
    'name',
    'description',
    'register_username',
    'register_sip_realm',
    'register_from_user',
    'register_from_domain',
    'outbound_sip_proxy',
    'inbound_auth_username',
    'tech_prefix',
    'smpp_system_id',
  ].map((column) => `voip_carriers.${column}`),
  is_active: 'voip_carriers.is_active',
  beside: [
    besideAccount('voip_carriers'),
    besideGateways('sip_gateways'),
    ...(has('smpp_gateways') ? [besideGateways('smpp_gateways')] : []),
  ],
})

const besideGateways = (table: 'sip_gateways' | 'smpp_gateways') => ({
  rows: sql`${sql.table(table)} as gateway where gateway.voip_carrier_sid = voip_carriers.voip_carrier_sid`,
  names: ['gateway.ipv4'],
})

/** The carriers that match a list's filters. */
function matching(db: Db, has: Has, scope: Scope, filters: Filters) {
  const { filter, service_provider_sid, account_sid } = filters
  let query = db.selectFrom('voip_carriers').where(visible(scope))
  if (filter) query = query.where(matchesFilter(db, shown(has), filter))
  if (service_provider_sid)
    // includes its accounts' rows, which older servers stored without the provider
    query = query.where(ownedBy('voip_carriers', { service_provider_sid }))
  if (filters.ownerless) query = query.where(ownerless('voip_carriers'))
  if (account_sid)
    // usable by this account: its own carriers and its provider's shared ones; none of another account
    query = query
      .where(visibleTo('voip_carriers', { account_sid }))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('accounts')
            .select('accounts.account_sid')
            .where('accounts.account_sid', '=', account_sid)
            .where(ownedBy('accounts', scope)),
        ),
      )
  return query
}

/** At most `most` carriers that match a list's filters. */
export const sidsMatching = async (
  db: Db,
  has: Has,
  scope: Scope,
  filters: Filters,
  most: number,
) =>
  (
    await matching(db, has, scope, filters)
      .select('voip_carriers.voip_carrier_sid')
      .limit(most)
      .execute()
  ).map((c) => c.voip_carrier_sid)

type Query = Omit<Filters, 'service_provider_sid'> &
  Pick<PageQuery, 'sort'> & { name?: string | undefined }
type Within = { service_provider_sid?: string | undefined; only_account_sid?: string }

export function list(
  db: Db,
  has: Has,
  scope: Scope,
  { name, ...query }: Query,
  { service_provider_sid, only_account_sid }: Within = {},
) {
  let matches = matching(db, has, scope, {
    ...query,
    service_provider_sid,
  })
  if (name) matches = matches.where(isCalled(db, 'voip_carriers.name', name))
  if (only_account_sid) matches = matches.where('voip_carriers.account_sid', '=', only_account_sid)
  return listing({
    db,
    table: 'voip_carriers',
    sid: 'voip_carrier_sid',
    sortable: ['name', 'created_at'],
    query,
    matching: matches,
    rows: db.selectFrom('voip_carriers').selectAll('voip_carriers'),
    names: { account_name: 'accounts' },
    async present(rows): Promise<VoipCarrierItem[]> {
      const counts = await gatewayCounts(
        db,
        rows.map((r) => r.voip_carrier_sid),
      )
      const none = { inbound_gateways: 0, outbound_gateways: 0 }
      return rows.map((row) => ({
        ...masked(readable(row)),
        account_name: row.account_name,
        ...(counts.get(row.voip_carrier_sid) ?? none),
      }))
    },
  })
}

/** The carriers among these that the caller may see, in batches, with the names of their accounts. */
export async function* withNames(db: Db, scope: Scope, sids: string[]) {
  for (const batch of batchesOf(sids))
    yield (
      await db
        .selectFrom('voip_carriers')
        .leftJoin('accounts', 'accounts.account_sid', 'voip_carriers.account_sid')
        .selectAll('voip_carriers')
        .select('accounts.name as account_name')
        .where('voip_carriers.voip_carrier_sid', 'in', batch)
        .where(visible(scope))
        .orderBy('voip_carriers.name')
        .orderBy('voip_carriers.voip_carrier_sid')
        .execute()
    ).map((row) => ({ ...masked(readable(row)), account_name: row.account_name }))
}

export const insert = (db: Db, row: Insertable<Tables['voip_carriers']>) =>
  insertOne(db, 'voip_carriers', 'voip_carrier_sid', row)

/** Adds carriers with their gateways. */
export async function insertAll(
  db: Db,
  rows: readonly Insertable<Tables['voip_carriers']>[],
  gateways: readonly Insertable<Tables['sip_gateways']>[],
) {
  // each by itself: their columns differ
  for (const row of rows) await insert(db, row)
  await insertMany(db, 'sip_gateways', gateways)
}

export async function updateAll(
  db: Db,
  scope: Scope,
  sids: string[],
  change: Updateable<Tables['voip_carriers']>,
) {
  for (const batch of batchesOf(sids))
    await db
      .updateTable('voip_carriers')
      .set(change)
      .where('voip_carrier_sid', 'in', batch)
      .where(inScope(scope))
      .execute()
}

/** Deletes carriers and their gateways. Call in a transaction, once nothing blocks it. */
export async function removeAll(db: Db, has: Has, scope: Scope, sids: string[]) {
  for (const batch of batchesOf(sids)) {
    await db
      .deleteFrom('sip_gateways')
      .where('voip_carrier_sid', 'in', batch)
      .where(below('sip_gateways.voip_carrier_sid', 'voip_carriers', inScope(scope)))
      .execute()
    if (has('smpp_gateways'))
      await db
        .deleteFrom('smpp_gateways')
        .where('voip_carrier_sid', 'in', batch)
        .where(below('smpp_gateways.voip_carrier_sid', 'voip_carriers', inScope(scope)))
        .execute()
    await db
      .deleteFrom('switchroom_trunk_report_links')
      .where('voip_carrier_sid', 'in', batch)
      .where(
        below('switchroom_trunk_report_links.voip_carrier_sid', 'voip_carriers', inScope(scope)),
      )
      .execute()
    await db
      .deleteFrom('voip_carriers')
      .where('voip_carrier_sid', 'in', batch)
      .where(inScope(scope))
      .execute()
  }
}
