import type { api } from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import type { Context } from '../context.ts'
import { transaction } from '../db/transaction.ts'
import { found } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as limits from './queries.ts'

type Asked<O> = { params: O; scope: Scope; ctx: Context }

async function ofAccount({ params, scope, ctx }: Asked<{ account_sid: string }>) {
  found(await accounts.isVisible(ctx.db, scope, params.account_sid), 'account')
  return params
}

async function ofProvider({ params, scope, ctx }: Asked<{ service_provider_sid: string }>) {
  const { service_provider_sid } = params
  found(await serviceProviders.find(ctx.db, scope, service_provider_sid), 'service provider')
  return params
}

type Change = { category: limits.Category; quantity: number }

const set = async (ctx: Context, owner: limits.Owner, { category, quantity }: Change) => ({
  sid: await transaction(ctx.db, (tx) => limits.set(tx, owner, category, quantity), {
    lock: limits.lockOf(owner),
  }),
})

export const limitRoutes: Handlers<typeof api.limits> = {
  ofAccount: async (r) => limits.list(r.ctx.db, await ofAccount(r), r.query.category),
  setForAccount: async (r) => set(r.ctx, await ofAccount(r), r.body),
  removeFromAccount: async (r) => limits.remove(r.ctx.db, await ofAccount(r), r.query.category),
  ofServiceProvider: async (r) =>
    (await limits.list(r.ctx.db, await ofProvider(r), r.query.category)) as never,
  setForServiceProvider: async (r) => set(r.ctx, await ofProvider(r), r.body),
  removeFromServiceProvider: async (r) =>
    limits.remove(r.ctx.db, await ofProvider(r), r.query.category),
}
