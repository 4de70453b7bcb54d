import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '../../db/clock.ts'
import type { Db } from '../../db/open.ts'
import { forgetStates } from './states.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 7 * DAY_MS
/** Events of one account, or of a provider without its accounts, that are kept. */
export const KEPT_ROWS = 50_000
const BATCH = 1_000

const ownerOf = sql<string>`coalesce(account_sid, service_provider_sid, '')`

/** Deletes events that are a week old, or more than an owner may have. */
export async function pruneEvents(db: Db, at?: number, keptRows = KEPT_ROWS) {
  const now = at ?? (await databaseNow(db))
  await deleteUntil(db, sql<boolean>`added_at < ${now - KEPT_MS}`)
  const owners = await db
    .selectFrom('switchroom_events')
    .select((eb) => [ownerOf.as('owner'), eb.fn.countAll().as('n')])
    .groupBy(ownerOf)
    .having((eb) => eb(eb.fn.countAll(), '>', keptRows))
    .execute()
  for (const { owner } of owners) {
    const oldest = await db
      .selectFrom('switchroom_events')
      .select('seq')
      .where(ownerOf, '=', owner)
      .orderBy('seq', 'desc')
      .offset(keptRows)
      .limit(1)
      .executeTakeFirst()
    if (oldest) await deleteUntil(db, sql<boolean>`${ownerOf} = ${owner} and seq <= ${oldest.seq}`)
  }
  // deliveries without their events
  await db
    .deleteFrom('switchroom_event_deliveries')
    .where('state', '!=', 'waiting')
    .where('seq', 'not in', db.selectFrom('switchroom_events').select('seq'))
    .execute()
  await db
    .deleteFrom('switchroom_event_readers')
    .where('read_at', '<', now - DAY_MS)
    .execute()
  await forgetStates(db, now - DAY_MS)
}

/** A few at a time, so that nobody waits for long. */
async function deleteUntil(db: Db, condition: RawBuilder<boolean>) {
  for (;;) {
    const old = await db
      .selectFrom('switchroom_events')
      .select('seq')
      .where(condition)
      .limit(BATCH)
      .execute()
    if (old.length === 0) return
    const seqs = old.map(({ seq }) => seq)
    await db.deleteFrom('switchroom_events').where('seq', 'in', seqs).execute()
  }
}
