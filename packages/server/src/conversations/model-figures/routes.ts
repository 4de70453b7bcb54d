import type { api } from '@switchroom/contract'
import { callsOwner } from '../../calls/recent-calls/queries.ts'
import { spanUntilNow } from '../../calls/recent-calls/span-until-now.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { figuresOf } from './queries.ts'

type Input = Parameters<Handlers<typeof api.accountModelFigures>['figures']>[0]
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

export const accountModelRoutes: Handlers<typeof api.accountModelFigures> = { figures }
export const providerModelRoutes: Handlers<typeof api.providerModelFigures> = { figures }
