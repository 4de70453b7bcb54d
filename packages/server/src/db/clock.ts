import { sql } from 'kysely'
import { type Db, kindOf } from './open.ts'

const began = Date.now() - performance.now()

/**
 * Milliseconds since 1970 by a clock that never jumps: the wall clock at the start of this process, plus the time
 * since. For durations, such as leases and pauses. For the time of an event, use the wall clock.
 */
export const steadyNow = () => Math.floor(began + performance.now())

/** The time of `databaseNow` within a statement. */
export const nowIn = (db: Db) =>
  kindOf(db) === 'mysql'
    ? sql<number>`floor(unix_timestamp(now(3)) * 1000)`
    : sql<number>`${steadyNow()}`

/** The same time for all processes that share the database. A SQLite file has one process. */
export async function databaseNow(db: Db): Promise<number> {
  if (kindOf(db) === 'sqlite') return steadyNow()
  const { rows } = await sql<{ now: number }>`select ${nowIn(db)} as now`.execute(db)
  return Number(rows[0]!.now)
}

/** Processes read the time a moment before they compare, and the clocks of database nodes differ a little. */
const SLACK_MS = 60_000

/**
 * True if a time stored at most `longest` ahead has passed. A time much further ahead was stored by a wrong clock, and
 * would block whatever waits for it until then.
 */
export const isOver = (column: string, now: number, longest: number) =>
  sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${now + longest + SLACK_MS})`
