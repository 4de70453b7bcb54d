import type {
  CallRoute,
  Route,
  RoutingCarrier,
  RoutingGateway,
  RoutingNumber,
} from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { inScope, type Scope } from '../http/scope.ts'
import * as phoneNumbers from '../phone-numbers/queries.ts'
import { visible } from '../voip-carriers/queries.ts'

const BATCH = 500

async function inBatches<T>(sids: string[], read: (batch: string[]) => Promise<T[]>) {
  const rows: T[] = []
  for (let i = 0; i < sids.length; i += BATCH) rows.push(...(await read(sids.slice(i, i + BATCH))))
  return rows
}

/** The sets that apply to calls of an account, or of a provider. The platform takes the first it finds. */
export const setsOf = (
  db: Db,
  {
    account_sid,
    service_provider_sid,
  }: { account_sid: string | null; service_provider_sid: string },
) =>
  db
    .selectFrom('lcr')
    .select(['lcr_sid', 'account_sid'])
    .where((eb) =>
      eb.or([
        eb('service_provider_sid', '=', service_provider_sid),
        ...(account_sid ? [eb('account_sid', '=', account_sid)] : []),
      ]),
    )
    .orderBy('lcr_sid')
    .execute()

export async function routesOf(db: Db, lcr_sid: string): Promise<Route[]> {
  const routes = await db
    .selectFrom('lcr_routes')
    .select(['lcr_route_sid', 'regex', 'priority', 'description'])
    .where('lcr_sid', '=', lcr_sid)
    .orderBy('priority')
    .orderBy('lcr_route_sid')
    .execute()
  const entries = await inBatches(
    routes.map((r) => r.lcr_route_sid),
    (batch) =>
      db
        .selectFrom('lcr_carrier_set_entry')
        .select(['lcr_route_sid', 'voip_carrier_sid', 'priority', 'workload'])
        .where('lcr_route_sid', 'in', batch)
        .orderBy('lcr_carrier_set_entry_sid')
        .execute(),
  )
  const byRoute = Map.groupBy(entries, (e) => e.lcr_route_sid)
  return routes.map(({ lcr_route_sid, ...route }) => ({
    ...route,
    lcr_carrier_set_entries: (byRoute.get(lcr_route_sid) ?? []).map(
      ({ lcr_route_sid: _, ...entry }) => entry,
    ),
  }))
}

const chosen = (db: Db, scope: Scope) =>
  db
    .selectFrom('voip_carriers')
    .select([
      'voip_carrier_sid',
      'name',
      'account_sid',
      'service_provider_sid',
      'application_sid',
      'is_active',
    ])
    .where(visible(scope))
    .orderBy('voip_carrier_sid')

type CarrierRow = Awaited<ReturnType<ReturnType<typeof chosen>['execute']>>[number]

async function withGateways(
  db: Db,
  carriers: CarrierRow[],
  which: RawBuilder<boolean>,
): Promise<RoutingCarrier[]> {
  const rows = await inBatches(
    carriers.map((c) => c.voip_carrier_sid),
    (batch) =>
      db
        .selectFrom('sip_gateways')
        .select([
          'sip_gateway_sid',
          'voip_carrier_sid',
          'ipv4',
          'netmask',
          'port',
          'inbound',
          'outbound',
          'is_active',
        ])
        .where('voip_carrier_sid', 'in', batch)
        .where(which)
        .orderBy('sip_gateway_sid')
        .execute(),
  )
  const byCarrier = Map.groupBy(rows, (g) => g.voip_carrier_sid)
  return carriers.map((carrier) => ({
    ...carrier,
    is_active: carrier.is_active as RoutingCarrier['is_active'],
    sip_gateways: (byCarrier.get(carrier.voip_carrier_sid) ?? []) as RoutingGateway[],
  }))
}

/** What an account can call through: its own carriers, and those its provider shares. */
const usableBy = (account_sid: string | null, service_provider_sid: string) => {
  const shared = sql<boolean>`(voip_carriers.account_sid is null
    and voip_carriers.service_provider_sid = ${service_provider_sid})`
  return account_sid
    ? sql<boolean>`(voip_carriers.account_sid = ${account_sid} or ${shared})`
    : shared
}

