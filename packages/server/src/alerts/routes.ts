import { ALERT_OPEN_HOURS, type api, GATHERED_MAX, UNREAD_DAYS } from '@switchroom/contract'
import { callsOwner, spanOf } from '../calls/recent-calls/queries.ts'
import type { Context } from '../http/context.ts'
import { invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import type { Owner } from '../stores/calls.ts'
import { HOUR_MS } from '../stores/sums.ts'
import * as accounts from '../tenants/accounts/queries.ts'
import * as alerts from './queries.ts'

const DAY_MS = 24 * HOUR_MS

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
      from: state ? Math.max(from, Date.now() - ALERT_OPEN_HOURS * HOUR_MS) : from,
      to,
      ...(alert_type && { alert_type }),
    },
    { limit: GATHERED_MAX, offset: 0 },
  )
  return { data: await alerts.gather(ctx.db, scope, owner, data, query), total }
}

async function unread({ params, scope, ctx }: Within<HandlerInput<'unread'>>) {
  const owner = await callsOwner(ctx, scope, params)
  const { seen_until, open_failures } = await alerts.seenAndOpen(ctx.db, scope.user_sid!, owner)
  const since = Math.max(seen_until ?? 0, Date.now() - UNREAD_DAYS * DAY_MS)
  return { unread: await ctx.stores.alerts.countSince(owner, since), open_failures }
}

async function see({ params, body, scope, ctx }: Within<HandlerInput<'see'>>) {
  const owner = await callsOwner(ctx, scope, params)
  await alerts.markSeen(ctx.db, scope.user_sid!, owner, Date.parse(body.until))
}

/** Loaded when it is first needed, and not as the server starts. */
const loadMark = async () => (await import('./matters/mark.ts')).markMatter

const handlers = { list, gathered, unread, see }

export const accountAlertRoutes: Handlers<typeof api.accountAlerts> = {
  ...handlers,

  async mark({ params, body: { alert_type, state }, ...actor }) {
    const owner = await callsOwner(actor.ctx, actor.scope, params)
    const { account_sid } = params
    await (await loadMark())(actor, owner, { account_sid, alert_type }, state)
  },
}

export const providerAlertRoutes: Handlers<typeof api.providerAlerts> = {
  ...handlers,

  async mark({ params, body: { alert_type, state, account_sid = null }, ...actor }) {
    const { scope, ctx } = actor
    const owner = await callsOwner(ctx, scope, params)
    if (account_sid) {
      const { service_provider_sid } = await accounts.owned(ctx.db, scope, account_sid)
      if (service_provider_sid !== params.service_provider_sid)
        throw invalidField('account_sid', 'No such account')
    }
    const of = { account_sid: owner.account_sid ?? account_sid, alert_type }
    await (await loadMark())(actor, owner, of, state)
  },
}

export const alertRoutes: Handlers<typeof api.alerts> = handlers
