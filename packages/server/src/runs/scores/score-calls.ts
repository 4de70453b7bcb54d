import type { Call, ScoreCard, Trace } from '@switchroom/contract'
import type { Selectable } from 'kysely'
import { chat, mostTokens } from '../../applications/language-model/chat.ts'
import { modelOf } from '../../applications/language-model/model.ts'
import { traceOf } from '../../calls/traces.ts'
import { shownConversation } from '../../conversations/conversations/shown-conversation.ts'
import { databaseNow } from '../../db/clock.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Refused } from '../../speech/protocol.ts'
import { talkOf } from '../../talk/talk.ts'
import type { Ask } from '../simulated-callers/play-caller.ts'
import { correct, countFailure, dayOf, isSpent, takeCall, takeTokens } from './budget.ts'
import { judge } from './judge.ts'
import { lookForCalls } from './look-for-calls.ts'
import * as scores from './queries.ts'
import { courseOf } from './steps.ts'
import { type Watch, watch } from './watch-lease.ts'

/** Time to wait for a trace, and for a transcription that is under way. */
const MISSING_MS = 15 * 60_000
const TRANSCRIBING_MS = 2 * 3_600_000
/** Most tries of an interrupted judgement: it may be what crashes the process. */
const MOST_TRIES = 3
/** Calls of an application in one pass, so that each has its turn. */
const AT_ONCE = 10
/** Applications that are worked for at the same time. */
const LANES = 4
const MOST_LOOKED_AT = 50

type Scoring = Pick<
  Context,
  'db' | 'box' | 'stores' | 'words' | 'versionsOf' | 'outbound' | 'log' | 'config'
>
type Row = Selectable<Tables['switchroom_call_scores']>

/**
 * Scores calls that are over, by the score cards of their applications, in one process at a time. Resolves to how many
 * were scored. What a process that ended had begun is done by the next one; each call is scored once.
 */
export async function scoreCalls(ctx: Scoring, stop: AbortSignal, at?: number): Promise<number> {
  const { db } = ctx
  const now = at ?? (await databaseNow(db))
  await forgetOld(ctx, now)
  const cards = await scores.active(db, now)
  if (cards.length === 0) return 0
  const lease = await watch.take(db, now, at, {})
  if (!lease) return 0
  let scored = 0
  const failures: unknown[] = []
  const work = async () => {
    for (let card = cards.shift(); card && !stop.aborted; card = cards.shift())
      // one that fails holds up none of the others
      scored += await scoreApplication(ctx, lease, card, now, stop).catch((e: unknown) => {
        if (!stop.aborted) failures.push(e)
        return 0
      })
  }
  await Promise.all(Array.from({ length: LANES }, work))
  await watch.end(db, lease, at ?? (await databaseNow(db)), {})
  if (failures.length > 0) throw failures[0]
  return scored
}

/** Deletes scores that are older than the words they quote may be. */
async function forgetOld({ db, config }: Pick<Context, 'db' | 'config'>, now: number) {
  const { recordings, traces } = config
  const days = Math.max(recordings.days, 'days' in traces ? traces.days : 0)
  await scores.removeOld(db, new Date(now - days * 86_400_000).toISOString())
}

async function scoreApplication(
  ctx: Scoring,
  lease: Watch,
  row: scores.CardRow,
  now: number,
  stop: AbortSignal,
) {
  const { db } = ctx
  const card = scores.shown(row)
  const { application_sid, account_sid } = card
  const day = dayOf(now)
  const needsModel = card.rules.length === 0
  const isLeft =
    isSpent(row, card, day) ||
    (await scores.leavesOut(db, account_sid)) ||
    (needsModel && !(await scores.hasModel(db, account_sid)))
  await lookForCalls(ctx, lease, row, { now, isLeft })
  if (isLeft) return 0
  let scored = 0
  for (const call of await waiting(db, application_sid)) {
    if (stop.aborted || scored >= AT_ONCE) break
    const result = await scoreCall(ctx, lease, { card, call, day, now, stop })
    if (result === 'spent') break
    if (result === 'scored') scored += 1
  }
  return scored
}

const waiting = (db: Db, application_sid: string) =>
  db
    .selectFrom('switchroom_call_scores')
    .selectAll()
    .where('application_sid', '=', application_sid)
    .where('result', 'is', null)
    .orderBy('called_at')
    .limit(MOST_LOOKED_AT)
    .execute()

