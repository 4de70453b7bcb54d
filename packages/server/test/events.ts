import { insertMany } from '../src/db/insert-many.ts'
import type { Db } from '../src/db/open.ts'

/** Stores that a carrier was changed, as the gatherer does. Resolves to the event's place in the sequence. */
export async function addEvent(
  db: Db,
  owner: { account_sid: string | null; service_provider_sid: string | null },
  sid: string,
): Promise<number> {
  const last = await db
    .selectFrom('switchroom_events')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const seq = Number(last?.seq ?? 0) + 1
  const data = { action: 'update', kind: 'voip_carrier', sid, name: 'Albion' }
  await insertMany(db, 'switchroom_events', [
    {
      ...{ seq, kind: 'carrier.changed', thing: `voip_carrier ${sid}`, ...owner },
      ...{ happened_at: new Date().toISOString(), added_at: Date.now() },
      data: JSON.stringify({ ...data, fields: ['name'], audit_seq: 1 }),
    },
  ])
  return seq
}
