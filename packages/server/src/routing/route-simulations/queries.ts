import type { CallRoute, Route, RoutingCarrier, RoutingNumber } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import { visible } from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy, visibleTo } from '../../http/tenancy.ts'
import * as phoneNumbers from '../phone-numbers/queries.ts'

const BATCH = 500

async function inBatches<T>(sids: string[], read: (batch: string[]) => Promise<T[]>) {
  const rows: T[] = []
  for (let i = 0; i < sids.length; i += BATCH) rows.push(...(await read(sids.slice(i, i + BATCH))))
  return rows
}

/** The route sets for calls of an account, or of a provider. The platform uses the first. */
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
    sip_gateways: byCarrier.get(carrier.voip_carrier_sid) ?? [],
  }))
}

/** Carriers that routes name, and those used when no route matches. */
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
    .where(visibleTo('voip_carriers', { account_sid, service_provider_sid }))
    .execute()
  const known = new Set(usable.map((c) => c.voip_carrier_sid))
  const others = await inBatches(
    [...new Set(named)].filter((sid) => !known.has(sid)),
    (batch) => chosen(db, scope).where('voip_carrier_sid', 'in', batch).execute(),
  )
  return withGateways(db, [...usable, ...others], sql`sip_gateways.outbound = 1`)
}

/** Gateways whose address or range may contain this source; one index range per netmask. */
function matchesSource(source: string) {
  const [a, b, c] = source.split('.')
  const masks = (from: number) => sql.join(Array.from({ length: 8 }, (_, i) => from + i))
  return sql<boolean>`(sip_gateways.netmask = 32 and sip_gateways.ipv4 = ${source}
    or sip_gateways.netmask in (${masks(24)}) and sip_gateways.ipv4 like ${`${a}.${b}.${c}.%`}
    or sip_gateways.netmask in (${masks(16)}) and sip_gateways.ipv4 like ${`${a}.${b}.%`}
    or sip_gateways.netmask in (${masks(8)}) and sip_gateways.ipv4 like ${`${a}.%`}
    or sip_gateways.netmask < 8)`
}

/** Carriers that a call from this address may come from. */
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
    // both values, because the index starts with this column
    .where('inbound', 'in', [0, 1])
    .where(matchesSource(source))
    .execute()
  const carriers = await inBatches(
    rows.map((r) => r.voip_carrier_sid),
    (batch) =>
      chosen(db, scope)
        .where('voip_carrier_sid', 'in', batch)
        .$if(owner !== undefined, (q) => q.where(visibleTo('voip_carriers', owner!)))
        .execute(),
  )
  return withGateways(db, carriers, matchesSource(source))
}

const withoutDigits = Array.from({ length: 10 }).reduce<RawBuilder<string>>(
  (text, _, digit) => sql`replace(${text}, ${String(digit)}, '')`,
  sql`phone_numbers.number`,
)

/** Numbers of these carriers that may match the called one: equal, or patterns. */
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
    .where(ownedBy('applications', scope))
    .execute()
  return Object.fromEntries(rows.map((r) => [r.application_sid, r.name]))
}
