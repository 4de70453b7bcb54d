import { type Call, type Conversation, MODEL_EVENTS_MAX, type Trace } from '@switchroom/contract'
import { timeOf, transcriptPolicyOf } from '../../calls/words-kept.ts'
import type { Context } from '../../http/context.ts'
import { callSpans, isModelSession } from '../../talk/spans.ts'
import { costOf, priceOf, type Used } from '../model-sessions/cost.ts'
import * as sessions from '../model-sessions/queries.ts'
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

/** The length of a call's model sessions, as its trace has them, or else its events. */
function secondsOf(trace: Trace, told: readonly Told[]) {
  const spans = callSpans(trace).all.filter(isModelSession)
  const ms =
    spans.length > 0
      ? spans.reduce((sum, { start, end }) => sum + end - start, 0)
      : told.at(-1)!.at - told[0]!.at
  return Math.round(ms / 1_000)
}

/** Lays what events told of a call's model sessions into its conversation, with what it cost. */
export async function withModel(
  { db }: Pick<Context, 'db'>,
  conversation: Conversation,
  { call, trace, told }: { call: Call; trace: Trace; told: readonly Told[] },
): Promise<Conversation> {
  if (told.length === 0 || call.account_sid === null) return conversation
  const { turns, said, vendor, model, tokens, characters } = turnsOf(told)
  const row = await sessions.stored(db, call.account_sid)
  const price = priceOf(sessions.pricesIn(row), { vendor, model })
  const cost = (used: Used) => {
    const amount = costOf(price, used)
    return row && amount !== null ? { amount, currency: row.currency } : null
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
