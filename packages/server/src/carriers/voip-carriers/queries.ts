import {
  type Flag,
  MASK,
  membersOf,
  type PageQuery,
  type SipGateway,
  type SmppGateway,
  type Usage,
  type VoipCarrier,
  type VoipCarrierItem,
  type VoipCarrierView,
} from '@switchroom/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
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
import { usage } from '../../http/used-by.ts'

type Has = Context['schemaHas']

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

/** The rows of those of these carriers that this caller can see. */
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

/** A gateway as the audit log has it. */
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

/** Whether a carrier has no owner. Takes no scope: the caller sees something that references it. */
export const isOwnerless = async (db: Db, sid: string) =>
  (await db
    .selectFrom('voip_carriers')
    .select('voip_carrier_sid')
    .where('voip_carrier_sid', '=', sid)
    .where(ownerless('voip_carriers'))
    .executeTakeFirst()) !== undefined

/**
 * Which of these carriers an owner's calls may use: an account its own and its provider's shared ones, a
 * provider its shared ones and those of its accounts. Carriers and callers without an owner match any.
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

/**
 * A carrier with its gateways, as its single read shows it; passwords in clear text for callers who may
 * change it.
 */
export async function view(db: Db, has: Has, scope: Scope, sid: string) {
  // in one statement: a row for each of its gateways
  const rows = await withSid(db, sid)
    .where(visible(scope))
    .leftJoin(sql<OfEither>`(${gatewaysIn(has, [sid])})`.as('gateway'), (join) => join.onTrue())
    .select(JOINED)
    .orderBy(IN_ORDER)
    .execute()
  const [first] = rows
  if (!first) return undefined
  const row = Object.fromEntries(
    Object.entries(first).filter(([name]) => !name.startsWith(OF_GATEWAY)),
  ) as Row
  return viewOf(scope, row, byCarrier(rows.flatMap(joinedGateway)))
}

/** The same of several carriers that this caller can see, in any order. */
export async function viewAll(db: Db, has: Has, scope: Scope, sids: string[]) {
  const found: VoipCarrierWhole[] = []
  for (const batch of batchesOf(sids))
    found.push(...(await viewsOf(db, has, scope, await findAll(db, scope, batch))))
  return found
}

async function viewsOf(db: Db, has: Has, scope: Scope, rows: Row[]): Promise<VoipCarrierWhole[]> {
  const gateways = await allGateways(
    db,
    has,
    rows.map((c) => c.voip_carrier_sid),
  )
  return rows.map((row) => viewOf(scope, row, gateways))
}

const viewOf = (scope: Scope, row: Row, gateways: Gateways): VoipCarrierWhole => ({
  ...readable(isShared(scope, row) ? masked(row) : row),
  ...gateways(row.voip_carrier_sid),
})

/** Whether the caller is an account that may use a carrier which its provider manages. */
export const isShared = (scope: Scope, { account_sid }: Pick<Owner, 'account_sid'>) =>
  // sids are in any case in the platform's tables
  scope.role === 'account' && account_sid?.toLowerCase() !== scope.account_sid.toLowerCase()

export type Row = NonNullable<Awaited<ReturnType<typeof find>>>
/** A carrier with its gateways. */
export type VoipCarrierWhole = Omit<VoipCarrierView, 'version'>

export const PASSWORDS = [
  'register_password',
  'inbound_auth_password',
  'smpp_password',
  'smpp_inbound_password',
] as const

/** Removes passwords, for lists and for accounts that read a shared carrier. */
export const masked = <R extends Pick<Row, (typeof PASSWORDS)[number]>>(row: R): R => ({
  ...row,
  ...Object.fromEntries(PASSWORDS.map((p) => [p, row[p] && MASK])),
})

export const readable = (row: Row): VoipCarrier => ({
  ...row,
  register_status: registerStatus(row.register_status),
})

function registerStatus(stored: string | null): Record<string, unknown> {
  try {
    return membersOf(JSON.parse(stored ?? '{}'))
  } catch {
    return {}
  }
}

export type Filters = OwnerQuery & Pick<PageQuery, 'filter'> & { ownerless?: Flag | undefined }

/** What finds a carrier. */
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
    // what this account can use: its own carriers and its provider's shared ones; nothing of a foreign account
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

