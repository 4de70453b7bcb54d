import { type api, type Call, NO_TRACE, t } from '@switchroom/contract'
import type { Context } from '../http/context.ts'
import { Failure, found } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import type { Owner } from '../stores/calls.ts'
import { callOf } from './recent-calls/queries.ts'
import { timeOf, wordsOf } from './transcript-settings/queries.ts'

/**
 * A call that the caller may see, and its trace, since traces have no owner, with the words that the call's account wants to
 * be shown. Throws `not_found`.
 */
export async function callAndTrace(ctx: Context, scope: Scope, named: Owner, trace_id: string) {
  if (trace_id === NO_TRACE) throw new Failure('not_found', t('No such trace'))
  const call = await callOf(ctx, scope, { trace_id }, named)
  return { call, trace: found(await traceOf(ctx, { ...call, trace_id }), t('trace')) }
}

/** The trace of a call that the caller may see, as the call's account wants it to be shown. */
export async function traceOf(ctx: Context, call: Call & { trace_id: string }) {
  const trace = await ctx.stores.traces.find(call.trace_id)
  if (!trace) return undefined
  // also what came before the account wanted that, and what Jaeger has
  const words = await wordsOf(ctx.db, call.account_sid, timeOf(call))
  if (words === 'keep') return trace
  const { traceWithoutWords } = await import('../conversations/redaction.ts')
  return traceWithoutWords(trace, words, ctx.words.key)
}

const traceFor = async (...named: Parameters<typeof callAndTrace>) =>
  (await callAndTrace(...named)).trace

export const traceRoutes: Handlers<typeof api.traces> = {
  ofAccount: ({ params: { trace_id, ...named }, scope, ctx }) =>
    traceFor(ctx, scope, named, trace_id),
  ofServiceProvider: ({ params: { trace_id, ...named }, scope, ctx }) =>
    traceFor(ctx, scope, named, trace_id),
}
