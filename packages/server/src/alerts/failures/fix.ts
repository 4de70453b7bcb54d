import {
  byPriority,
  DEFAULT_ROUTE,
  type Failure,
  type FailureFix,
  HEALTH_RULES,
  type LcrView,
  lcrs,
  PatternTooSlow,
  plural,
  prefixText,
  REROUTE_CALLS,
  type Reroute,
  type Route,
  rerouted,
  t,
} from '@switchroom/contract'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { versionOf } from '../../http/version.ts'
import * as tables from '../../routing/lcrs/queries.ts'
import { ownerOf } from '../../routing/lcrs/tables.ts'
import * as carrierRows from '../../routing/route-simulations/carrier-queries.ts'
import { MatchingTime, matchRoutes } from '../../routing/route-simulations/matching.ts'
import * as routing from '../../routing/route-simulations/queries.ts'
import type { CallFilter, CallStore } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import { healthOf } from '../carrier-health/queries.ts'
import { inboxOf, type Outcomes, outcomesOf } from './outcomes.ts'

/** Calls of other carriers are looked at for this time. */
const WEEK_HOURS = 168
/** Share of calls that a replacement carrier may itself have refused. */
const REFUSED_PART = 0.05
const MAX_CARRIERS = 20
const MATCHING_MS = 8_000

export const none = (reason: string | null): FailureFix => ({ reroute: null, reason })

/**
 * The change of a routing table by which the calls of a failure would leave by a carrier that completes such calls now. Only
 * the first carrier of a route is ever used, so it becomes the first.
 */
export async function fixOf(
  ctx: Context,
  scope: Scope,
  failure: Failure,
  now = Date.now(),
): Promise<FailureFix> {
  const { direction, prefix, carrier, figures } = failure
  const recent = figures.hours.reduce((a, b) => a + b, 0)
  if (direction !== 'outbound' || !prefix || !carrier || recent < HEALTH_RULES.failed_calls)
    return none(null)
  const names = { carrier: carrier.name, prefix: prefixText(prefix) }
  const table = await tableOf(ctx.db, scope, failure)
  if (table === undefined) return none(t('No routing table selects the carrier for these calls.'))
  if (table === null)
    return none(t('Your service provider’s routing table selects the carrier for these calls.'))
  const filter: CallFilter = {
    ...inboxOf(failure),
    ...{ direction: 'outbound', prefix: prefix.replace('+', '') },
    ...{ from: now - WEEK_HOURS * HOUR_MS, to: now + HOUR_MS },
  }
  const failing = await failingNow(ctx.stores.calls, filter, failure, now)
  if (failing.refused < failing.calls * HEALTH_RULES.failed_part || failing.refused === 0)
    return none(
      plural(
        failing.hours,
        '{carrier} has completed calls to {prefix} again in the last hour.|{carrier} has completed calls to {prefix} again in the last {n} hours.',
        names,
      ),
    )
  const dialed = [...new Set(figures.samples.flatMap(({ to }) => to ?? []))]
  try {
    const route = await routeOf(table, dialed, carrier.voip_carrier_sid)
    if (!route)
      return none(
        t(
          'Today’s routes send no calls to {prefix} to {carrier}. They have changed since, or an application names the carrier.',
          names,
        ),
      )
    const better = await betterCarrier(ctx, scope, { table, filter, failure })
    if (!better)
      return none(
        t(
          'No other carrier has completed enough calls to {prefix} in the last 7 days to tell that it would do better.',
          names,
        ),
      )
    const { carrier: to, completed } = better
    const change: Reroute = { ...placeOf(table, route, prefix), carrier: to }
    const after = await matched(withDefault(table, rerouted(table.routes, change)), route.dialed)
    const changed = after.get(route.dialed[0]!)
    if (changed === undefined || route.dialed.some((number) => after.get(number) !== changed))
      return none(t('No single route can take these calls.'))
    return {
      reroute: {
        lcr_sid: table.lcr_sid,
        lcr_name: table.name,
        version: versionOf(lcrs.view, table).version,
        ...change,
        ...{ replaces: carrier, prefix },
        completed,
        failing,
      },
      reason: null,
    }
  } catch (e) {
    if (!(e instanceof PatternTooSlow)) throw e
    return none(t('These routes take too long to compare.'))
  }
}

/** The routing table of most of these calls: undefined if there is none, null if the caller may not see it. */
async function tableOf(
  db: Db,
  scope: Scope,
  { account_sid, figures }: Failure,
): Promise<LcrView | null | undefined> {
  const hit = account_sid
    ? [{ sid: account_sid, calls: 1 }]
    : figures.accounts.map(({ sid, calls }) => ({ sid, calls }))
  const calls = new Map(hit.map((h) => [h.sid, h.calls]))
  const byTable = new Map<string, number>()
  for (const account of await routing.accountsOf(db, scope, [...calls.keys()])) {
    const [set] = await routing.setsOf(db, account)
    if (set)
      byTable.set(set.lcr_sid, (byTable.get(set.lcr_sid) ?? 0) + calls.get(account.account_sid)!)
  }
  const [most] = [...byTable].sort((a, b) => b[1] - a[1])
  return most && ((await tables.view(db, scope, most[0])) ?? null)
}

