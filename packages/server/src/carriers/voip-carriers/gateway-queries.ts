import type { SipGateway, SmppGateway } from '@switchroom/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'

type Has = Context['schemaHas']

/** The gateways of carriers that take and make calls. */
export async function gatewayCounts(db: Db, sids: string[]) {
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

export type OfEither =
  | (SipGateway & { smpp_gateway_sid: null })
  | (SmppRow & { sip_gateway_sid: null })

/** The gateways of both kinds of these carriers. */
export function gatewaysIn(has: Has, sids: readonly string[]) {
  const these = sql`voip_carrier_sid in (${sql.join(sids)})`
  const both = named(OF_BOTH)
  const ofSmpp = has('smpp_gateways')
    ? sql`union all
    select ${both}, ${absent(OF_SIP)}, ${named(OF_SMPP)} from smpp_gateways where ${these}`
    : sql``
  return sql`select ${both}, ${named(OF_SIP)}, ${absent(OF_SMPP)} from sip_gateways where ${these} ${ofSmpp}`
}

export const IN_ORDER = sql`ipv4, port, sip_gateway_sid, smpp_gateway_sid`

/** Before the name of a gateway's column that is read beside its carrier's. */
export const OF_GATEWAY = 'gateway '
export const JOINED = GATEWAY_COLUMNS.map((column) =>
  sql.ref(`gateway.${column}`).as(OF_GATEWAY + column),
)

/** The gateway that was read beside a carrier, if it has any. */
export function joinedGateway(row: object): OfEither[] {
  const columns = GATEWAY_COLUMNS.map((column) => [
    column,
    Reflect.get(row, OF_GATEWAY + column) as unknown,
  ])
  const gateway = Object.fromEntries(columns) as OfEither
  return gateway.voip_carrier_sid === null ? [] : [gateway]
}

export type Gateways = ReturnType<typeof byCarrier>

/** The gateways of both kinds of these carriers, in one statement. Check first that the caller may see the carriers. */
export async function allGateways(db: Db, has: Has, sids: string[]): Promise<Gateways> {
  if (sids.length === 0) return byCarrier([])
  const { rows } = await sql<OfEither>`${gatewaysIn(has, sids)} order by ${IN_ORDER}`.execute(db)
  return byCarrier(rows)
}

/** The gateways of each carrier, from these rows. */
export function byCarrier(rows: OfEither[]) {
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

/** Removes the columns of the other kind, which the audit log leaves out. */
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
