import { type api, type Call, NO_TRACE, t } from '@switchroom/contract'
import type { Context } from '../http/context.ts'
import { Failure, found } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import type { Owner } from '../stores/calls/store.ts'
import { callOf } from './recent-calls/queries.ts'
import { timeOf, transcriptPolicyOf } from './words-kept.ts'

/**
 * A call in scope, and its trace as the account's policy shows it. The call decides on access, since
 * traces have no owner. Throws `not_found`.
 */
export async function callAndTrace(ctx: Context, scope: Scope, named: Owner, trace_id: string) {
  if (trace_id === NO_TRACE) throw new Failure('not_found', t('No such trace'))
  const call = await callOf(ctx, scope, { trace_id }, named)
  return { call, trace: found(await traceOf(ctx, { ...call, trace_id }), t('trace')) }
}

/** The trace of a visible call, as the account's policy shows it. Undefined if there is none. */
export async function traceOf(ctx: Context, call: Call & { trace_id: string }) {
  const trace = await ctx.stores.traces.find(call.trace_id)
  if (!trace) return undefined
  // also words from before the account's setting, and from Jaeger
  const policy = await transcriptPolicyOf(ctx.db, call.account_sid, timeOf(call))
  if (policy === 'keep') return trace
  const { traceWithoutWords } = await import('../talk/redaction.ts')
  return traceWithoutWords(trace, policy, ctx.words.key)
}

const traceFor = async (...named: Parameters<typeof callAndTrace>) =>
  (await callAndTrace(...named)).trace

export const traceRoutes: Handlers<typeof api.traces> = {
  ofAccount: ({ params: { trace_id, ...named }, scope, ctx }) =>
    traceFor(ctx, scope, named, trace_id),
  ofServiceProvider: ({ params: { trace_id, ...named }, scope, ctx }) =>
    traceFor(ctx, scope, named, trace_id),
}