/** In the shortest of the latest times that has enough calls to tell. */
async function failingNow(calls: CallStore, filter: CallFilter, failure: Failure, now: number) {
  let found: Outcomes = { calls: 0, answered: 0, refused: 0 }
  for (const hours of HEALTH_RULES.windows) {
    const latest = { ...filter, trunk: failure.carrier!.name, from: now - hours * HOUR_MS }
    found = await outcomesOf(calls, latest, failure.sip_status)
    if (found.calls >= REROUTE_CALLS) return { hours, ...found }
  }
  return { hours: HEALTH_RULES.hours, ...found }
}

/** Throws `PatternTooSlow`. Only matching counts: other queries are in between. */
const matched = (routes: Route[], numbers: string[]) =>
  matchRoutes(routes, numbers, new MatchingTime(MATCHING_MS))

/** The routes with the default one, as the platform reads them. */
const withDefault = (
  { default_carrier }: Pick<LcrView, 'default_carrier'>,
  routes: readonly {
    regex: string
    priority: number
    lcr_carrier_set_entries: readonly { voip_carrier_sid: string; priority: number }[]
  }[],
): Route[] => [
  ...routes.map(({ regex, priority, lcr_carrier_set_entries }) => ({
    regex,
    priority,
    description: null,
    lcr_carrier_set_entries: lcr_carrier_set_entries.map((e) => ({ ...e, workload: 1 })),
  })),
  ...(default_carrier
    ? [
        {
          ...DEFAULT_ROUTE,
          description: null,
          lcr_carrier_set_entries: [
            { voip_carrier_sid: default_carrier, priority: 0, workload: 1 },
          ],
        },
      ]
    : []),
]

/** The route that sends most of these numbers to the carrier, with those numbers. */
async function routeOf(table: LcrView, dialed: string[], voip_carrier_sid: string) {
  const routes = withDefault(table, table.routes)
  const taken = await matched(routes, dialed)
  const byRoute = Map.groupBy(
    dialed.filter((number) => taken.has(number)),
    (number) => taken.get(number)!,
  )
  const [most] = [...byRoute]
    .filter(([at]) => {
      const [first] = byPriority(routes[at]!.lcr_carrier_set_entries)
      return first?.voip_carrier_sid === voip_carrier_sid
    })
    .sort((a, b) => b[1].length - a[1].length)
  return most && { at: most[0], dialed: most[1] }
}

/** Digits that a pattern requires at the start of a number. */
const digitsOf = (pattern: string) =>
  pattern.includes('|') ? undefined : /^\^?(?:\\\+\??)?(\d+)(?![\d*?{])/.exec(pattern)?.[1]

/** Place of the change: the route itself if it matches no other numbers, else a new route before it. */
function placeOf(
  { routes }: LcrView,
  { at, dialed }: { at: number; dialed: string[] },
  prefix: string,
) {
  const digits = prefix.replace('+', '')
  const route = routes[at]
  if (route && digitsOf(route.regex)?.startsWith(digits))
    return { pattern: route.regex, lcr_route_sid: route.lcr_route_sid, before: null }
  const isAbroad = prefix.startsWith('+')
  const start = !isAbroad ? '' : dialed.some((n) => n.startsWith('00')) ? '(?:\\+|00)?' : '\\+?'
  return {
    pattern: `^${start}${digits}`,
    lcr_route_sid: null,
    before: route?.lcr_route_sid ?? null,
  }
}

/**
 * The usable carrier that completes most of its calls to these numbers. None that is in trouble outbound, nor one that refuses
 * them as well.
 */
async function betterCarrier(
  ctx: Context,
  scope: Scope,
  { table, filter, failure }: { table: LcrView; filter: CallFilter; failure: Failure },
) {
  const { account_sid, service_provider_sid } = await ownerOf(ctx.db, scope, table)
  if (!service_provider_sid) return undefined
  const usable = await carrierRows.carriersFor(
    ctx.db,
    scope,
    { account_sid, service_provider_sid },
    [],
  )
  const able = usable
    .filter((c) => c.is_active && c.sip_gateways.some((g) => g.is_active))
    .filter(({ name }) => name !== failure.carrier!.name)
    .slice(0, MAX_CARRIERS)
  if (able.length === 0) return undefined
  const rows = await voipCarriers.findAll(
    ctx.db,
    scope,
    able.map((c) => c.voip_carrier_sid),
  )
  const inTrouble = new Set(
    (await healthOf(ctx, scope, rows)).flatMap(({ voip_carrier_sid, findings }) =>
      findings.some((f) => f.direction !== 'inbound') ? voip_carrier_sid : [],
    ),
  )
  const found = await Promise.all(
    able
      .filter(({ voip_carrier_sid }) => !inTrouble.has(voip_carrier_sid))
      .map(async ({ voip_carrier_sid, name }) => ({
        carrier: { voip_carrier_sid, name },
        completed: await outcomesOf(
          ctx.stores.calls,
          { ...filter, trunk: name },
          failure.sip_status,
        ),
      })),
  )
  const share = ({ completed }: (typeof found)[number]) => completed.answered / completed.calls
  return found
    .filter(
      ({ completed: { calls, answered, refused } }) =>
        calls >= REROUTE_CALLS && answered > 0 && refused <= calls * REFUSED_PART,
    )
    .sort((a, b) => share(b) - share(a) || b.completed.calls - a.completed.calls)[0]
}
