import {
  defaultRouteOf,
  type Lcr,
  type LcrRoute,
  type LcrRouteIn,
  SYSTEM_DEFAULT_ROUTE,
  t,
} from '@switchroom/contract'
import { accounts, lcrCarrierSetEntries, lcrRoutes, lcrs, serviceProviders } from '../endpoints'
import { namesOf, pageOf, rowsOf } from './lists'
import { on, type Send, withoutNulls } from './server'
import { created, runInOrder, type Step } from './steps'

/** Routes to any of these carriers, in these tables or in all. */
export async function routesThrough(
  send: Send,
  tables: readonly Lcr[] | undefined,
  carriers: readonly string[],
) {
  if (carriers.length === 0) return []
  const all = tables ?? (await rowsOf(send, lcrs.list, { query: {} }))
  const routes = await Promise.all(
    all.map(({ lcr_sid }) => send(lcrRoutes.list, { query: { lcr_sid } })),
  )
  return routes
    .flat()
    .filter((r) => r.lcr_carrier_set_entries.some((e) => carriers.includes(e.voip_carrier_sid)))
}

/** Priority 9999 marks the route of the default carrier. */
const defaultRoute = (voip_carrier_sid: string, stored?: LcrRoute) => {
  const { lcr_route_sid: _, ...entry } = stored?.lcr_carrier_set_entries[0] ?? {}
  return {
    ...SYSTEM_DEFAULT_ROUTE,
    ...(stored && { lcr_route_sid: stored.lcr_route_sid }),
    lcr_carrier_set_entries: [{ ...entry, voip_carrier_sid }],
  }
}

const withPriorities = (routes: readonly LcrRouteIn[]) =>
  routes.map((route, i) => ({ ...route, priority: route.priority ?? i }))

export const forRouting = [
  on(lcrs.list, async ({ query }, { send }) => {
    const { account_sid, service_provider_sid } = query
    const of = await namesOf(send, accounts.list, { query: {} }, 'account_sid')
    const by = await namesOf(send, serviceProviders.list, { query: {} }, 'service_provider_sid')
    const own = service_provider_sid
      ? new Set(
          (await rowsOf(send, accounts.list, { query: {} }))
            .filter((a) => a.service_provider_sid === service_provider_sid)
            .map((a) => a.account_sid),
        )
      : undefined
    const rows = (await rowsOf(send, lcrs.list, { query: {} })).filter(
      (t) =>
        (!account_sid || t.account_sid === account_sid) &&
        (!own ||
          t.service_provider_sid === service_provider_sid ||
          (t.account_sid !== null && own.has(t.account_sid))),
    )
    const result = pageOf(rows, query)
    const data = result.data.map((t) => ({
      ...t,
      account_name: of(t.account_sid),
      service_provider_name: by(t.service_provider_sid),
    }))
    return { ...result, data }
  }),

  on(lcrs.view, async ({ params }, { send }) => {
    const [table, all] = await Promise.all([
      send(lcrs.view, { params }),
      send(lcrRoutes.list, { query: params }),
    ])
    const last = defaultRouteOf(all, table.default_carrier_set_entry_sid)
    return {
      ...table,
      routes: all.filter((r) => r !== last),
      default_carrier: last?.lcr_carrier_set_entries[0]?.voip_carrier_sid ?? null,
    }
  }),

  on(lcrs.create, async ({ body }, { send }) => {
    const { routes, default_carrier, account_sid, service_provider_sid, ...table } = body
    // a table belongs to an account or a provider, never both
    const owner = withoutNulls(account_sid ? { account_sid } : { service_provider_sid })
    const { sid } = await send(lcrs.create, { body: { ...table, ...owner } })
    if (!default_carrier) return { sid }
    const added: Step = {
      what: t('its routes and its default carrier'),
      run: () =>
        send(lcrs.addRoutes, {
          params: { lcr_sid: sid },
          body: [...withPriorities(routes ?? []), defaultRoute(default_carrier)],
        }),
    }
    return created(sid, () => runInOrder(t('the table'), [added]))
  }),

  on(lcrs.update, async ({ params, body }, { send }) => {
    const { routes, default_carrier, account_sid, service_provider_sid, ...table } = body
    const owner = withoutNulls(account_sid ? { account_sid } : { service_provider_sid })
    if (Object.keys({ ...table, ...owner }).length > 0)
      await send(lcrs.update, { params, body: { ...table, ...owner } })
    if (!routes && !default_carrier) return
    const [stored, { default_carrier_set_entry_sid }] = await Promise.all([
      send(lcrRoutes.list, { query: params }),
      send(lcrs.view, { params }),
    ])
    const last = defaultRouteOf(stored, default_carrier_set_entry_sid)
    const others = stored.filter((r) => r !== last)
    const carrier = default_carrier ?? last?.lcr_carrier_set_entries[0]?.voip_carrier_sid
    await runInOrder(
      t('the table'),
      routeSteps(send, params.lcr_sid, routes ?? [], others, carrier, last),
    )
  }),
]

