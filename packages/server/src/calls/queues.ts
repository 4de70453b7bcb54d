import { type api, type QueueOrConference, t } from '@switchroom/contract'
import type { Context } from '../http/context.ts'
import { found } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as accounts from '../tenants/accounts/queries.ts'
import { accountNames, matching, pageOf, unlessSeen } from './live-calls/queries.ts'

type HandlerInput = { params: { account_sid: string }; scope: Scope; ctx: Context }

/** Admins get an empty list for an unknown account, as on the platform. */
async function visibleAccount({ params, scope, ctx }: HandlerInput) {
  if (scope.role === 'admin') return params.account_sid
  found(await accounts.findVisible(ctx.db, scope, params.account_sid), t('account'))
  return params.account_sid
}

export const queueRoutes: Handlers<typeof api.queues> = {
  async list({ query, scope, ctx }) {
    const { items, complete } = await ctx.state.queuesAndConferences()
    const sids = items.map((g) => g.account_sid)
    const names = await accountNames(ctx.db, scope, sids, query)
    const all = items.flatMap((g): QueueOrConference[] => {
      const account_name = names.get(g.account_sid)
      return account_name !== undefined && matching(query.filter, [g.name, account_name])
        ? [{ ...g, account_name }]
        : []
    })
    return unlessSeen({ ...pageOf(all, query), complete }, query.seen)
  },

  async ofAccount(input) {
    const queues = await input.ctx.state.queues(await visibleAccount(input), input.query.search)
    return queues.map(({ name, length }) => ({ name, length }))
  },

  async conferencesOfAccount(input) {
    const conferences = await input.ctx.state.conferences(await visibleAccount(input))
    return conferences.map((c) => c.name)
  },
}
