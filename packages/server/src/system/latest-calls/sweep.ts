import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { DAYS } from '../../http/latest-calls.ts'
import { type Lease, watch } from './watch.ts'

const BATCH = 500
/** Of one pass, beyond which the next one goes on. */
const MAX_FORGET = 100
const MAX_SWEEP = 4

/** Takes the calls of days that are over from the counts. A batch at a time: its days go with it. */
export async function forgetDays(db: Db, lease: Lease) {
  const { first_day } = lease
  for (let batches = 0; batches < MAX_FORGET; batches++) {
    const old = await db
      .selectFrom('switchroom_call_days')
      .select(['day', 'thing_sid'])
      .where('day', '<', first_day)
      .orderBy('day')
      .orderBy('thing_sid')
      .limit(BATCH)
      .execute()
    const [oldest] = old
    if (!oldest) break
    const { day } = oldest
    const sids = old.filter((row) => row.day === day).map((row) => row.thing_sid)
    await watch.whileLeased(db, lease, async (tx) => {
      await tx
        .updateTable('switchroom_call_counts')
        .set({
          calls_7d: sql`calls_7d - coalesce((
            select calls from switchroom_call_days as old where old.day = ${day}
              and old.thing_sid = switchroom_call_counts.thing_sid
              and old.account_sid = switchroom_call_counts.account_sid), 0)`,
        })
        .where('thing_sid', 'in', sids)
        .execute()
      await tx
        .deleteFrom('switchroom_call_days')
        .where('day', '=', day)
        .where('thing_sid', 'in', sids)
        .execute()
    })
  }
}

/** Deletes the counts of some of what was deleted. Resolves to the sid after which the next pass goes on. */
export async function sweep(db: Db, lease: Lease): Promise<string> {
  let { swept_to } = lease
  for (let batches = 0; batches < MAX_SWEEP; batches++) {
    const rows = await db
      .selectFrom('switchroom_call_counts')
      .select('thing_sid')
      .distinct()
      .where('thing_sid', '>', swept_to)
      .orderBy('thing_sid')
      .limit(BATCH)
      .execute()
    const sids = rows.map((row) => row.thing_sid)
    if (sids.length === 0) return ''
    const found = await present(db, sids)
    const gone = sids.filter((sid) => !found.has(sid))
    if (gone.length > 0) await remove(db, lease, gone)
    if (sids.length < BATCH) return ''
    swept_to = sids.at(-1)!
  }
  return swept_to
}

async function present(db: Db, sids: string[]) {
  const rows = await db
    .selectFrom('phone_numbers')
    .select('phone_number_sid as sid')
    .where('phone_number_sid', 'in', sids)
    .unionAll(
      db
        .selectFrom('applications')
        .select('application_sid as sid')
        .where('application_sid', 'in', sids),
    )
    .unionAll(db.selectFrom('clients').select('client_sid as sid').where('client_sid', 'in', sids))
    .execute()
  return new Set(rows.map(({ sid }) => sid))
}

const remove = (db: Db, lease: Lease, sids: string[]) =>
  watch.whileLeased(db, lease, async (tx) => {
    await tx.deleteFrom('switchroom_call_counts').where('thing_sid', 'in', sids).execute()
    await tx
      .deleteFrom('switchroom_call_days')
      // by its key; calls of tomorrow come from clocks that are ahead
      .where(
        'day',
        'in',
        Array.from({ length: DAYS + 1 }, (_, i) => lease.first_day + i),
      )
      .where('thing_sid', 'in', sids)
      .execute()
  })
