import { type api, CALL_COLUMNS, Call, type Calls, type recentCalls, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { csv } from '../../http/csv.ts'
import { found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { begun, callsBy, callsOwner, spanOf } from './queries.ts'

async function* lines(batches: AsyncIterable<Call[]>) {
  for await (const batch of batches)
    yield batch.map((call) => `${JSON.stringify(Call.parse(call))}\n`).join('')
}

type HandlerInput<Q extends keyof typeof api.recentCalls> = Parameters<
  Handlers<typeof api.recentCalls>[Q]
>[0]
type Within<A> = Omit<A, 'scope' | 'ctx'> & { scope: Scope; ctx: Context; params?: Owner }

const list = async ({
  params,
  query,
  scope,
  ctx,
}: Within<HandlerInput<'list'>>): Promise<Calls> => {
  const owner = await callsOwner(ctx, scope, params)
  const { page, count } = query
  const limits = { limit: count, offset: (page - 1) * count }
  const { data, total } = await callsBy(ctx, { ...owner, ...spanOf(query) }, query).list(limits)
  return { data, total, page: String(page), page_size: String(count) }
}

async function exported({ params, query, scope, ctx }: Within<HandlerInput<'export'>>) {
  const owner = await callsOwner(ctx, scope, params)
  const batches = await begun(callsBy(ctx, { ...owner, ...spanOf(query) }, query).each())
  return query.format === 'ndjson'
    ? lines(batches)
    : csv(query.columns ?? CALL_COLUMNS, batches, query)
}

async function figures({ params, query, scope, ctx }: Within<HandlerInput<'figures'>>) {
  if (query.days === undefined && query.start === undefined)
    throw invalidField('days', t('Enter days or start'))
  const owner = await callsOwner(ctx, scope, params)
  return ctx.stores.calls.figures(owner, spanOf(query), query.time_zone)
}

async function anomalies({ params, scope, ctx }: Within<HandlerInput<'anomalies'>>) {
  const owner = await callsOwner(ctx, scope, params)
  const { anomaliesOf } = await import('../call-anomalies/queries.ts')
  return anomaliesOf(ctx, scope, owner)
}

export const accountRecentCallRoutes: Handlers<typeof api.accountRecentCalls> = {
  list,
  export: exported,
  figures,
  anomalies,
}

export const providerRecentCallRoutes: Handlers<typeof api.providerRecentCalls> = {
  list,
  export: exported,
  figures,
  anomalies,
}

export const recentCallRoutes: Handlers<typeof recentCalls> = {
  list,
  export: exported,
  figures,
  anomalies,

  async view({ params: { call_id }, scope, ctx }) {
    const owner = await callsOwner(ctx, scope)
    const { callById } = await import('./legs.ts')
    return found(await callById(ctx, owner, call_id), t('call'))
  },
}
