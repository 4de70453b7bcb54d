import { type api, NO_TRACE, t } from '@switchroom/contract'
import type { Context } from '../http/context.ts'
import { Failure, found } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import type { Owner } from '../stores/calls/store.ts'
import { callOf } from './recent-calls/queries.ts'
import { timeOf, wordsOf } from './words-kept.ts'

/**
 * A call that the caller may see, and its trace, since traces have no owner, with the words that the call's account wants to
 * be shown. Throws `not_found`.
 */
export async function callAndTrace(ctx: Context, scope: Scope, named: Owner, trace_id: string) {
  if (trace_id === NO_TRACE) throw new Failure('not_found', t('No such trace'))
  const call = await callOf(ctx, scope, { trace_id }, named)
  const trace = found(await ctx.stores.traces.find(trace_id), t('trace'))
  // also what came before the account wanted that, and what Jaeger has
  const words = await wordsOf(ctx.db, call.account_sid, timeOf(call))
  if (words === 'keep') return { call, trace }
  const { traceWithoutWords } = await import('../talk/redaction.ts')
  return { call, trace: traceWithoutWords(trace, words, ctx.words.key) }
}

const traceFor = async (...named: Parameters<typeof callAndTrace>) =>
  (await callAndTrace(...named)).trace

export const traceRoutes: Handlers<typeof api.traces> = {
  ofAccount: ({ params: { trace_id, ...named }, scope, ctx }) =>
    traceFor(ctx, scope, named, trace_id),
  ofServiceProvider: ({ params: { trace_id, ...named }, scope, ctx }) =>
    traceFor(ctx, scope, named, trace_id),
}
