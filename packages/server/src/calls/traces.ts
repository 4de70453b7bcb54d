import { type api, NO_TRACE, t } from '@switchroom/contract'
import type { Context } from '../http/context.ts'
import { Failure, found } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import type { Owner } from '../stores/calls.ts'
import { callOf } from './recent-calls/queries.ts'

/** The trace of a call that the caller may see, since traces have no owner. Throws `not_found`. */
export async function traceFor(ctx: Context, scope: Scope, named: Owner, trace_id: string) {
  if (trace_id === NO_TRACE) throw new Failure('not_found', t('No such trace'))
  await callOf(ctx, scope, { trace_id }, named)
  return found(await ctx.stores.traces.find(trace_id), t('trace'))
}

export const traceRoutes: Handlers<typeof api.traces> = {
  ofAccount: ({ params: { trace_id, ...named }, scope, ctx }) =>
    traceFor(ctx, scope, named, trace_id),
  ofServiceProvider: ({ params: { trace_id, ...named }, scope, ctx }) =>
    traceFor(ctx, scope, named, trace_id),
}
