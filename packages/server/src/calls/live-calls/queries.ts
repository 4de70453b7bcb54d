import { createHash } from 'node:crypto'
import {
  type AccountLoad,
  type LiveCall,
  type LiveCalls,
  type LiveQuery,
  LOADS,
  type PlatformCall,
  type ProviderLoad,
  searchText,
} from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { ActiveCall, CallRecord, PlatformState } from '../../live/state.ts'
import * as limits from '../../tenants/limits/queries.ts'

type Whose = Pick<LiveQuery, 'account_sid' | 'service_provider_sid'>

/** Names of those accounts that the caller may see and asked for. Others are missing. */
export async function accountNames(db: Db, scope: Scope, sids: Iterable<string>, whose: Whose) {
  const names = new Map<string, string>()
  const wanted = [...new Set(sids)].filter(
    (sid) => whose.account_sid === undefined || sid === whose.account_sid,
  )
  for (let i = 0; i < wanted.length; i += 500) {
    let query = db
      .selectFrom('accounts')
      .select(['account_sid', 'name'])
      .where('account_sid', 'in', wanted.slice(i, i + 500))
      .where(ownedBy('accounts', scope))
    if (whose.service_provider_sid)
      query = query.where(ownedBy('accounts', { service_provider_sid: whose.service_provider_sid }))
    for (const a of await query.execute()) names.set(a.account_sid, a.name)
  }
  return names
}

type Texts = (string | null | undefined)[]

/** True if any of the texts contains the typed filter, or any of the numbers its digits. */
export function matching(filter: string | undefined, texts: Texts, numbers: Texts = []) {
  if (!filter) return true
  const { text, digits } = searchText(filter)
  const has = (part: string) => (t: Texts[number]) => t?.toLowerCase().includes(part.toLowerCase())
  return [...texts, ...numbers].some(has(text)) || (!!digits && numbers.some(has(digits)))
}

/** A page of the items, with a version that changes whenever any of them does. */
export const pageOf = <T>(found: T[], { page = 1, page_size }: LiveQuery) => ({
  data: found.slice((page - 1) * page_size, page * page_size),
  total: found.length,
  page,
  page_size,
})

/** Adds a version; undefined when the caller has already seen it. */
export function unlessSeen<T extends object>(answer: T, seen: string | undefined) {
  const version = createHash('sha256').update(JSON.stringify(answer)).digest('base64url')
  return version === seen ? undefined : { ...answer, version, now: new Date().toISOString() }
}

async function applicationNames(db: Db, scope: Scope, sids: (string | undefined)[]) {
  const wanted = [...new Set(sids)].filter((sid) => sid !== undefined)
  if (wanted.length === 0) return new Map<string, string>()
  const rows = await db
    .selectFrom('applications')
    .select(['application_sid', 'name'])
    .where('application_sid', 'in', wanted)
    .where(ownedBy('applications', scope))
    .execute()
  return new Map(rows.map((r) => [r.application_sid, r.name]))
}

/** Used call capacity of the busiest accounts and the requested one. */
async function loads(
  { db, state }: Pick<Context, 'db' | 'state'>,
  names: Map<string, string>,
  calls: ActiveCall[],
): Promise<AccountLoad[]> {
  const counts = new Map([...names.keys()].map((sid) => [sid, 0]))
  for (const c of calls) counts.set(c.account_sid, (counts.get(c.account_sid) ?? 0) + 1)
  const busiest = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0], 'en'))
  const shown = busiest.slice(0, LOADS).map(([sid]) => sid)
  if (shown.length === 0) return []
  const [counted, rows] = await Promise.all([
    state.callCounts(shown),
    db
      .selectFrom('account_limits')
      .select(['account_sid', 'quantity'])
      .where('account_sid', 'in', shown)
      .where('category', '=', 'voice_call_session')
      .execute(),
  ])
  const limits = new Map(rows.map((r) => [r.account_sid, r.quantity]))
  return shown.map((account_sid, i) => ({
    account_sid,
    name: names.get(account_sid) ?? account_sid,
    calls: counts.get(account_sid) ?? 0,
    inbound: counted[i]?.inbound ?? null,
    outbound: counted[i]?.outbound ?? null,
    limit: limits.get(account_sid) ?? null,
  }))
}

/**
 * Used capacity of the provider that owns all of these calls; null for an account's or several providers'
 * calls.
 */
async function providerLoad(
  db: Db,
  scope: Scope,
  { account_sid, service_provider_sid }: Whose,
  calls: number,
): Promise<ProviderLoad | null> {
  if (scope.role === 'account' || account_sid !== undefined) return null
  const named = scope.role === 'service_provider' ? scope.service_provider_sid : undefined
  const sid = named ?? service_provider_sid
  if (sid === undefined || (service_provider_sid !== undefined && service_provider_sid !== sid))
    return null
  const [limit] = await limits.list(db, { service_provider_sid: sid }, 'voice_call_session')
  return { calls, limit: limit?.quantity ?? null }
}

/** Active calls, newest first; undefined when the caller has already seen this version. */
export async function list(
  ctx: Pick<Context, 'db' | 'state'>,
  scope: Scope,
  query: LiveQuery,
): Promise<LiveCalls | undefined> {
  const { items, complete } = await ctx.state.activeCalls()
  const own = scope.role === 'account' ? scope.account_sid : query.account_sid
  const accountSids = [...items.map((c) => c.account_sid), ...(own ? [own] : [])]
  const names = await accountNames(ctx.db, scope, accountSids, query)
  const visible = items.filter((c) => names.has(c.account_sid))
  const found = visible.filter(({ record: c, call_sid, account_sid }) =>
    matching(
      query.filter,
      [c.originatingSipTrunkName, c.callStatus, call_sid, names.get(account_sid)],
      [c.from, c.to],
    ),
  )
  const page = pageOf(found, query)
  const applications = await applicationNames(
    ctx.db,
    scope,
    page.data.map((c) => c.record.applicationSid),
  )
  const applicationOf = (sid = '') => {
    const name = applications.get(sid)
    return name === undefined
      ? { application_sid: null, application_name: null }
      : { application_sid: sid, application_name: name }
  }
  const data = page.data.map(
    ({ record: c, ...call }): LiveCall => ({
      ...applicationOf(c.applicationSid),
      call_sid: call.call_sid,
      account_sid: call.account_sid,
      account_name: names.get(call.account_sid) ?? call.account_sid,
      from: c.from ?? null,
      to: c.to ?? null,
      direction: c.direction ?? null,
      call_status: c.callStatus ?? '',
      carrier: c.originatingSipTrunkName ?? null,
      started_at: new Date(call.since).toISOString(),
    }),
  )
  const accounts = await loads(ctx, names, visible)
  const provider = await providerLoad(ctx.db, scope, query, visible.length)
  return unlessSeen({ ...page, data, complete, accounts, provider }, query.seen)
}

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
const NUMBERS = ['duration', 'sip_status']

/** A call in the format of the platform's API. */
export const readable = (record: CallRecord): PlatformCall =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const key = snake(name)
      return [key, NUMBERS.includes(key) ? Number(value) : value]
    }),
  )

type Wanted = {
  direction?: string | undefined
  from?: string | undefined
  to?: string | undefined
  callStatus?: string | undefined
}

/** Calls of one account. Check first that the caller may see it. */
export async function ofAccount(state: PlatformState, account_sid: string, wanted: Wanted) {
  const calls = await state.calls(account_sid)
  const conditions = Object.entries(wanted).filter(([, v]) => v !== undefined && v !== '')
  return calls.filter((c) => conditions.every(([name, value]) => c[name] === value)).map(readable)
}
