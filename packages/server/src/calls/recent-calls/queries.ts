import {
  type Call,
  type CallFilters,
  type CallSpan,
  END_BEFORE_START,
  isTimedMeasure,
  lastDaysFrom,
  numbersIn,
  searchText,
  t,
} from '@switchroom/contract'
import type { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { CallFilter, CallStore, Owner, Page, Span } from '../../stores/calls/store.ts'
import type { Counted, VoiceFilter } from '../../stores/voice/store.ts'
import { keyOf } from '../../talk/counts.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'

/**
 * The owner of the records that a path names, within the caller's scope. Without a name: all that the
 * caller may see. Throws 404 for an account or provider that the caller cannot see.
 */
export async function callsOwner(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  named: Owner = {},
): Promise<Owner> {
  if (named.account_sid)
    found(await accounts.findVisible(db, scope, named.account_sid), t('account'))
  if (named.service_provider_sid)
    found(await serviceProviders.find(db, scope, named.service_provider_sid), t('service provider'))
  // account users never see more than their account
  const account_sid = scope.role === 'account' ? scope.account_sid : named.account_sid
  if (account_sid) return { account_sid }
  const { service_provider_sid } = scope.role === 'service_provider' ? scope : named
  return service_provider_sid ? { service_provider_sid } : {}
}

/**
 * Finds a call the caller may see. All access to its trace, capture, recording and logs goes through here,
 * since none of those has an owner. `named`: the account or provider in the path. Throws 404.
 */
export async function callOf(
  ctx: Pick<Context, 'db' | 'stores'>,
  scope: Scope,
  by: Parameters<CallStore['find']>[1],
  named: Owner = {},
): Promise<Call> {
  return found(await ctx.stores.calls.find(await callsOwner(ctx, scope, named), by), t('call'))
}

/** Later than any record. */
const EVER = 8.64e15

/** The time span of a query, both ends included. Throws 400 when they are reversed. */
export function spanOf({ days, start, end }: z.output<typeof CallSpan>): Span {
  // records may come from a clock that is slightly ahead
  if (days !== undefined) return { from: lastDaysFrom(days, Date.now()), to: EVER }
  if (start !== undefined && end !== undefined && end < start)
    throw invalidField('end', END_BEFORE_START)
  return { from: start ?? 0, to: end === undefined ? EVER : end + 1 }
}

type FilterInput = Omit<z.output<typeof CallFilters>, keyof typeof CallSpan.shape>

/** The filters of a list, without its time. */
const filterOf = (query: FilterInput): Omit<CallFilter, keyof Owner | keyof Span> => ({
  ...(query.direction && { direction: query.direction }),
  ...(query.answered !== undefined && { answered: query.answered }),
  ...(query.trunk && { trunk: query.trunk }),
  ...(query.application_sid && { application_sid: query.application_sid }),
  ...(query.sip_status !== undefined && { sip_status: query.sip_status }),
  ...(query.prefix !== undefined && { prefix: query.prefix }),
  ...(query.missing && { missing: query.missing }),
  ...(query.filter && textOf(query.filter)),
})

const COUNTED_WITHOUT = {
  all: 'calls',
  recognizer: 'turns',
  voice: 'prompts',
  vendor: 'requests',
  version: 'calls',
} as const

/** The conversation figure that calls are filtered by; undefined if the filters name none. */
function countedOf({ voice, voice_of, at_least }: FilterInput): Counted | undefined {
  if (voice === undefined && voice_of === undefined && at_least === undefined) return undefined
  const by = voice_of?.part ?? 'all'
  const measure = voice ?? (at_least === undefined ? COUNTED_WITHOUT[by] : 'response')
  return {
    by,
    key: voice_of ? keyOf(...voice_of.names) : '',
    measure,
    ...(isTimedMeasure(measure) && at_least !== undefined && { at_least }),
  }
}

/** The calls that a list's filters leave, from where they are kept. Throws 400 if that is nowhere. */
export function callsBy(
  ctx: Pick<Context, 'db' | 'stores'>,
  within: Owner & Span,
  query: FilterInput,
): { list: (page: Page) => ReturnType<CallStore['list']>; each: () => AsyncIterable<Call> } {
  if (query.score !== undefined) return byScore(ctx, within, query)
  if (query.tokens_at_least !== undefined || query.cost_at_least !== undefined)
    return byModelUse(ctx, within, query)
  const { db, stores } = ctx
  const { voice } = stores
  const filter = { ...within, ...filterOf(query) }
  const counted = countedOf(query)
  const { said: wanted } = query
  if (!counted && !wanted) return withOtherWays(ctx, filter, query.filter)
  if (!voice)
    throw counted
      ? invalidField('voice', t('The trace store does not support counting conversations'))
      : invalidField('said', t('The trace store does not support searching for words'))
  const whole = async (): Promise<VoiceFilter> => {
    const byCount = { ...filter, ...(counted && { counted }) }
    if (!wanted) return byCount
    const { wordSearchFor } = await import('./word-search.ts')
    return { ...byCount, said: await wordSearchFor(db, within, wanted) }
  }
  return {
    list: async (page) => voice.list(await whole(), page),
    async *each() {
      yield* voice.each(await whole())
    },
  }
}

/** Calls by their scores. Throws 400, when it is read, for a filter that they cannot have beside it. */
function byScore(
  ctx: Pick<Context, 'db' | 'stores'>,
  within: Owner & Span,
  { score, application_sid, voice_of, ...others }: FilterInput,
): ReturnType<typeof callsBy> {
  const whole = async () => {
    // late, as few look for calls so
    const { refuseBeside, scoredCalls, versionIn } = await import('./scored.ts')
    refuseBeside(others)
    return scoredCalls(ctx, within, {
      score: score!,
      application_sid,
      version: versionIn(voice_of),
    })
  }
  return {
    list: async (page) => (await whole()).list(page),
    async *each() {
      yield* (await whole()).each()
    },
  }
}

/** Calls by what their model sessions used. Throws 400 as `byScore` does. */
function byModelUse(
  ctx: Pick<Context, 'db' | 'stores'>,
  within: Owner & Span,
  query: FilterInput,
): ReturnType<typeof callsBy> {
  const whole = async () => {
    // late, as few look for calls so
    const { callsByUse } = await import('../model-use/listed.ts')
    return callsByUse(ctx, within, query)
  }
  return {
    list: async (page) => (await whole()).list(page),
    async *each() {
      yield* (await whole()).each()
    },
  }
}

// late, as few look for calls so
const loadOthers = () => import('./other-ways.ts')

/** Calls by a filter; if there are none, by other readings of its text: the id of a leg or trace, or a name. */
function withOtherWays(
  ctx: Pick<Context, 'db' | 'stores'>,
  filter: CallFilter,
  typed: string | undefined,
): ReturnType<typeof callsBy> {
  const { calls } = ctx.stores
  async function* others() {
    if (typed) yield* (await loadOthers()).otherWays(ctx, filter, typed)
  }
  return {
    async list(page) {
      const listed = await calls.list(filter, page)
      if (listed.total > 0) return listed
      for await (const other of others()) {
        const found = await calls.list(other, page)
        if (found.total > 0) return found
      }
      return listed
    },
    async *each() {
      let isEmpty = true
      for await (const call of calls.each(filter)) {
        isEmpty = false
        yield call
      }
      if (!isEmpty) return
      for await (const other of others()) {
        for await (const call of calls.each(other)) {
          isEmpty = false
          yield call
        }
        if (!isEmpty) return
      }
    },
  }
}

/** Numbers are found by their digits, calls by their ids as typed. */
function textOf(typed: string): Pick<CallFilter, 'text' | 'id' | 'numbers'> {
  const numbers = numbersIn(typed)
  if (numbers) return { numbers }
  const { text, digits } = searchText(typed)
  return digits ? { text: digits, id: text } : { text }
}

/** Reads the first batch, so that an unavailable store fails the request instead of cutting the file off. */
export async function startStream(calls: AsyncIterable<Call>): Promise<AsyncIterable<Call[]>> {
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
