import { nowIn } from '../../db/clock.ts'
import type { Db } from '../../db/open.ts'
import { stateOf } from './queries.ts'

/** Runs deleted in one statement. */
const BATCH = 500

/** Deletes the oldest runs of an application beyond the newest `count`, but none that is under way. */
export async function keepNewest(db: Db, application_sid: string, count: number) {
  const rows = await db
    .selectFrom('switchroom_runs')
    .select(['run_sid', 'seen_at', nowIn(db).as('now')])
    .where('application_sid', '=', application_sid)
    .orderBy('begun_at', 'desc')
    .orderBy('run_sid', 'desc')
    .execute()
  const older = rows.slice(count).filter((row) => stateOf(row) !== 'running')
  await removeAll(
    db,
    older.map((row) => row.run_sid),
  )
}

async function removeAll(db: Db, run_sids: string[]) {
  for (let i = 0; i < run_sids.length; i += BATCH) {
    const some = run_sids.slice(i, i + BATCH)
    await db.deleteFrom('switchroom_run_steps').where('run_sid', 'in', some).execute()
    await db.deleteFrom('switchroom_simulated_runs').where('run_sid', 'in', some).execute()
    await db.deleteFrom('switchroom_runs').where('run_sid', 'in', some).execute()
  }
}

type Owner = { application_sid: string } | { account_sid: string }

/** Deletes all runs of an application, or of an account, or those of calls alone. Call in a transaction. */
export async function removeOf(db: Db, owner: Owner, { ofCalls = false } = {}) {
  const rows = await db
    .selectFrom('switchroom_runs')
    .select('run_sid')
    .where((eb) => eb.and(owner))
    .$if(ofCalls, (q) => q.where('suite_sid', 'is not', null))
    .execute()
  await removeAll(
    db,
    rows.map((row) => row.run_sid),
  )
}
