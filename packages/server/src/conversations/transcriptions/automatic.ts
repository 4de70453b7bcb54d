import type { TranscriptSettings } from '@switchroom/contract'
import { sql } from 'kysely'
import { recordingOfCall } from '../../calls/recordings/locate.ts'
import { nowIn } from '../../db/clock.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import { errorText } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { budgetOf, correct, countFailure, pauseAccount, take, today } from './budget.ts'
import { claim, lockOf } from './claim.ts'
import { lookForCalls } from './ended-calls.ts'
import * as transcriptions from './queries.ts'
import { type Service, serviceOf } from './services.ts'
import { transcribe } from './transcribe.ts'

type Automatic = NonNullable<TranscriptSettings['automatic']>
export type AutomaticAccount = { account_sid: string; automatic: Automatic }

/** Time to wait for a recording after its call was found. */
const MISSING_MS = 10 * 60_000
/** Time to wait for a store or bucket that cannot be read. */
const UNREADABLE_MS = 24 * 3_600_000
/** Most tries of an interrupted transcription: it may be what crashes the process. */
const MAX_TRIES = 3
/** Waiting calls that are read at a time. Those whose recording has not arrived are skipped. */
const MAX_CANDIDATES = 50

/**
 * Transcribes an account's waiting calls one by one, until none is left, the daily budget is used
 * up, or `stop` aborts.
 */
export async function transcribeAccount(
  ctx: Context,
  account: AutomaticAccount,
  stop: AbortSignal,
) {
  const { account_sid, automatic } = account
  await ensureBudgetRow(ctx.db, account_sid)
  const budget = await budgetOf(ctx.db, account_sid, automatic.minutes_a_day)
  await lookForCalls(ctx, account_sid, budget.left_ms <= 0)
  if (budget.left_ms <= 0) await deleteWaiting(ctx.db, account_sid)
  while (!stop.aborted) {
    if (!(await transcribeNext(ctx, account))) break
  }
}

const ensureBudgetRow = (db: Db, account_sid: string) =>
  db
    .insertInto('switchroom_transcribing')
    .values({
      account_sid,
      seen_until: null,
      day: '',
      used_ms: 0,
      failures: 0,
      paused_until: 0,
    })
    .$call(skipExisting(db))
    .execute()

const deleteWaiting = (db: Db, account_sid: string) =>
  db
    .deleteFrom('switchroom_transcriptions')
    .where('account_sid', '=', account_sid)
    .where('state', '=', 'waiting')
    .execute()

/** Calls that wait, and those whose process ended before they were done, the oldest first. */
const candidates = (db: Db, account_sid: string) =>
  db
    .selectFrom('switchroom_transcriptions')
    .selectAll()
    .where('account_sid', '=', account_sid)
    .where('is_automatic', '=', 1)
    .where('tries', '<', MAX_TRIES)
    .where('state', 'in', ['waiting', 'running'])
    .where((eb) =>
      eb.or([
        eb('seen_at', 'is', null),
        sql<boolean>`seen_at < ${nowIn(db)} - ${transcriptions.LOST_MS}`,
      ]),
    )
    .orderBy('called_at')
    .limit(MAX_CANDIDATES)
    .execute()

/** Transcribes the next call. Resolves to false if there is nothing to do for now. */
async function transcribeNext(ctx: Context, { account_sid, automatic }: AutomaticAccount) {
  const { left_ms, isPaused } = await budgetOf(ctx.db, account_sid, automatic.minutes_a_day)
  if (left_ms <= 0 || isPaused) return false
  for (const row of await candidates(ctx.db, account_sid)) {
    const found = await recordingOf(ctx, row)
    if (!found) continue
    const service = await serviceFor(ctx, account_sid, automatic)
    const { call, recording } = found
    const key = { account_sid, call_sid: row.call_sid, attempted_at: call.attempted_at }
    const work = service && (await claimCall(ctx, key, service))
    if (!work) return false
    const { minutes_a_day } = automatic
    await transcribe(
      ctx,
      work,
      { call, service, recording },
      budgetHooks(ctx, account_sid, minutes_a_day),
    )
    return true
  }
  return false
}

/**
 * The recording of a waiting call. Undefined if it has not arrived. After `MISSING_MS`, or
 * `UNREADABLE_MS` if a store cannot be read, the call is dropped.
 */
async function recordingOf(ctx: Context, row: Omit<transcriptions.Row, 'now'>) {
  const { account_sid, call_sid } = row
  let patience_ms = MISSING_MS
  try {
    const call = await ctx.stores.calls.find({ account_sid }, { call_sid })
    const recording = call && (await recordingOfCall(ctx, call))
    if (recording) return { recording, call }
  } catch (e) {
    // a bucket or store that cannot be read right now; its message may quote secrets
    ctx.log.warn(
      { account_sid, call_sid, error: errorText(e, 'name') },
      'a recording cannot be read',
    )
    patience_ms = UNREADABLE_MS
  }
  if (Date.parse(row.begun_at) < Date.now() - patience_ms)
    await (row.state === 'waiting'
      ? transcriptions.forget(ctx.db, row)
      : transcriptions.setTries(ctx.db, row, MAX_TRIES))
  return undefined
}

async function serviceFor(ctx: Context, account_sid: string, automatic: Automatic) {
  try {
    return await serviceOf(ctx.db, undefined, account_sid, automatic)
  } catch (e) {
    if (!(e instanceof Failure)) throw e
    await pauseAccount(ctx.db, account_sid)
    ctx.log.warn({ account_sid }, 'automatic transcription pauses for an hour: no such service')
    return undefined
  }
}

/**
 * Undefined if another process is transcribing for this account, or too many transcriptions run.
 */
const claimCall = (
  ctx: Context,
  call: Parameters<typeof claim>[2],
  service: Service,
): Promise<transcriptions.NewWork | undefined> =>
  transaction(
    ctx.db,
    async (tx) => {
      const { account_sid } = call
      if (await transcriptions.isAnyAutomatic(tx, account_sid)) return undefined
      const row = await transcriptions.find(tx, call)
      const state = row && transcriptions.stateOf(row)
      if (state !== null && state !== 'interrupted') return undefined
      const { work, isNew } = await claim(tx, ctx, call, service, 1)
      return isNew ? work : undefined
    },
    { lock: lockOf(call.account_sid) },
  ).catch((e: unknown) => {
    if (e instanceof Failure && e.code === 'too_many') return undefined
    throw e
  })

function budgetHooks(ctx: Context, account_sid: string, minutes_a_day: number) {
  // a transcription that goes on past midnight takes the rest from the next day
  let day = today()
  return {
    mayTake(ms: number) {
      day = today()
      return take(ctx.db, account_sid, ms, minutes_a_day, day)
    },
    async ended(sent_ms: number, taken_ms: number, isFailed: boolean) {
      await correct(ctx.db, account_sid, sent_ms - taken_ms, day)
      if (sent_ms === 0) return
      if (await countFailure(ctx.db, account_sid, isFailed))
        ctx.log.warn(
          { account_sid },
          'automatic transcription pauses for an hour: the service fails',
        )
    },
  }
}
