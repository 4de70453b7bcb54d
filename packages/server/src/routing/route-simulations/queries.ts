import type { CallRoute, Route, RoutingNumber } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import * as phoneNumbers from '../phone-numbers/queries.ts'

const BATCH = 500

export async function inBatches<T>(sids: string[], read: (batch: string[]) => Promise<T[]>) {
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

/** The newest changes that are looked through. */
const MAX_CHANGES = 2_000

/**
 * True if a routing table or carrier of these accounts or providers was changed since a time, or if there are too many
 * changes to tell.
 */
export async function changedSince(
  db: Db,
  { accounts, providers }: { accounts: string[]; providers: string[] },
  since: Date,
): Promise<boolean> {
  const pending = db.selectFrom('switchroom_audit_pending').select('batch_sid').limit(1)
  if ((await pending.execute()).length > 0) return true
  const newest = await db
    .selectFrom('switchroom_audit')
    .select(['at', 'kind', 'account_sid', 'service_provider_sid'])
    .orderBy('seq', 'desc')
    .limit(MAX_CHANGES)
    .execute()
  const owners = new Set([...accounts, ...providers])
  const recent = newest.filter(({ at }) => Date.parse(at) >= since.getTime())
  return (
    recent.length === MAX_CHANGES ||
    recent.some(
      ({ kind, account_sid, service_provider_sid }) =>
        (kind === 'lcr' || kind === 'voip_carrier') &&
        (owners.has(account_sid ?? '') || owners.has(service_provider_sid ?? '')),
    )
  )
}

/** The tables of these accounts and providers, in the order in which the platform finds them. */
export async function tablesOf(db: Db, accounts: string[], providers: string[]) {
  const columns = ['lcr_sid', 'account_sid', 'service_provider_sid'] as const
  const of = (owner: 'account_sid' | 'service_provider_sid') => (batch: string[]) =>
    db.selectFrom('lcr').select(columns).where(owner, 'in', batch).execute()
  const found = [
    ...(await inBatches(accounts, of('account_sid'))),
    ...(await inBatches(providers, of('service_provider_sid'))),
  ]
  return [...new Map(found.map((t) => [t.lcr_sid, t])).values()].sort((a, b) =>
    a.lcr_sid < b.lcr_sid ? -1 : 1,
  )
}

export async function routesOfTables(db: Db, tables: string[]): Promise<Map<string, Route[]>> {
  const routes = await inBatches(tables, (batch) =>
    db
      .selectFrom('lcr_routes')
      .select(['lcr_sid', 'lcr_route_sid', 'regex', 'priority', 'description'])
      .where('lcr_sid', 'in', batch)
      .orderBy('priority')
      .orderBy('lcr_route_sid')
      .execute(),
  )
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
  const byTable = new Map(tables.map((sid): [string, Route[]] => [sid, []]))
  for (const { lcr_sid, lcr_route_sid, ...route } of routes)
    byTable.get(lcr_sid ?? '')?.push({
      ...route,
      lcr_carrier_set_entries: (byRoute.get(lcr_route_sid) ?? []).map(
        ({ lcr_route_sid: _, ...entry }) => entry,
      ),
    })
  return byTable
}

export const routesOf = async (db: Db, lcr_sid: string) =>
  (await routesOfTables(db, [lcr_sid])).get(lcr_sid)!

/** The accounts of calls, within scope. */
export const accountsOf = (db: Db, scope: Scope, sids: string[]) =>
  inBatches(sids, (batch) =>
    db
      .selectFrom('accounts')
      .select(['account_sid', 'service_provider_sid', 'name'])
      .where('account_sid', 'in', batch)
      .where(ownedBy('accounts', scope))
      .execute(),
  )

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
