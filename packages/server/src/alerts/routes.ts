import { type api, UNREAD_DAYS } from '@switchroom/contract'
import { callsOwner, spanOf } from '../calls/recent-calls/queries.ts'
import type { Context } from '../http/context.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import type { Owner } from '../stores/calls.ts'
import * as alerts from './queries.ts'

const DAY_MS = 86_400_000

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

async function unread({ params, scope, ctx }: Within<HandlerInput<'unread'>>) {
  const owner = await callsOwner(ctx, scope, params)
  const seen = await alerts.seenUntil(ctx.db, scope.user_sid!, owner)
  const since = Math.max(seen ?? 0, Date.now() - UNREAD_DAYS * DAY_MS)
  return { unread: await ctx.stores.alerts.countSince(owner, since) }
}

async function see({ params, body, scope, ctx }: Within<HandlerInput<'see'>>) {
  const owner = await callsOwner(ctx, scope, params)
  await alerts.markSeen(ctx.db, scope.user_sid!, owner, Date.parse(body.until))
}

const handlers = { list, unread, see }
export const accountAlertRoutes: Handlers<typeof api.accountAlerts> = handlers
export const providerAlertRoutes: Handlers<typeof api.providerAlerts> = handlers
export const alertRoutes: Handlers<typeof api.alerts> = handlers
