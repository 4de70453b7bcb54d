import {
  type api,
  CALL_COLUMNS,
  Call,
  type CallFilters,
  type Calls,
  type recentCalls,
  searchText,
} from '@switchroom/contract'
import type { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { csv } from '../../http/csv.ts'
import { Failure, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { CallFilter, Owner } from '../../stores/calls.ts'
import { callOf, callsOwner, spanOf } from './queries.ts'

const filterOf = (owner: Owner, query: z.output<typeof CallFilters>): CallFilter => ({
  ...owner,
  ...spanOf(query),
  ...(query.direction && { direction: query.direction }),
  ...(query.answered !== undefined && { answered: query.answered }),
  ...(query.trunk && { trunk: query.trunk }),
  ...(query.application_sid && { application_sid: query.application_sid }),
  ...(query.sip_status !== undefined && { sip_status: query.sip_status }),
  ...(query.filter && textOf(query.filter)),
})

/** Numbers are found by their digits, calls by their ids as typed. */
function textOf(typed: string): Pick<CallFilter, 'text' | 'id'> {
  const { text, digits } = searchText(typed)
  return digits ? { text: digits, id: text } : { text }
}

/** Reads the first batch, so that an unavailable store fails the request instead of cutting the file off. */
async function begun(calls: AsyncIterable<Call>): Promise<AsyncIterable<Call[]>> {
  const iterator = calls[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      let batch: Call[] = []
      for (let next = first; !next.done; next = await iterator.next()) {
        batch.push(next.value)
        if (batch.length < BATCH) continue
        yield batch
        batch = []
      }
      yield batch
    } finally {
      await iterator.return?.()
    }
  })()
}
const BATCH = 500

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
  const filter = filterOf(await callsOwner(ctx, scope, params), query)
  const { page, count } = query
  const limits = { limit: count, offset: (page - 1) * count }
  const { data, total } = await ctx.stores.calls.list(filter, limits)
  return { data, total, page: String(page), page_size: String(count) }
}

async function exported({ params, query, scope, ctx }: Within<HandlerInput<'export'>>) {
  const filter = filterOf(await callsOwner(ctx, scope, params), query)
  const batches = await begun(ctx.stores.calls.each(filter))
  return query.format === 'ndjson' ? lines(batches) : csv(query.columns ?? CALL_COLUMNS, batches)
}

async function figures({ params, query, scope, ctx }: Within<HandlerInput<'figures'>>) {
  if (query.days === undefined && query.start === undefined)
    throw invalidField('days', 'Enter days or start')
  return ctx.stores.calls.figures(await callsOwner(ctx, scope, params), spanOf(query))
}

export const accountRecentCallRoutes: Handlers<typeof api.accountRecentCalls> = {
  list,
  export: exported,
  figures,
}

export const providerRecentCallRoutes: Handlers<typeof api.providerRecentCalls> = {
  list,
  export: exported,
  figures,
}

export const recentCallRoutes: Handlers<typeof recentCalls> = {
  list,
  export: exported,
  figures,

  async view({ params: { call_id }, scope, ctx }) {
    try {
      return await callOf(ctx, scope, { call_sid: call_id })
    } catch (e) {
      if (!(e instanceof Failure && e.code === 'not_found')) throw e
      return callOf(ctx, scope, { sip_callid: call_id })
    }
  },
}
