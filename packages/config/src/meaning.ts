import type { Switchroom } from '@switchroom/client'
import type { api as contract } from '@switchroom/contract'
import { DEFAULT_ROUTE, type ReplayResult, type Sent } from '@switchroom/contract'
import type { Change, Plan } from './plan.ts'
import type { Members } from './shapes.ts'

type Draft = Sent<typeof contract.routeSimulations.replay>['body']
export type Meaning = {
  change: Change
  result: ReplayResult
  /** True if carriers that do not exist yet were left out. */
  isPartial: boolean
}

/** Compares where the calls of the last 24 hours go now, and where they would go after each change of routes or carriers. */
export async function* meaningsOf(api: Switchroom, plan: Plan): AsyncGenerator<Meaning, void> {
  const created = new Set(
    plan.changes.filter(({ action }) => action === 'create').map(({ sid }) => sid),
  )
  for (const change of plan.changes) {
    const draft = draftOf(change, plan, created)
    // comparisons take turns
    if (draft) {
      const { body, isPartial } = draft
      yield { change, isPartial, result: await api.routeSimulations.replay({ body }) }
    }
  }
}

/** A change as a draft; undefined if it changes no call's route, or is of something that does not exist yet. */
function draftOf(change: Change, { owner }: Plan, created: ReadonlySet<string>) {
  const { kind, action, sid, account, base } = change
  const isNew = action === 'create'
  if ((isNew && kind.file !== 'lcrs') || (account !== null && created.has(account)))
    return undefined
  const wanted = action === 'delete' ? {} : change.wanted(base ?? {})
  const whose =
    account === null ? { service_provider_sid: owner.provider.sid } : { account_sid: account }
  if (kind.file === 'lcrs') {
    const { routes, isPartial } = routesOf(wanted, created)
    const body: Draft = { ...whose, lcr: { ...(!isNew && { lcr_sid: sid }), routes } }
    return { body, isPartial }
  }
  if (kind.file !== 'voip-carriers') return undefined
  const gateways = (wanted.sip_gateways ?? []) as Gateway[]
  const body: Draft = {
    ...whose,
    carrier: {
      voip_carrier_sid: sid,
      name: change.name,
      is_active: wanted.is_active === 0 ? 0 : 1,
      sip_gateways: gateways.map(({ outbound, is_active }) => ({ outbound, is_active })),
    },
  }
  return { body, isPartial: false }
}

type Gateway = { outbound: 0 | 1; is_active: 0 | 1 }
type Route = {
  regex: string
  priority?: number
  lcr_carrier_set_entries: { voip_carrier_sid: string; priority?: number }[]
}

function routesOf(wanted: Members, created: ReadonlySet<string>) {
  let isPartial = false
  const isThere = (sid: string) => {
    if (created.has(sid)) isPartial = true
    return !created.has(sid)
  }
  const routes = ((wanted.routes ?? []) as Route[]).map((route, position) => ({
    regex: route.regex,
    priority: route.priority ?? position,
    lcr_carrier_set_entries: route.lcr_carrier_set_entries.flatMap((entry, place) =>
      isThere(entry.voip_carrier_sid)
        ? [{ voip_carrier_sid: entry.voip_carrier_sid, priority: entry.priority ?? place }]
        : [],
    ),
  }))
  const last = wanted.default_carrier as string | null | undefined
  const entries = last && isThere(last) ? [{ voip_carrier_sid: last }] : []
  return {
    isPartial,
    routes: [...routes, ...(last ? [{ ...DEFAULT_ROUTE, lcr_carrier_set_entries: entries }] : [])],
  }
}