type Of = {
  card: ScoreCard & { account_sid: string }
  call: Row
  day: string
  now: number
  stop: AbortSignal
}

const forget = (db: Db, { account_sid, call_sid }: Row) =>
  db
    .deleteFrom('switchroom_call_scores')
    .where('account_sid', '=', account_sid)
    .where('call_sid', '=', call_sid)
    .where('result', 'is', null)
    .execute()

/** `later`: what it needs has not arrived. `left`: it cannot be scored. */
async function scoreCall(
  ctx: Scoring,
  lease: Watch,
  { card, call, day, now, stop }: Of,
): Promise<'scored' | 'later' | 'left' | 'spent'> {
  const { db } = ctx
  const { account_sid, application_sid } = card
  const { call_sid, trace_id } = call
  const age = now - Number(call.found_at)
  const leave = async () => {
    await watch.whileLeased(db, lease, (tx) => forget(tx, call))
    return 'left' as const
  }
  if (call.tries >= MOST_TRIES) {
    ctx.log.warn({ account_sid, call_sid }, 'a call is not scored: it was tried several times')
    return leave()
  }
  if (age < TRANSCRIBING_MS && (await isTranscribing(db, call))) return 'later'
  const record = await ctx.stores.calls.find({ account_sid: call.account_sid }, { call_sid })
  const trace = record && (await traceOf(ctx as Context, { ...record, trace_id }))
  if (!record || !trace) return age < MISSING_MS ? 'later' : leave()
  const conversation = await shownConversation(ctx, record, trace)
  if (conversation.words === 'leave_out') return leave()
  const isTaken = await watch.whileLeased(db, lease, async (tx) => {
    if (!(await takeCall(tx, application_sid, card, day))) return false
    await tx
      .updateTable('switchroom_call_scores')
      .set({ tries: call.tries + 1 })
      .where('account_sid', '=', call.account_sid)
      .where('call_sid', '=', call_sid)
      .execute()
    return true
  })
  if (!isTaken) return 'spent'
  const ask = await askOf(ctx, card, { day, now, stop })
  try {
    const judged = await judge(courseOf(conversation, trace), card, ask, Number.POSITIVE_INFINITY)
    stop.throwIfAborted()
    const version = call.version || (await versionIn(ctx, record, trace))
    await watch.whileLeased(db, lease, (tx) => scores.keep(tx, { ...call, version }, judged))
    return 'scored'
  } catch (e) {
    if (!(e instanceof Spent)) throw e
    await leave()
    return 'spent'
  }
}

async function versionIn({ versionsOf }: Scoring, call: Call, trace: Trace) {
  const [version = null] = await versionsOf([{ call, tag: talkOf(trace)?.tag ?? {} }])
  return version
}

const isTranscribing = async (db: Db, { account_sid, call_sid }: scores.CallKey) =>
  (await db
    .selectFrom('switchroom_transcriptions')
    .select('call_sid')
    .where('account_sid', '=', account_sid)
    .where('call_sid', '=', call_sid)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()) !== undefined

/** The request does not fit into what is left of the day's budget. */
class Spent extends Error {
  override name = 'Spent'
}

/** Asks the account's model within the day's budget; undefined without one. */
async function askOf(
  ctx: Scoring,
  card: Of['card'],
  { day, now, stop }: Pick<Of, 'day' | 'now' | 'stop'>,
): Promise<Ask | undefined> {
  const { db } = ctx
  const { account_sid, application_sid, criteria } = card
  if (criteria.length === 0) return undefined
  const model = await modelOf(ctx, account_sid).catch((e: unknown) => {
    if (!(e instanceof Refused)) throw e
    return e
  })
  if (!model) return undefined
  return async (messages, max_tokens) => {
    if (model instanceof Refused) {
      await countFailure(db, application_sid, now)
      throw model
    }
    const most = mostTokens(messages, max_tokens)
    if (!(await takeTokens(db, application_sid, most, card, day)))
      throw new Spent('the budget of the day is used up')
    try {
      const said = await chat(ctx.outbound, model, messages, max_tokens, stop)
      await correct(db, application_sid, said.tokens - most, day)
      return said
    } catch (e) {
      if (e instanceof Refused) await countFailure(db, application_sid, now)
      throw e
    }
  }
}
