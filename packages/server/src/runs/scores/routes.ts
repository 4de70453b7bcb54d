import { type api, t } from '@switchroom/contract'
import { callsOwner } from '../../calls/recent-calls/queries.ts'
import { spanUntilNow } from '../../calls/recent-calls/span-until-now.ts'
import type { Context } from '../../http/context.ts'
import { found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { figuresOf } from './figures.ts'
import * as scores from './queries.ts'

type Input = Parameters<Handlers<typeof api.accountScores>['figures']>[0]
type Within = Omit<Input, 'scope' | 'ctx' | 'params'> & {
  scope: Scope
  ctx: Context
  params: Owner
}

async function figures({ params, query, scope, ctx }: Within) {
  const { application_sid, time_zone } = query
  const owner = await callsOwner(ctx, scope, params)
  return figuresOf(ctx.db, { owner, span: spanUntilNow(query), application_sid }, time_zone)
}

export const accountScoreRoutes: Handlers<typeof api.accountScores> = {
  figures,
  async view({ params: { account_sid, call_sid }, scope, ctx: { db } }) {
    found(await accounts.findVisible(db, scope, account_sid), t('account'))
    return { score: (await scores.view(db, { account_sid, call_sid })) ?? null }
  },
}
export const providerScoreRoutes: Handlers<typeof api.providerScores> = { figures }
