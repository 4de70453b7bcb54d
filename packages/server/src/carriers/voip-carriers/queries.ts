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
} from '@switchroom/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { insertMany } from '../../db/insert-many.ts'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { matchesFilter } from '../../http/search.ts'
import {
  providerOf as accountsProvider,
  below,
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
  db.selectFrom('voip_carriers').selectAll().where('voip_carrier_sid', '=', sid)

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
      if (!gateway || !carrier) return undefined
      const { account_sid, service_provider_sid } = carrier
      return { ...gateway, account_sid, service_provider_sid }
    },
  })

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
 * provider its shared ones. Carriers and callers without an owner match any.
 */
export async function usable(db: Db, scope: Scope, owner: Owner, sids: string[]) {
  if (sids.length === 0) return new Set<string>()
  let query = db
    .selectFrom('voip_carriers')
    .select('voip_carrier_sid')
    .where('voip_carrier_sid', 'in', sids)
    .where(visible(scope))
  if (owner.service_provider_sid)
    // only admins see carriers without an owner
    query = query.where((eb) =>
      eb.or([visibleTo('voip_carriers', owner), ownerless('voip_carriers')]),
    )
  return new Set((await query.execute()).map((c) => c.voip_carrier_sid))
}

/**
 * A carrier with its gateways, as its single read shows it; passwords in clear text for callers who may
 * change it.
 */
export async function view(db: Db, has: Has, scope: Scope, sid: string) {
  const row = await find(db, scope, sid)
  if (!row) return undefined
  const shared = scope.role === 'account' && row.account_sid !== scope.account_sid
  return {
    ...readable(shared ? masked(row) : row),
    ...(await allGateways(db, has, sid)),
  }
}

export type Row = NonNullable<Awaited<ReturnType<typeof find>>>

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

type Query = PageQuery & {
  name?: string | undefined
  account_sid?: string | undefined
  ownerless?: Flag | undefined
}
type Within = { service_provider_sid?: string; only_account_sid?: string }

export function list(db: Db, scope: Scope, query: Query, within: Within = {}) {
  const filter = query.filter ?? query.name
  let matching = db.selectFrom('voip_carriers').where(visible(scope))
  if (filter)
    matching = matching.where(
      matchesFilter(
        { sid: 'voip_carriers.voip_carrier_sid', names: ['voip_carriers.name'] },
        filter,
      ),
    )
  const { service_provider_sid } = within
  if (service_provider_sid)
    // includes its accounts' rows, which older servers stored without the provider
    matching = matching.where(ownedBy('voip_carriers', { service_provider_sid }))
  if (within.only_account_sid)
    matching = matching.where('voip_carriers.account_sid', '=', within.only_account_sid)
  if (query.ownerless) matching = matching.where(ownerless('voip_carriers'))
  const { account_sid } = query
  if (account_sid)
    // what this account can use: its own carriers and its provider's shared ones; nothing of a foreign account
    matching = matching
      .where(visibleTo('voip_carriers', { account_sid }))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('accounts')
            .select('accounts.account_sid')
            .where('accounts.account_sid', '=', account_sid)
            .where(ownedBy('accounts', scope)),
        ),
      )
  return listing({
    db,
    table: 'voip_carriers',
    sid: 'voip_carrier_sid',
    sortable: ['name', 'created_at'],
    query,
    matching,
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

const SHARED = sql.raw('ipv4, netmask, port, inbound, outbound, voip_carrier_sid')
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
const named = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)))
const absent = (columns: string[]) =>
  sql.join(columns.map((column) => sql`null as ${sql.ref(column)}`))

type OfEither = (SipGateway & { smpp_gateway_sid: null }) | (SmppRow & { sip_gateway_sid: null })

/** The gateways of both kinds, in one statement. */
async function allGateways(db: Db, has: Has, voip_carrier_sid: string) {
  if (!has('smpp_gateways'))
    return { sip_gateways: await gateways(db, voip_carrier_sid), smpp_gateways: [] }
  const { rows } = await sql<OfEither>`
    select ${SHARED}, ${named(OF_SIP)}, ${absent(OF_SMPP)}
      from sip_gateways where voip_carrier_sid = ${voip_carrier_sid}
    union all
    select ${SHARED}, ${absent(OF_SIP)}, ${named(OF_SMPP)}
      from smpp_gateways where voip_carrier_sid = ${voip_carrier_sid}
    order by ipv4, port, sip_gateway_sid, smpp_gateway_sid`.execute(db)
  const sip_gateways: SipGateway[] = []
  const smpp: SmppGateway[] = []
  for (const row of rows)
    if (row.smpp_gateway_sid === null) sip_gateways.push(without(row, OF_SMPP))
    else smpp.push(readableSmpp(without(row, OF_SIP)))
  return { sip_gateways, smpp_gateways: smpp }
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
  db.insertInto('voip_carriers').values(row).execute()

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

export const update = (
  db: Db,
  scope: Scope,
  sid: string,
  change: Updateable<Tables['voip_carriers']>,
) =>
  db
    .updateTable('voip_carriers')
    .set(change)
    .where('voip_carrier_sid', '=', sid)
    .where(inScope(scope))
    .execute()

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

/** Deletes the carrier and its gateways. Call in a transaction, once nothing blocks it. */
export async function remove(db: Db, has: Has, scope: Scope, sid: string) {
  await db
    .deleteFrom('sip_gateways')
    .where('voip_carrier_sid', '=', sid)
    .where(below('sip_gateways.voip_carrier_sid', 'voip_carriers', inScope(scope)))
    .execute()
  if (has('smpp_gateways'))
    await db
      .deleteFrom('smpp_gateways')
      .where('voip_carrier_sid', '=', sid)
      .where(below('smpp_gateways.voip_carrier_sid', 'voip_carriers', inScope(scope)))
      .execute()
  await db
    .deleteFrom('voip_carriers')
    .where('voip_carrier_sid', '=', sid)
    .where(inScope(scope))
    .execute()
}