/** The requests that turn the stored routes into the ones in the form. */
function routeSteps(
  send: Send,
  lcr_sid: string,
  wanted: readonly LcrRouteIn[],
  stored: readonly LcrRoute[],
  default_carrier: string | undefined,
  last: LcrRoute | undefined,
): Step[] {
  const kept = new Set(wanted.map((r) => r.lcr_route_sid))
  const removals: Step[] = stored
    .filter((r) => !kept.has(r.lcr_route_sid))
    .map(({ lcr_route_sid, regex }) => ({
      what: t('the deletion of route {regex}', { regex }),
      run: () => send(lcrRoutes.remove, { params: { lcr_route_sid } }),
    }))
  // for existing routes it ignores carriers that were added or removed
  const rows: LcrRouteIn[] = []
  const entries = wanted.flatMap((route): Step[] => {
    const before = stored.find((r) => r.lcr_route_sid === route.lcr_route_sid)
    if (!before) {
      rows.push(route)
      return []
    }
    const row = { ...route, lcr_carrier_set_entries: [...route.lcr_carrier_set_entries] }
    rows.push(row)
    return entrySteps(send, row, before)
  })
  const whole: Step = {
    what: t('the routes and the default carrier'),
    run: () =>
      send(lcrs.saveRoutes, {
        params: { lcr_sid },
        body: [
          ...withPriorities(rows),
          ...(default_carrier ? [defaultRoute(default_carrier, last)] : []),
        ],
      }),
  }
  return [...removals, ...entries, whole]
}

/** The requests that make the carriers of a stored route those of `route`, whose entries then have sids. */
function entrySteps(send: Send, route: LcrRouteIn, before: LcrRoute): Step[] {
  const { lcr_route_sid, regex } = before
  const wanted = new Set(route.lcr_carrier_set_entries.map((e) => e.lcr_carrier_set_entry_sid))
  const removals: Step[] = before.lcr_carrier_set_entries
    .filter((e) => !wanted.has(e.lcr_carrier_set_entry_sid))
    .map(({ lcr_carrier_set_entry_sid }) => ({
      what: t('a carrier removed from route {regex}', { regex }),
      run: () => send(lcrCarrierSetEntries.remove, { params: { lcr_carrier_set_entry_sid } }),
    }))
  const added = route.lcr_carrier_set_entries.flatMap((entry, i): Step[] =>
    entry.lcr_carrier_set_entry_sid
      ? []
      : [
          {
            what: t('a carrier added to route {regex}', { regex }),
            run: async () => {
              const { lcr_carrier_set_entry_sid: _, ...body } = entry
              const { sid } = await send(lcrCarrierSetEntries.create, {
                body: { ...body, lcr_route_sid },
              })
              route.lcr_carrier_set_entries[i] = { ...body, lcr_carrier_set_entry_sid: sid }
            },
          },
        ],
  )
  return [...removals, ...added]
}
