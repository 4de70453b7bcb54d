import { type Route, type RoutingCarrier, simulateOutbound } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import type { CallStore, Owner } from '../../stores/calls/store.ts'
import * as carrierRows from './carrier-queries.ts'
import * as routing from './queries.ts'

type Given = { named?: string | undefined; cameInOn?: string | undefined }

/** Tables whose routes are in memory together. */
export const TABLES_AT_ONCE = 50
/** Sid of a new table or carrier, which no stored one has. */
export const NEW = 'new'

export type TableOwner = { account_sid: string | null; service_provider_sid: string | null }
export type Draft = {
  /** Owner of the calls concerned. */
  owner: Owner
  table?: TableOwner & { lcr_sid: string; routes: Route[] }
  carrier?: Pick<
    RoutingCarrier,
    'voip_carrier_sid' | 'name' | 'account_sid' | 'service_provider_sid' | 'is_active'
  > & {
    sip_gateways: (Pick<RoutingCarrier['sip_gateways'][number], 'outbound' | 'is_active'> & {
      sip_gateway_sid?: string | undefined
    })[]
  }
  /** The sids of stored carriers that are deactivated. */
  deactivated?: ReadonlySet<string>
}

export type Account = Awaited<ReturnType<typeof routing.accountsOf>>[number]
type Table = Awaited<ReturnType<typeof routing.tablesOf>>[number]
export type Sources = {
  db: Db
  calls: CallStore
  /** The gateways of these carriers that the SBCs leave out now; undefined if that is not known. */
  avoided: (carriers: RoutingCarrier[]) => Promise<ReadonlySet<string> | undefined>
}

/** The tables of an account in the platform's order; it uses the first. */
export function tablesBefore(tables: Table[]) {
  const byAccount = Map.groupBy(tables, (t) => t.account_sid ?? '')
  const byProvider = Map.groupBy(tables, (t) => (t.account_sid ? '' : t.service_provider_sid))
  const places = new Map(tables.map((t, i) => [t, i]))
  return ({ account_sid, service_provider_sid }: Account) =>
    [...(byAccount.get(account_sid) ?? []), ...(byProvider.get(service_provider_sid) ?? [])].sort(
      (a, b) => places.get(a)! - places.get(b)!,
    )
}

/** A new table has no place yet: an account's goes before, a provider's after the others, as intended. */
export function withDraft(stored: Table[], { table }: Draft): Table[] {
  if (table?.lcr_sid !== NEW) return stored
  return table.account_sid ? [table, ...stored] : [...stored, table]
}

export type World = {
  carriers: RoutingCarrier[]
  routesOf: (lcr_sid: string | undefined) => Route[]
  wayOf: (
    account: Account,
    lcr_sid: string | undefined,
    route: number | undefined,
    given: Given,
  ) => string
  /** The carrier of an account with this name, else one of its provider's. */
  carrierNamed: (account: Account, name: string) => string | undefined
}

export async function readWorlds(
  { db, avoided }: Pick<Sources, 'db' | 'avoided'>,
  scope: Scope,
  draft: Draft,
  plans: { account: Account; before: string | undefined; after: string | undefined }[],
  callers: string[],
): Promise<{ before: World; after: World; isAvoidedUnknown: boolean }> {
  const sids = new Set(plans.flatMap((p) => [p.before ?? [], p.after ?? []].flat()))
  sids.delete(NEW)
  const routes = await routing.routesOfTables(db, [...sids])
  const { table, carrier, deactivated } = draft
  const drafted = table ? new Map(routes).set(table.lcr_sid, table.routes) : routes
  const entries = [...routes.values(), table?.routes ?? []].flat()
  const carriers = await carrierRows.carriersOf(db, scope, {
    accounts: [...new Set(plans.map((p) => p.account.account_sid))],
    providers: [...new Set(plans.map((p) => p.account.service_provider_sid))],
    named: [
      ...new Set([
        ...entries.flatMap((r) => r.lcr_carrier_set_entries.map((e) => e.voip_carrier_sid)),
        ...callers,
      ]),
    ],
  })
  const left = await avoided(carriers)
  return {
    isAvoidedUnknown: left === undefined,
    before: worldOf(carriers, routes, left),
    after: worldOf(
      deactivated
        ? carriers.map((c) => (deactivated.has(c.voip_carrier_sid) ? { ...c, is_active: 0 } : c))
        : carrier
          ? withCarrier(carriers, carrier)
          : carriers,
      drafted,
      left,
    ),
  }
}

function withCarrier(
  carriers: RoutingCarrier[],
  carrier: NonNullable<Draft['carrier']>,
): RoutingCarrier[] {
  const gateway = { netmask: 32, port: null, inbound: 0, ipv4: '' } as const
  const changed: RoutingCarrier = {
    ...carrier,
    application_sid: null,
    sip_gateways: carrier.sip_gateways.map((g, i) => ({
      ...gateway,
      ...g,
      sip_gateway_sid: g.sip_gateway_sid ?? String(i),
    })),
  }
  return [...carriers.filter((c) => c.voip_carrier_sid !== carrier.voip_carrier_sid), changed].sort(
    (a, b) => (a.voip_carrier_sid < b.voip_carrier_sid ? -1 : 1),
  )
}

const NO_ROUTES: Route[] = []

/** The simulator decides once for each route, and for each account's calls without a route. */
function worldOf(
  carriers: RoutingCarrier[],
  routes: Map<string, Route[]>,
  avoided: ReadonlySet<string> | undefined,
): World {
  const bySid = new Map(carriers.map((c) => [c.voip_carrier_sid, c]))
  const byAccount = Map.groupBy(carriers, (c) => c.account_sid)
  const ways = new Map<string, string>()
  const byName = Map.groupBy(carriers, (c) => c.name)
  const routesOf = (sid: string | undefined) => routes.get(sid ?? '') ?? NO_ROUTES
  return {
    carriers,
    routesOf,
    carrierNamed({ account_sid, service_provider_sid }, name) {
      const all = byName.get(name) ?? []
      const found =
        all.find((c) => c.account_sid === account_sid) ??
        all.find((c) => !c.account_sid && c.service_provider_sid === service_provider_sid)
      return found?.voip_carrier_sid
    },
    wayOf(account, lcr_sid, index, { named, cameInOn }) {
      const key =
        named !== undefined
          ? `named ${named}`
          : index !== undefined
            ? `${lcr_sid} ${index}`
            : `${account.account_sid} ${cameInOn ?? ''}`
      const known = ways.get(key)
      if (known !== undefined) return known
      const route = index === undefined || named ? undefined : routesOf(lcr_sid)[index]
      const used = route
        ? route.lcr_carrier_set_entries.map((e) => e.voip_carrier_sid)
        : [named, cameInOn].filter((sid) => sid !== undefined)
      const usable = route
        ? []
        : [...(byAccount.get(account.account_sid) ?? []), ...(byAccount.get(null) ?? [])]
      const { outcome, carriers } = simulateOutbound(
        {
          number: '',
          owner: account,
          routes: route && [route],
          carriers: [...new Set([...used.flatMap((sid) => bySid.get(sid) ?? []), ...usable])],
          // whether it was by the caller's number or by a trunk
          naming: named ? { by: 'trunk', text: '', voip_carrier_sid: named } : undefined,
          inbound_carrier_sid: cameInOn,
          avoided,
        },
        () => true,
      )
      const way = outcome === 'failed' ? '' : carriers.toSorted().join()
      ways.set(key, way)
      return way
    },
  }
}
