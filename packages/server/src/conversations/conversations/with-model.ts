import { type Call, type Conversation, MODEL_EVENTS_MAX, type Trace } from '@switchroom/contract'
import { costOf, priceOf, type Used } from '../../calls/model-use/cost.ts'
import { pricesOf } from '../../calls/model-use/prices.ts'
import { timeOf, transcriptPolicyOf } from '../../calls/words-kept.ts'
import type { Context } from '../../http/context.ts'
import * as sessions from '../model-sessions/queries.ts'
import { secondsOf } from '../model-sessions/seconds.ts'
import { type Told, turnsOf } from '../model-sessions/turns.ts'
import { withEntries } from './placed.ts'

/** Contents of the events of a call's model sessions, or of the call whose other leg it is. */
export async function toldOf(
  { db, stores }: Pick<Context, 'db' | 'stores'>,
  { account_sid, call_sid, sip_parent_callid, ...call }: Call,
): Promise<Told[]> {
  if (!account_sid || !call_sid) return []
  const policy = await transcriptPolicyOf(db, account_sid, timeOf(call))
  const ownEvents = await sessions.toldOf(db, { account_sid, call_sid }, policy)
  if (ownEvents.length > 0 || !sip_parent_callid) return ownEvents
  // legs share their trace
  const parent = await stores.calls.find({ account_sid }, { sip_callid: sip_parent_callid })
  return parent?.call_sid
    ? sessions.toldOf(db, { account_sid, call_sid: parent.call_sid }, policy)
    : []
}

/** Lays what events told of a call's model sessions into its conversation, with what it cost. */
export async function withModel(
  { db }: Pick<Context, 'db'>,
  conversation: Conversation,
  { call, trace, told }: { call: Call; trace: Trace; told: readonly Told[] },
): Promise<Conversation> {
  if (told.length === 0 || call.account_sid === null) return conversation
  const { turns, said, vendor, model, tokens, characters } = turnsOf(told)
  const { currency, prices } = await pricesOf(db, call.account_sid)
  const price = priceOf(prices, { vendor, model })
  const cost = (used: Used) => {
    const amount = costOf(price, used)
    return currency && amount !== null ? { amount, currency } : null
  }
  for (const turn of turns)
    turn.cost = cost({ tokens: turn.tokens, seconds: 0, characters: said.get(turn) ?? 0 })
  const used = { tokens, seconds: secondsOf(trace, told), characters }
  const placed = withEntries(conversation, turns)
  return {
    ...placed,
    // later events were refused
    cut: placed.cut || told.length >= MODEL_EVENTS_MAX,
    model_session: { vendor, model, ...used, cost: cost(used) },
  }
}
