import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { traceOf } from '../../calls/traces.ts'
import { withRecorded } from '../../conversations/conversations/recorded.ts'
import { endedBetween } from '../../conversations/transcriptions/ended-calls.ts'
import { heardIn } from '../../conversations/transcriptions/heard-in.ts'
import { databaseNow } from '../../db/clock.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Db, Tables } from '../../db/open.ts'
import { type Lease, watchOf } from '../../db/watch.ts'
import type { Context } from '../../http/context.ts'
import { conversationOf } from '../../talk/conversation.ts'
import { askOf, type Judging, type Scoring, Spent } from './ask-within-budget.ts'
import { dayOf, isSpent, takeCall } from './budget.ts'
import { judge } from './judge.ts'
import * as scores from './queries.ts'
import { courseOf } from './steps.ts'

/** Time that the trace, the record and the transcription of a call may take to begin to arrive. */
const SETTLE_MS = 120_000
/** After a longer time without a server, older calls are left. */
const BACK_MS = 24 * 3_600_000
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
const PERCENT = 100

type Watch = Lease<'switchroom_score_watch'>
type Row = Selectable<Tables['switchroom_call_scores']>

const watch = watchOf('switchroom_score_watch', { isSynced: false })

/** True if a call is of the share that is scored: the same on every server, and part of every larger share. */
export const isInShare = (call_sid: string, percent: number) =>
  createHash('sha256').update(call_sid).digest().readUInt32BE() < (percent / PERCENT) * 2 ** 32

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

/** Stores the calls of the share that ended since the last look; none of before the card was activated. */
async function lookForCalls(
  ctx: Scoring,
  lease: Watch,
  row: scores.CardRow,
  { now, isLeft }: { now: number; isLeft: boolean },
) {
  const { application_sid, account_sid } = row
  const { share } = scores.shown(row)
  const until = now - SETTLE_MS
  const seen = row.seen_until === null ? null : Number(row.seen_until)
  const from = Math.max(seen ?? now, until - BACK_MS)
  if (seen !== null && until <= from) return
  const ended =
    seen === null || isLeft
      ? []
      : await endedBetween(
          ctx,
          { account_sid: account_sid!, application_sid },
          { from, to: until },
          // the legs of a call share its conversation
          (call) =>
            call.sip_parent_callid === null && !!call.trace_id && isInShare(call.call_sid, share),
        )
  await watch.whileLeased(ctx.db, lease, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('switchroom_score_cards')
      .set({ seen_until: seen === null ? from : until })
      .where('application_sid', '=', application_sid)
      .where('is_active', '=', 1)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    if (isLeft) {
      await scores.forgetWaiting(tx, application_sid)
      return
    }
    const known = new Set(await knownOf(tx, account_sid!, ended))
    await insertMany(
      tx,
      'switchroom_call_scores',
      ended
        .filter(({ call_sid }) => !known.has(call_sid))
        .map(({ call_sid, trace_id, attempted_at }) => ({
          ...{ account_sid, call_sid, application_sid, trace_id },
          called_at: new Date(attempted_at).toISOString(),
          ...{ found_at: now, tries: 0, result: null, tokens: 0, content: null, scored_at: null },
        })),
    )
  })
}

const SIDS = 500

async function knownOf(db: Db, account_sid: string, ended: readonly { call_sid: string }[]) {
  const known: string[] = []
  for (let i = 0; i < ended.length; i += SIDS) {
    const rows = await db
      .selectFrom('switchroom_call_scores')
      .select('call_sid')
      .where('account_sid', '=', account_sid)
      .where(
        'call_sid',
        'in',
        ended.slice(i, i + SIDS).map(({ call_sid }) => call_sid),
      )
      .execute()
    known.push(...rows.map(({ call_sid }) => call_sid))
  }
  return known
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
  { card, call, day, now, stop }: Judging & { call: Row },
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
  const conversation = conversationOf(trace)
  if (conversation.words === 'leave_out') return leave()
  const heard = await heardIn(ctx, record)
  const whole = heard ? withRecorded(conversation, heard) : conversation
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
    const judged = await judge(courseOf(whole, trace), card, ask, Number.POSITIVE_INFINITY)
    stop.throwIfAborted()
    await watch.whileLeased(db, lease, (tx) => scores.keep(tx, call, judged))
    return 'scored'
  } catch (e) {
    if (!(e instanceof Spent)) throw e
    await leave()
    return 'spent'
  }
}

const isTranscribing = async (db: Db, { account_sid, call_sid }: scores.CallKey) =>
  (await db
    .selectFrom('switchroom_transcriptions')
    .select('call_sid')
    .where('account_sid', '=', account_sid)
    .where('call_sid', '=', call_sid)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()) !== undefined
