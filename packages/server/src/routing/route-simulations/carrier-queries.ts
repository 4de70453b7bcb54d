import type { RoutingCarrier, RoutingNumber } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import { visible } from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { visibleTo } from '../../http/tenancy.ts'
import { inBatches } from './queries.ts'

type CallOwner = { account_sid: string | null; service_provider_sid: string }

/** The carrier of this name that the feature server finds: the account's own, else one of its provider's. */
export async function carrierNamed(
  db: Db,
  { account_sid, service_provider_sid }: CallOwner,
  name: string,
): Promise<string | undefined> {
  const named = (owner: { account_sid: string } | { service_provider_sid: string }) =>
    db
      .selectFrom('voip_carriers')
      .select('voip_carrier_sid')
      .where('name', '=', name)
      .where((eb) =>
        'account_sid' in owner
          ? eb('account_sid', '=', owner.account_sid)
          : eb
              .and({ service_provider_sid: owner.service_provider_sid })
              .and('account_sid', 'is', null),
      )
      .orderBy('voip_carrier_sid')
      .executeTakeFirst()
  const own = account_sid ? await named({ account_sid }) : undefined
  return (own ?? (await named({ service_provider_sid })))?.voip_carrier_sid
}

/** The carrier of a caller's number, likewise; undefined if nobody has the number, null if it has no carrier. */
export async function carrierOfCaller(
  db: Db,
  { account_sid, service_provider_sid }: CallOwner,
  from: string,
): Promise<string | null | undefined> {
  const rows = await db
    .selectFrom('phone_numbers')
    .select(['account_sid', 'service_provider_sid', 'voip_carrier_sid'])
    .where('number', '=', from.replace(/^\+/, ''))
    .orderBy('phone_number_sid')
    .execute()
  return ownNumber(rows, { account_sid, service_provider_sid })
}

/** The carrier of a number among equal numbers: the account's own, else one of its provider's. */
function ownNumber(
  rows: readonly (Pick<RoutingNumber, 'voip_carrier_sid' | 'account_sid'> & {
    service_provider_sid: string | null
  })[],
  { account_sid, service_provider_sid }: CallOwner,
) {
  const own = rows.find((n) => account_sid !== null && n.account_sid === account_sid)
  const shared = rows.find(
    (n) => n.account_sid === null && n.service_provider_sid === service_provider_sid,
  )
  return (own ?? shared)?.voip_carrier_sid
}

/** The carriers of callers' numbers, likewise, for many. */
export async function carriersOfCallers(
  db: Db,
  callers: readonly { account: CallOwner; from: string }[],
): Promise<(account: CallOwner, from: string) => string | null | undefined> {
  const numbers = [...new Set(callers.map(({ from }) => from.replace(/^\+/, '')))]
  const rows = await inBatches(numbers, (batch) =>
    db
      .selectFrom('phone_numbers')
      .select(['number', 'account_sid', 'service_provider_sid', 'voip_carrier_sid'])
      .where('number', 'in', batch)
      .orderBy('phone_number_sid')
      .execute(),
  )
  const byNumber = Map.groupBy(rows, (n) => n.number)
  return (account, from) => ownNumber(byNumber.get(from.replace(/^\+/, '')) ?? [], account)
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

/** Carriers in routes, and those of these accounts and providers. */
export async function carriersOf(
  db: Db,
  scope: Scope,
  { accounts, providers, named }: { accounts: string[]; providers: string[]; named: string[] },
) {
  const read = (
    batch: string[],
    column: 'account_sid' | 'service_provider_sid' | 'voip_carrier_sid',
  ) => chosen(db, scope).where(column, 'in', batch).execute()
  const found = [
    ...(await inBatches(accounts, (batch) => read(batch, 'account_sid'))),
    ...(await inBatches(named, (batch) => read(batch, 'voip_carrier_sid'))),
    ...(await inBatches(providers, (batch) =>
      chosen(db, scope)
        .where('service_provider_sid', 'in', batch)
        .where('account_sid', 'is', null)
        .execute(),
    )),
  ]
  const carriers = [...new Map(found.map((c) => [c.voip_carrier_sid, c])).values()]
  return withGateways(
    db,
    carriers.sort((a, b) => (a.voip_carrier_sid < b.voip_carrier_sid ? -1 : 1)),
    sql`sip_gateways.outbound = 1`,
  )
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

/** Active trunks that calls to the SIP realm of an account may authenticate to. */
export async function authTrunks(
  db: Db,
  scope: Scope,
  owner: { account_sid: string; service_provider_sid: string },
) {
  const rows = await chosen(db, scope)
    .select('inbound_auth_username as username')
    .where('trunk_type', '=', 'auth')
    .where('is_active', '=', 1)
    .where(visibleTo('voip_carriers', owner))
    .execute()
  return rows.map((row) => ({ ...row, sip_gateways: [] }))
}
