import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import * as runs from './runs/remove.ts'

/** An application, or an account with all of its applications. */
type Owner = { application_sid: string } | { account_sid: string }

const RUNS = 'switchroom_runs'
const SUITES = 'switchroom_suites'
const MOVED = [
  RUNS,
  'switchroom_simulated_callers',
  'switchroom_test_cases',
  'switchroom_score_cards',
] as const
/** They stay with the account whose calls they are of. */
const SCORES = 'switchroom_call_scores'
const TABLES = [...MOVED, SUITES, SCORES] as const

/** Deletes runs, simulated callers, test cases, suites and scores. Most applications have none, which one statement tells. */
export async function removeOf(db: Db, owner: Owner) {
  const [[column, sid]] = Object.entries(owner) as [[string, string]]
  const own = (table: string) => sql`${sql.table(table)} where ${sql.ref(column)} = ${sid}`
  const held = TABLES.map((table) => sql`exists (select 1 from ${own(table)}) as ${sql.ref(table)}`)
  const { rows } = await sql<Record<(typeof TABLES)[number], number>>`
    select ${sql.join(held)}`.execute(db)
  const isHeld = rows[0]!
  if (isHeld[RUNS]) await runs.removeOf(db, owner)
  if (isHeld[SCORES]) {
    await sql`delete from switchroom_score_items where (account_sid, call_sid) in (
      select account_sid, call_sid from ${own(SCORES)})`.execute(db)
    await sql`delete from ${own(SCORES)}`.execute(db)
  }
  for (const table of TABLES)
    if (table !== RUNS && isHeld[table]) await sql`delete from ${own(table)}`.execute(db)
}

/** Moves them to another account with their application; suites are deleted, as they have the words of an account's calls. */
export async function move(db: Db, application_sid: string, account_sid: string) {
  await runs.removeOf(db, { application_sid }, { ofCalls: true })
  await db.deleteFrom(SUITES).where('application_sid', '=', application_sid).execute()
  for (const table of MOVED)
    await db
      .updateTable(table)
      .set({ account_sid })
      .where('application_sid', '=', application_sid)
      .execute()
}