/** Those of these carriers that the caller may see, in batches, with the names of their accounts. */
export async function* namedAll(db: Db, scope: Scope, sids: string[]) {
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

async function gatewayCounts(db: Db, sids: string[]) {
  const rows = await db
    .selectFrom('sip_gateways')
    .select([
      'voip_carrier_sid',
      sql<number>`sum(inbound)`.as('inbound'),
      sql<number>`sum(outbound)`.as('outbound'),
    ])
    .where('voip_carrier_sid', 'in', sids)
    .groupBy('voip_carrier_sid')
    .execute()
  return new Map(
    rows.map((r) => [
      r.voip_carrier_sid,
      { inbound_gateways: Number(r.inbound), outbound_gateways: Number(r.outbound) },
    ]),
  )
}

export const gateways = (db: Db, voip_carrier_sid: string): Promise<SipGateway[]> =>
  db
    .selectFrom('sip_gateways')
    .selectAll()
    .where('voip_carrier_sid', '=', voip_carrier_sid)
    .orderBy('ipv4')
    .orderBy('port')
    .orderBy('sip_gateway_sid')
    .execute()

/** The gateways of each of these carriers. Check first that the caller may see the carriers. */
export async function gatewaysOf(db: Db, sids: string[]): Promise<Map<string, SipGateway[]>> {
  if (sids.length === 0) return new Map()
  const rows = await db
    .selectFrom('sip_gateways')
    .selectAll()
    .where('voip_carrier_sid', 'in', sids)
    .orderBy('ipv4')
    .orderBy('port')
    .orderBy('sip_gateway_sid')
    .execute()
  return Map.groupBy(rows, (g) => g.voip_carrier_sid)
}

const OF_BOTH = ['ipv4', 'netmask', 'port', 'inbound', 'outbound', 'voip_carrier_sid']
const OF_SIP = [
  'sip_gateway_sid',
  'is_active',
  'send_options_ping',
  'use_sips_scheme',
  'pad_crypto',
  'protocol',
  'remove_ice',
  'dtls_off',
]
const OF_SMPP = ['smpp_gateway_sid', 'is_primary', 'use_tls']
const GATEWAY_COLUMNS = [...OF_BOTH, ...OF_SIP, ...OF_SMPP]
const named = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)))
const absent = (columns: string[]) =>
  sql.join(columns.map((column) => sql`null as ${sql.ref(column)}`))

type OfEither = (SipGateway & { smpp_gateway_sid: null }) | (SmppRow & { sip_gateway_sid: null })

/** The gateways of both kinds of these carriers. */
function gatewaysIn(has: Has, sids: readonly string[]) {
  const these = sql`voip_carrier_sid in (${sql.join(sids)})`
  const both = named(OF_BOTH)
  const ofSmpp = has('smpp_gateways')
    ? sql`union all
    select ${both}, ${absent(OF_SIP)}, ${named(OF_SMPP)} from smpp_gateways where ${these}`
    : sql``
  return sql`select ${both}, ${named(OF_SIP)}, ${absent(OF_SMPP)} from sip_gateways where ${these} ${ofSmpp}`
}

const IN_ORDER = sql`ipv4, port, sip_gateway_sid, smpp_gateway_sid`

/** Before the name of a gateway's column that is read beside its carrier's. */
const OF_GATEWAY = 'gateway '
const JOINED = GATEWAY_COLUMNS.map((column) => sql.ref(`gateway.${column}`).as(OF_GATEWAY + column))

/** The gateway that was read beside a carrier, if it has any. */
function joinedGateway(row: object): OfEither[] {
  const columns = GATEWAY_COLUMNS.map((column) => [
    column,
    Reflect.get(row, OF_GATEWAY + column) as unknown,
  ])
  const gateway = Object.fromEntries(columns) as OfEither
  return gateway.voip_carrier_sid === null ? [] : [gateway]
}

type Gateways = ReturnType<typeof byCarrier>

/** The gateways of both kinds of these carriers, in one statement. Check first that the caller may see the carriers. */
async function allGateways(db: Db, has: Has, sids: string[]): Promise<Gateways> {
  if (sids.length === 0) return byCarrier([])
  const { rows } = await sql<OfEither>`${gatewaysIn(has, sids)} order by ${IN_ORDER}`.execute(db)
  return byCarrier(rows)
}

