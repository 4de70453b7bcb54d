import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import * as runs from './runs/queries.ts'

/** An application, or an account with all of its applications. */
type Owner = { application_sid: string } | { account_sid: string }

const RUNS = 'switchroom_runs'
const OTHERS = [
  'switchroom_simulated_callers',
  'switchroom_test_cases',
  'switchroom_suites',
] as const
const TABLES = [RUNS, ...OTHERS] as const

/** Deletes runs, simulated callers, test cases and suites. Most applications have none, which one statement tells. */
export async function removeOf(db: Db, owner: Owner) {
  const [[column, sid]] = Object.entries(owner) as [[string, string]]
  const own = (table: string) => sql`${sql.table(table)} where ${sql.ref(column)} = ${sid}`
  const held = TABLES.map((table) => sql`exists (select 1 from ${own(table)}) as ${sql.ref(table)}`)
  const { rows } = await sql<Record<(typeof TABLES)[number], number>>`
    select ${sql.join(held)}`.execute(db)
  const isHeld = rows[0]!
  if (isHeld[RUNS]) await runs.removeOf(db, owner)
  for (const table of OTHERS) if (isHeld[table]) await sql`delete from ${own(table)}`.execute(db)
}

/** Moves them to another account with their application. */
export async function move(db: Db, application_sid: string, account_sid: string) {
  for (const table of TABLES)
    await db
      .updateTable(table)
      .set({ account_sid })
      .where('application_sid', '=', application_sid)
      .execute()
}
