import { type api, GATHERED_MAX, ISSUE_HOURS } from '@switchroom/contract'
import { callsOwner, spanOf } from '../calls/recent-calls/queries.ts'
import type { Context } from '../http/context.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import type { Owner } from '../stores/calls/store.ts'
import { HOUR_MS } from '../stores/calls/sums.ts'
import * as alerts from './queries.ts'

type HandlerInput<Q extends keyof typeof api.alerts> = Parameters<Handlers<typeof api.alerts>[Q]>[0]
type Within<A> = Omit<A, 'scope' | 'ctx'> & { scope: Scope; ctx: Context; params?: Owner }

async function list({ params, query, scope, ctx }: Within<HandlerInput<'list'>>) {
  const { page, count, alert_type } = query
  const filter = {
    ...(await callsOwner(ctx, scope, params)),
    ...spanOf(query),
    ...(alert_type && { alert_type }),
  }
  const limits = { limit: count, offset: (page - 1) * count }
  const { data, total } = await ctx.stores.alerts.list(filter, limits)
  return {
    data: await alerts.withTargets(ctx.db, scope, data),
    total,
    page: String(page),
    page_size: String(count),
  }
}

async function gathered({ params, query, scope, ctx }: Within<HandlerInput<'gathered'>>) {
  const { alert_type, state } = query
  const owner = await callsOwner(ctx, scope, params)
  const { from, to } = spanOf(query)
  const { data, total } = await ctx.stores.alerts.list(
    {
      ...owner,
      // what is older is not open
      from: state ? Math.max(from, Date.now() - ISSUE_HOURS * HOUR_MS) : from,
      to,
      ...(alert_type && { alert_type }),
    },
    { limit: GATHERED_MAX, offset: 0 },
  )
  // loaded when it is first needed, and not as the server starts
  const { gather } = await import('./issues/queries.ts')
  return { data: await gather(ctx.db, scope, owner, data, query), total }
}

const handlers = { list, gathered }

export const accountAlertRoutes: Handlers<typeof api.accountAlerts> = handlers
export const providerAlertRoutes: Handlers<typeof api.providerAlerts> = handlers
export const alertRoutes: Handlers<typeof api.alerts> = handlers
