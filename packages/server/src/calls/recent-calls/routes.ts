import { type api, CALL_COLUMNS, Call, type Calls, type recentCalls, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { csv } from '../../http/csv.ts'
import { found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { callsBy, callsOwner, spanOf, startStream } from './queries.ts'
import { requirePeriod } from './span-until-now.ts'

async function* lines(batches: AsyncIterable<Call[]>) {
  for await (const batch of batches)
    yield batch.map((call) => `${JSON.stringify(Call.parse(call))}\n`).join('')
}

type HandlerInput<Q extends keyof typeof api.recentCalls> = Parameters<
  Handlers<typeof api.recentCalls>[Q]
>[0]
/** Handler input shared by the calls of an account, of a provider, and all that the caller may see. */
type ScopedInput<A> = Omit<A, 'scope' | 'ctx'> & { scope: Scope; ctx: Context; params?: Owner }

const list = async ({
  params,
  query,
  scope,
  ctx,
}: ScopedInput<HandlerInput<'list'>>): Promise<Calls> => {
  const owner = await callsOwner(ctx, scope, params)
  const { page, count } = query
  const limits = { limit: count, offset: (page - 1) * count }
  const { data, total } = await callsBy(ctx, { ...owner, ...spanOf(query) }, query).list(limits)
  return { data, total, page: String(page), page_size: String(count) }
}

async function exported({ params, query, scope, ctx }: ScopedInput<HandlerInput<'export'>>) {
  const owner = await callsOwner(ctx, scope, params)
  const batches = await startStream(callsBy(ctx, { ...owner, ...spanOf(query) }, query).each())
  return query.format === 'ndjson'
    ? lines(batches)
    : csv(query.columns ?? CALL_COLUMNS, batches, query)
}

async function figures({ params, query, scope, ctx }: ScopedInput<HandlerInput<'figures'>>) {
  const period = requirePeriod(query)
  const owner = await callsOwner(ctx, scope, params)
  return ctx.stores.calls.figures(owner, period, query.time_zone)
}

async function anomalies({ params, scope, ctx }: ScopedInput<HandlerInput<'anomalies'>>) {
  const owner = await callsOwner(ctx, scope, params)
  const { anomaliesOf } = await import('../call-anomalies/queries.ts')
  return anomaliesOf(ctx, scope, owner)
}

const shared = { list, export: exported, figures, anomalies }

export const accountRecentCallRoutes: Handlers<typeof api.accountRecentCalls> = shared

export const providerRecentCallRoutes: Handlers<typeof api.providerRecentCalls> = shared

export const recentCallRoutes: Handlers<typeof recentCalls> = {
  ...shared,

  async view({ params: { call_id }, scope, ctx }) {
    const owner = await callsOwner(ctx, scope)
    const { callById } = await import('./legs.ts')
    return found(await callById(ctx, owner, call_id), t('call'))
  },
}
