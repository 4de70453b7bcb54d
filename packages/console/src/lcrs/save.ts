import {
  defaultRouteOf,
  type LcrRoute,
  lcrCarrierSetEntries,
  lcrRoutes,
  lcrs,
  type Sent,
  SYSTEM_DEFAULT_ROUTE,
} from '@switchroom/contract'
import { queryClient, send } from '../lib/api'
import { capabilities } from '../lib/capabilities'
import { type Created, messageOf, PartlySaved } from '../lib/failure'

type Route = Sent<typeof lcrs.saveRoutes>['body'][number]

/** Priority 9999 tells a stock server that the carrier of this route is the default one. */
const defaultRoute = (voip_carrier_sid: string, stored?: LcrRoute): Route => ({
  ...SYSTEM_DEFAULT_ROUTE,
  ...(stored && { lcr_route_sid: stored.lcr_route_sid }),
  lcr_carrier_set_entries: [{ ...stored?.lcr_carrier_set_entries[0], voip_carrier_sid }],
})

/** With its routes: as one where the server can, otherwise step by step, saying how far it came. */
export async function createLcr({ body }: Sent<typeof lcrs.create>): Promise<Created> {
  if (await capabilities()) return send(lcrs.create, { body })
  const { routes = [], default_carrier, ...table } = body
  const { sid } = await send(lcrs.create, { body: table })
  try {
    await send(lcrs.addRoutes, {
      params: { lcr_sid: sid },
      body: [...(routes as Route[]).map(asStock), defaultRoute(default_carrier!)],
    })
  } catch (e) {
    const unsaved = `Saved: the table. Not saved: its routes and its default carrier. ${messageOf(e)}`
    return { sid, unsaved }
  }
  return { sid }
}

export async function updateLcr(sent: Sent<typeof lcrs.update>, stored: LcrRoute[]) {
  if (await capabilities()) return send(lcrs.update, sent)
  const { routes = [], default_carrier, ...body } = sent.body
  await send(lcrs.update, { params: sent.params, body })
  await saveStepByStep(sent.params.lcr_sid, routes as Route[], default_carrier!, stored)
}

async function saveStepByStep(
  lcr_sid: string,
  wanted: Route[],
  default_carrier: string,
  stored: LcrRoute[],
) {
  const done: string[] = []
  const step = async <R>(what: string, work: () => Promise<R>) => {
    try {
      const result = await work()
      done.push(what)
      return result
    } catch (e) {
      // saving again goes on from what is there now
      await queryClient.invalidateQueries()
      const saved = ['the table', ...done].join(', ')
      throw new PartlySaved(
        `Saved: ${saved}. Not saved: ${what} and what follows it. ${messageOf(e)}`,
      )
    }
  }
  const last = defaultRouteOf(stored, null)
  const kept = new Set([...wanted.map((r) => r.lcr_route_sid), last?.lcr_route_sid])
  for (const { lcr_route_sid, regex } of stored)
    if (!kept.has(lcr_route_sid))
      await step(`the deletion of route ${regex}`, () =>
        send(lcrRoutes.remove, { params: { lcr_route_sid } }),
      )
  // within a route it knows, a stock server passes over carriers that are new or gone
  const known: Route[] = []
  for (const route of wanted) {
    const before = stored.find((r) => r.lcr_route_sid === route.lcr_route_sid)
    known.push(before ? await withEntries(route, before, step) : route)
  }
  await step('the routes and the default carrier', () =>
    send(lcrs.saveRoutes, {
      params: { lcr_sid },
      body: [...known.map(asStock), defaultRoute(default_carrier, last)],
    }),
  )
}

type Step = <R>(what: string, work: () => Promise<R>) => Promise<R>

/** A stored route once its carriers are there that it is to have, and no others. */
async function withEntries(route: Route, before: LcrRoute, step: Step): Promise<Route> {
  const { lcr_route_sid } = before
  const here = new Set(route.lcr_carrier_set_entries.map((e) => e.lcr_carrier_set_entry_sid))
  for (const { lcr_carrier_set_entry_sid } of before.lcr_carrier_set_entries)
    if (!here.has(lcr_carrier_set_entry_sid))
      await step(`a carrier taken from route ${before.regex}`, () =>
        send(lcrCarrierSetEntries.remove, { params: { lcr_carrier_set_entry_sid } }),
      )
  const entries: Route['lcr_carrier_set_entries'] = []
  for (const entry of route.lcr_carrier_set_entries) {
    const { lcr_carrier_set_entry_sid: sid, ...body } = entry
    if (sid) entries.push(entry)
    else {
      const added = await step(`a carrier added to route ${before.regex}`, () =>
        send(lcrCarrierSetEntries.create, { body: { ...body, lcr_route_sid } }),
      )
      entries.push({ ...body, lcr_carrier_set_entry_sid: added.sid })
    }
  }
  return { ...route, lcr_carrier_set_entries: entries }
}

/** Members without a value are columns to a stock server. */
const asStock = (route: Route): Route => JSON.parse(JSON.stringify(route)) as Route
