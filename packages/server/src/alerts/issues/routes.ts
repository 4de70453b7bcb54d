import { type api, t } from '@switchroom/contract'
import { callsOwner } from '../../calls/recent-calls/queries.ts'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'
import * as accounts from '../../tenants/accounts/queries.ts'

/** Loaded when it is first needed, and not as the server starts. */
const loadQueries = () => import('./queries.ts')

type Input<Q extends keyof typeof api.accountIssues> = Omit<
  Parameters<Handlers<typeof api.accountIssues>[Q]>[0],
  'params' | 'scope' | 'ctx'
> & { params: Owner; scope: Scope; ctx: Context }

const handlers = {
  async list({ params, query, scope, ctx }: Input<'list'>) {
    const owner = await callsOwner(ctx, scope, params)
    return (await loadQueries()).list(ctx, scope, owner, query)
  },

  async count({ params, scope, ctx }: Input<'count'>) {
    const owner = await callsOwner(ctx, scope, params)
    return (await loadQueries()).count(ctx, scope, owner)
  },
}

export const accountIssueRoutes: Handlers<typeof api.accountIssues> = {
  ...handlers,

  async mark({ params, body, ...actor }) {
    const owner = await callsOwner(actor.ctx, actor.scope, params)
    const { mark } = await loadQueries()
    await mark(actor, owner, params.account_sid, body)
  },
}

export const providerIssueRoutes: Handlers<typeof api.providerIssues> = {
  ...handlers,

  async mark({ params, body: { account_sid = null, ...body }, ...actor }) {
    const { scope, ctx } = actor
    const owner = await callsOwner(ctx, scope, params)
    if (account_sid) {
      const { service_provider_sid } = await accounts.owned(ctx.db, scope, account_sid)
      if (service_provider_sid !== params.service_provider_sid)
        throw invalidField('account_sid', t('No such account'))
    }
    const { mark } = await loadQueries()
    // an account's inbox has the alerts of that account only
    await mark(actor, owner, owner.account_sid ?? account_sid, body)
  },
}
