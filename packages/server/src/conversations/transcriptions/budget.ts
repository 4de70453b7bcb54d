import { sql } from 'kysely'
import { nowIn } from '../../db/clock.ts'
import type { Db } from '../../db/open.ts'

/** Failures in a row after which the account's service is not used for an hour. */
const MOST_FAILURES = 3
const PAUSE_MS = 3_600_000

export const today = () => new Date().toISOString().slice(0, 10)

const usedOn = (day: string) => sql<number>`(case when day = ${day} then used_ms else 0 end)`

/** Milliseconds that may be sent today, and whether the account's service is paused. */
export async function budgetOf(db: Db, account_sid: string, minutes_a_day: number) {
  const { used, is_paused } = await db
    .selectFrom('switchroom_transcribing')
    .select(usedOn(today()).as('used'))
    .select(sql<number>`(case when paused_until > ${nowIn(db)} then 1 else 0 end)`.as('is_paused'))
    .where('account_sid', '=', account_sid)
    .executeTakeFirstOrThrow()
  return { left_ms: minutes_a_day * 60_000 - Number(used), isPaused: Number(is_paused) === 1 }
}

/** Takes this much of a day's budget. Resolves to whether there was enough. */
export async function take(
  db: Db,
  account_sid: string,
  ms: number,
  minutes_a_day: number,
  day: string,
) {
  const { numUpdatedRows } = await db
    .updateTable('switchroom_transcribing')
    // in this order: MariaDB reads columns it has already set
    .set({ used_ms: sql<number>`${usedOn(day)} + ${ms}`, day })
    .where('account_sid', '=', account_sid)
    .where(sql<boolean>`${usedOn(day)} + ${ms} <= ${minutes_a_day * 60_000}`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Gives back time that was taken of a day's budget and not sent, or takes time that was sent again. The budget of
 * another day stays as it is.
 */
export const correct = (db: Db, account_sid: string, ms: number, day: string) =>
  db
    .updateTable('switchroom_transcribing')
    .set({ used_ms: sql<number>`used_ms + ${ms}` })
    .where('account_sid', '=', account_sid)
    .where(sql<boolean>`used_ms + ${ms} >= 0`)
    .where('day', '=', day)
    .execute()

/** Counts a failure, or that there was none. Resolves to whether the account's service is left alone from now on. */
export async function countFailure(db: Db, account_sid: string, isFailed: boolean) {
  const of = db.updateTable('switchroom_transcribing').where('account_sid', '=', account_sid)
  await of.set({ failures: isFailed ? sql<number>`failures + 1` : 0 }).execute()
  const { numUpdatedRows } = await of
    .set({ failures: 0, paused_until: sql<number>`${nowIn(db)} + ${PAUSE_MS}` })
    .where('failures', '>=', MOST_FAILURES)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Leaves the account's service alone for an hour. */
export const pauseAccount = (db: Db, account_sid: string) =>
  db
    .updateTable('switchroom_transcribing')
    .set({ failures: 0, paused_until: sql<number>`${nowIn(db)} + ${PAUSE_MS}` })
    .where('account_sid', '=', account_sid)
    .execute()