/** The carriers that routes name, and those that are taken where no route does. */
export async function carriersFor(
  db: Db,
  scope: Scope,
  {
    account_sid,
    service_provider_sid,
  }: { account_sid: string | null; service_provider_sid: string },
  named: string[],
) {
  const usable = await chosen(db, scope)
    .where(usableBy(account_sid, service_provider_sid))
    .execute()
  const known = new Set(usable.map((c) => c.voip_carrier_sid))
  const others = await inBatches(
    [...new Set(named)].filter((sid) => !known.has(sid)),
    (batch) => chosen(db, scope).where('voip_carrier_sid', 'in', batch).execute(),
  )
  return withGateways(db, [...usable, ...others], sql`sip_gateways.outbound = 1`)
}

/** Gateways whose address is, or whose range may hold, this one; each netmask its own stretch of the index. */
function near(source: string) {
  const [a, b, c] = source.split('.')
  const masks = (from: number) => sql.join(Array.from({ length: 8 }, (_, i) => from + i))
  return sql<boolean>`(sip_gateways.netmask = 32 and sip_gateways.ipv4 = ${source}
    or sip_gateways.netmask in (${masks(24)}) and sip_gateways.ipv4 like ${`${a}.${b}.${c}.%`}
    or sip_gateways.netmask in (${masks(16)}) and sip_gateways.ipv4 like ${`${a}.${b}.%`}
    or sip_gateways.netmask in (${masks(8)}) and sip_gateways.ipv4 like ${`${a}.%`}
    or sip_gateways.netmask < 8)`
}

/** The carriers that a call from this address may come from. */
export async function carriersNear(
  db: Db,
  scope: Scope,
  source: string,
  owner?: { account_sid: string; service_provider_sid: string },
) {
  const rows = await db
    .selectFrom('sip_gateways')
    .select('voip_carrier_sid')
    .distinct()
    // both, since the index begins with it
    .where('inbound', 'in', [0, 1])
    .where(near(source))
    .execute()
  const carriers = await inBatches(
    rows.map((r) => r.voip_carrier_sid),
    (batch) =>
      chosen(db, scope)
        .where('voip_carrier_sid', 'in', batch)
        .$if(owner !== undefined, (q) =>
          q.where(usableBy(owner!.account_sid, owner!.service_provider_sid)),
        )
        .execute(),
  )
  return withGateways(db, carriers, near(source))
}

const withoutDigits = Array.from({ length: 10 }).reduce<RawBuilder<string>>(
  (text, _, digit) => sql`replace(${text}, ${String(digit)}, '')`,
  sql`phone_numbers.number`,
)

/** The numbers of these carriers that a called one may be: the same, or else all patterns. */
export async function numbersLike(
  db: Db,
  scope: Scope,
  carriers: string[],
  number: string,
): Promise<RoutingNumber[]> {
  if (carriers.length === 0) return []
  const of = phoneNumbers
    .visible(db, scope)
    .select(['number', 'voip_carrier_sid', 'account_sid', 'application_sid'])
    .where('voip_carrier_sid', 'in', carriers)
  const exact = await of.where('number', '=', number).execute()
  return exact.length > 0
    ? exact
    : of.where(withoutDigits, '<>', '').orderBy('phone_number_sid').execute()
}

export const callRoutesOf = (db: Db, account_sids: string[]): Promise<CallRoute[]> =>
  account_sids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('call_routes')
        .select(['account_sid', 'regex', 'priority', 'application_sid'])
        .where('account_sid', 'in', account_sids)
        .orderBy('priority')
        .execute()

export async function applicationNames(db: Db, scope: Scope, sids: string[]) {
  if (sids.length === 0) return {}
  const rows = await db
    .selectFrom('applications')
    .select(['application_sid', 'name'])
    .where('application_sid', 'in', sids)
    .where(inScope(scope, 'applications.account_sid'))
    .execute()
  return Object.fromEntries(rows.map((r) => [r.application_sid, r.name]))
}