/** What carriers have of these gateways. */
function byCarrier(rows: OfEither[]) {
  const sip = new Map<string, SipGateway[]>()
  const smpp = new Map<string, SmppGateway[]>()
  for (const row of rows)
    if (row.smpp_gateway_sid === null) append(sip, without(row, OF_SMPP))
    else append(smpp, readableSmpp(without(row, OF_SIP)))
  return (sid: string) => ({
    sip_gateways: sip.get(sid) ?? [],
    smpp_gateways: smpp.get(sid) ?? [],
  })
}

function append<G extends { voip_carrier_sid: string }>(all: Map<string, G[]>, gateway: G) {
  const its = all.get(gateway.voip_carrier_sid)
  if (its) its.push(gateway)
  else all.set(gateway.voip_carrier_sid, [gateway])
}

/** The audit log keeps what is stored, without the columns of the other kind. */
function without<R extends object>(row: R, columns: string[]): R {
  for (const column of columns) Reflect.deleteProperty(row, column)
  return row
}

type SmppRow = Selectable<Tables['smpp_gateways']>
export const readableSmpp = (row: SmppRow): SmppGateway => ({ ...row, use_tls: row.use_tls ?? 0 })

export async function smppGateways(db: Db, has: Has, voip_carrier_sid: string) {
  if (!has('smpp_gateways')) return []
  const rows = await db
    .selectFrom('smpp_gateways')
    .selectAll()
    .where('voip_carrier_sid', '=', voip_carrier_sid)
    .orderBy('ipv4')
    .orderBy('port')
    .orderBy('smpp_gateway_sid')
    .execute()
  return rows.map(readableSmpp)
}

export const insert = (db: Db, row: Insertable<Tables['voip_carriers']>) =>
  insertOne(db, 'voip_carriers', 'voip_carrier_sid', row)

/** A carrier that its owner just added, as `view`. */
export async function viewOfNew(db: Db, has: Has, row: Row, hasGateways: boolean) {
  const gateways = await allGateways(db, has, hasGateways ? [row.voip_carrier_sid] : [])
  return { ...readable(row), ...gateways(row.voip_carrier_sid) }
}

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

/** What blocks the deletion of a carrier. */
export const usedBy = (db: Db, sid: string): Promise<Usage[]> =>
  Promise.all([
    usage(db, 'phone_numbers', sql`voip_carrier_sid = ${sid}`),
    usage(
      db,
      'lcr_routes',
      sql`lcr_route_sid in (select lcr_route_sid from lcr_carrier_set_entry where voip_carrier_sid = ${sid})`,
    ),
  ])

/** How much of what `usedBy` lists there is of each of these carriers, without those that nothing uses. */
export async function countUses(db: Db, sids: string[]) {
  const uses = new Map<string, { numbers: number; routes: number }>()
  const of = (sid: string | null) => {
    const counts = uses.get(sid!) ?? { numbers: 0, routes: 0 }
    uses.set(sid!, counts)
    return counts
  }
  for (const batch of batchesOf(sids)) {
    const numbers = await db
      .selectFrom('phone_numbers')
      .select(['voip_carrier_sid', sql<number>`count(*)`.as('n')])
      .where('voip_carrier_sid', 'in', batch)
      .groupBy('voip_carrier_sid')
      .execute()
    for (const { voip_carrier_sid, n } of numbers) of(voip_carrier_sid).numbers = Number(n)
    const routes = await db
      .selectFrom('lcr_carrier_set_entry')
      .select(['voip_carrier_sid', sql<number>`count(distinct lcr_route_sid)`.as('n')])
      .where('voip_carrier_sid', 'in', batch)
      .groupBy('voip_carrier_sid')
      .execute()
    for (const { voip_carrier_sid, n } of routes) of(voip_carrier_sid).routes = Number(n)
  }
  return uses
}

/** What other providers own that uses this carrier, and would lose it to this provider. */
export const usedElsewhere = (db: Db, sid: string, provider: string): Promise<Usage[]> => {
  const foreign = sql`(select account_sid from accounts where service_provider_sid <> ${provider})`
  return Promise.all([
    usage(db, 'phone_numbers', sql`voip_carrier_sid = ${sid} and account_sid in ${foreign}`),
    usage(
      db,
      'lcr_routes',
      sql`lcr_route_sid in (select lcr_route_sid from lcr_carrier_set_entry where voip_carrier_sid = ${sid})
        and lcr_sid in (select lcr_sid from lcr
          where service_provider_sid <> ${provider} or account_sid in ${foreign})`,
    ),
  ])
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
