import type { ScoreCard } from '@switchroom/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import { SCORE_TOKENS } from '../simulated-callers/score.ts'

const TABLE = 'switchroom_score_cards'
/** Failures in a row after which the model of an account is not asked for an hour. */
const MOST_FAILURES = 3
const PAUSE_MS = 3_600_000

type Use = Pick<Selectable<Tables[typeof TABLE]>, 'day' | 'used_calls' | 'used_tokens'>
type Limits = Pick<ScoreCard, 'calls_a_day' | 'tokens_a_day' | 'criteria'>

export const dayOf = (now: number) => new Date(now).toISOString().slice(0, 10)

export const usedOn = (day: string, use: Use) =>
  use.day === day
    ? { calls: Number(use.used_calls), tokens: Number(use.used_tokens) }
    : { calls: 0, tokens: 0 }

/** True if no further call fits into the day's budget. */
export function isSpent(use: Use, { calls_a_day, tokens_a_day, criteria }: Limits, day: string) {
  const { calls, tokens } = usedOn(day, use)
  return calls >= calls_a_day || (criteria.length > 0 && tokens_a_day - tokens < SCORE_TOKENS)
}

const used = (column: 'used_calls' | 'used_tokens', day: string) =>
  sql<number>`(case when day = ${day} then ${sql.ref(column)} else 0 end)`

/** Takes a part of the day's budget. Resolves to whether there was enough. */
async function take(
  db: Db,
  application_sid: string,
  { calls, tokens }: { calls: number; tokens: number },
  { calls_a_day, tokens_a_day }: Limits,
  day: string,
) {
  const taken = {
    used_calls: sql<number>`${used('used_calls', day)} + ${calls}`,
    used_tokens: sql<number>`${used('used_tokens', day)} + ${tokens}`,
  }
  const { numUpdatedRows } = await db
    .updateTable(TABLE)
    // the day last: MariaDB reads columns that it has already set
    .set({ ...taken, day })
    .where('application_sid', '=', application_sid)
    .where(sql<boolean>`${taken.used_calls} <= ${calls_a_day}`)
    .where(sql<boolean>`${taken.used_tokens} <= ${tokens_a_day}`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const takeCall = (db: Db, sid: string, limits: Limits, day: string) =>
  take(db, sid, { calls: 1, tokens: 0 }, limits, day)
/** Taken before a request is made, so that one whose process ends is counted. */
export const takeTokens = (db: Db, sid: string, tokens: number, limits: Limits, day: string) =>
  take(db, sid, { calls: 0, tokens }, limits, day)

/** Counts what a request took instead of what was taken for it, and that the model answers. */
export const correct = (db: Db, application_sid: string, tokens: number, day: string) =>
  db
    .updateTable(TABLE)
    .set({
      used_tokens: sql<number>`(case when day = ${day} then used_tokens + ${tokens} else used_tokens end)`,
      failures: 0,
    })
    .where('application_sid', '=', application_sid)
    .execute()

/** Counts a failure of the model. After several in a row it is left alone for an hour. */
export const countFailure = (db: Db, application_sid: string, now: number) =>
  db
    .updateTable(TABLE)
    .set({
      // in this order: MariaDB reads columns that it has already set
      paused_until: sql<number>`(case when failures + 1 >= ${MOST_FAILURES} then ${now + PAUSE_MS} else paused_until end)`,
      failures: sql<number>`failures + 1`,
    })
    .where('application_sid', '=', application_sid)
    .execute()
