import { type Call, searchText } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { MAX_DEPTH, MAX_LEGS, type Wanted } from '../../stores/sip/store.ts'

/** The platform's; of a call without a trace they are zeros. */
const TRACE_ID = /^(?!0+$)[\da-f]{32}$/i

type Stores = Pick<Context, 'stores'>

/** As phones and border controllers make them: no words, and not short. */
const CALL_ID = /^(?=.*[\d@])\S{12,}$/
export const isCallId = (text: string) =>
  CALL_ID.test(text) && searchText(text).digits === undefined

/** The owner's call that a leg without a record belongs to: that of the nearest leg that it was made for. */
export async function callOfLeg(
  ctx: Stores,
  owner: Owner,
  call_id: string,
): Promise<Call | undefined> {
  // a leg with a record is its owner's, whatever a message claims that it was made for
  const own = await ctx.stores.calls.find({}, { sip_callid: call_id })
  return own ? undefined : callerOf(ctx, owner, call_id)
}

async function callerOf(
  { stores: { calls, captures } }: Stores,
  owner: Owner,
  call_id: string,
): Promise<Call | undefined> {
  try {
    for (const sip_callid of await captures.parentsOf(call_id)) {
      const call = await calls.find(owner, { sip_callid })
      if (call) return call
    }
  } catch (e) {
    // the record is not found, whatever its capture would tell
    if (!(e instanceof StoreUnavailable)) throw e
  }
  return undefined
}

/** The call of an owner with this Call-ID, or that a leg with it belongs to. */
export const callWith = async (ctx: Stores, owner: Owner, sip_callid: string) =>
  (await ctx.stores.calls.find(owner, { sip_callid })) ?? (await callOfLeg(ctx, owner, sip_callid))

/** The owner's call whose trace has this id. */
export const callTraced = async ({ stores }: Stores, owner: Owner, id: string) =>
  TRACE_ID.test(id) ? stores.calls.find(owner, { trace_id: id.toLowerCase() }) : undefined

/** The call of an owner by any of its ids. */
export const callById = async (ctx: Stores, owner: Owner, id: string) =>
  (await ctx.stores.calls.find(owner, { call_sid: searchText(id).sid ?? id })) ??
  (await callTraced(ctx, owner, id)) ??
  (await callWith(ctx, owner, id))

/** The calls of an owner that a call was made for, the nearest first. */
export async function callersOf(ctx: Stores, owner: Owner, call: Call): Promise<Call[]> {
  const found = [call]
  while (found.length <= MAX_DEPTH) {
    const { sip_callid, sip_parent_callid } = found.at(-1)!
    const parent =
      (sip_parent_callid && (await callWith(ctx, owner, sip_parent_callid))) ||
      (sip_callid && (await callerOf(ctx, owner, sip_callid)))
    if (!parent || found.some((c) => c.sip_callid === parent.sip_callid)) break
    found.push(parent)
  }
  return found.slice(1)
}

/** The most records of a call's time that are looked through for those made for it. */
const MAX_READ = 500

/**
 * Adds to Call-IDs those of an owner's records that were made for one of them, or for a leg of theirs that was captured.
 */
export async function withMadeFor(
  { stores: { calls, captures } }: Stores,
  owner: Owner,
  wanted: Wanted,
): Promise<Wanted> {
  const span = { from: wanted.from, to: wanted.to + 1 }
  const { data } = await calls.list({ ...owner, ...span }, { limit: MAX_READ, offset: 0 })
  const made = data.filter((call) => call.sip_callid && call.sip_parent_callid)
  const known = new Set([wanted.call_id, ...(wanted.also ?? [])])
  const grow = (legs: ReadonlySet<string>) => {
    for (let size = -1; size < known.size && known.size < MAX_LEGS; ) {
      size = known.size
      for (const { sip_callid, sip_parent_callid: parent } of made)
        if (legs.has(parent!) || known.has(parent!)) known.add(sip_callid!)
    }
    return { ...wanted, also: [...known].slice(1, MAX_LEGS) }
  }
  const grown = grow(known)
  if (made.every((call) => known.has(call.sip_callid!))) return grown
  const { messages } = await captures.find(grown)
  return grow(new Set(messages.map(({ call_id }) => call_id)))
}

/** How long before a call's time a call of somebody else may have begun. */
const LONGEST_MS = 86_400_000

/**
 * Legs of a capture that have a record, but none of this owner: messages with the Call-ID of somebody else's call may
 * claim that it was made for this one.
 */
export async function foreignLegs(
  { stores: { calls } }: Stores,
  owner: Owner,
  { call_id, also = [], from, to }: Wanted,
  legs: readonly string[],
): Promise<string[]> {
  if (!owner.account_sid && !owner.service_provider_sid) return []
  const known = new Set([call_id, ...also])
  const span = { from: from - LONGEST_MS, to: to + 1 }
  const has = async (whose: Owner, id: string) => {
    const { data } = await calls.list({ ...whose, ...span, text: id }, { limit: 1, offset: 0 })
    return data.some(({ sip_callid }) => sip_callid === id)
  }
  const foreign: string[] = []
  for (const id of new Set(legs))
    if (!known.has(id) && !(await has(owner, id)) && (await has({}, id))) foreign.push(id)
  return foreign
}
