import { searchText, sipStatusesNamed, wordsIn } from '@switchroom/contract'
import { sql } from 'kysely'
import type { Context } from '../../http/context.ts'
import { containsSpelled, sidPartsOf } from '../../http/search.ts'
import { type Condition, ownedBy, visibleTo } from '../../http/tenancy.ts'
import type { CallFilter, Owner } from '../../stores/calls/store.ts'
import { callOfLeg, callTraced, isCallId } from './legs.ts'

type Ways = Pick<Context, 'db' | 'stores'>

/** What a text that is in no number may be, as filters that may leave calls. Those that ask the least come first. */
export async function* otherWays(
  ctx: Ways,
  filter: CallFilter,
  typed: string,
): AsyncGenerator<CallFilter> {
  const { numbers, text: _, id, ...rest } = filter
  if (numbers) return
  const owner = ownerOf(filter)
  if (isCallId(typed)) {
    const call = (await callTraced(ctx, owner, typed)) ?? (await callOfLeg(ctx, owner, typed))
    const text = call?.call_sid ?? call?.sip_callid
    if (text) yield { ...filter, text }
  }
  if (mayBeginId(typed)) {
    const call = await callBeginning(ctx, rest, typed)
    const text = call?.call_sid ?? call?.sip_callid
    if (text) yield { ...filter, text }
  }
  if (id !== undefined) return
  // what is chosen already stays so
  for await (const named of namedFilters(ctx, owner, typed))
    if (Object.keys(named).every((name) => rest[name as keyof typeof rest] === undefined))
      yield { ...rest, ...named }
}

const ownerOf = ({ account_sid, service_provider_sid }: Owner): Owner =>
  account_sid ? { account_sid } : service_provider_sid ? { service_provider_sid } : {}

const MIXED = /^(?=.*\d)(?=.*[a-z])[\da-z][\w.@-]{3,}$/i
/** Whether this may be the beginning of an id, or one as lists show it. */
export const mayBeginId = (typed: string) =>
  searchText(typed).sid === undefined && (MIXED.test(typed) || sidPartsOf(typed) !== undefined)

/** The newest calls of a list, among whose ids a beginning is looked for: no store has an index of them. */
const MAX_NEWEST = 500

/** The newest call of which an id begins so. */
export async function callBeginning({ stores }: Ways, filter: CallFilter, typed: string) {
  const { start, end = '' } = sidPartsOf(typed) ?? { start: typed.toLowerCase() }
  const { data } = await stores.calls.list(filter, { limit: MAX_NEWEST, offset: 0 })
  return data.find(({ call_sid, sip_callid, trace_id }) =>
    [call_sid, sip_callid, trace_id].some((id) => {
      const lower = id?.toLowerCase()
      return lower?.startsWith(start) && lower.endsWith(end)
    }),
  )
}

/** The most things of a kind whose calls are looked for. */
const MAX_NAMED = 3

/** Carriers, applications and accounts with this name, and statuses. */
async function* namedFilters(
  { db }: Ways,
  owner: Owner,
  typed: string,
): AsyncGenerator<
  Partial<Pick<CallFilter, 'trunk' | 'application_sid' | 'account_sid' | 'sip_status'>>
> {
  const isAnybodys = !owner.account_sid && !owner.service_provider_sid
  const all: Condition = sql`1 = 1`
  const named = async (
    table: 'voip_carriers' | 'applications' | 'accounts',
    column: 'name' | 'application_sid' | 'account_sid',
    whose: Condition,
  ) => {
    const words = wordsIn(typed).map((word) => containsSpelled(db, `${table}.name`, word))
    if (words.length === 0) return []
    const { rows } = await sql<{ found: string }>`select distinct ${sql.ref(column)} as found, name
      from ${sql.table(table)} where ${whose} and ${sql.join(words, sql` and `)}
      order by name limit ${MAX_NAMED}`.execute(db)
    return rows.map(({ found }) => found)
  }
  const carriers = isAnybodys ? all : visibleTo('voip_carriers', owner)
  const ofProvider = isAnybodys || owner.account_sid ? carriers : ownedBy('voip_carriers', owner)
  for (const trunk of await named('voip_carriers', 'name', ofProvider)) yield { trunk }
  const applications = isAnybodys ? all : ownedBy('applications', owner)
  for (const application_sid of await named('applications', 'application_sid', applications))
    yield { application_sid }
  const accounts = isAnybodys ? all : ownedBy('accounts', owner)
  for (const account_sid of await named('accounts', 'account_sid', accounts)) yield { account_sid }
  for (const sip_status of sipStatusesNamed(typed).slice(0, MAX_NAMED)) yield { sip_status }
}
