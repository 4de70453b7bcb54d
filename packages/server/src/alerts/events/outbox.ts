import type { EventData, EventKind } from '@switchroom/contract'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import { WATCH } from './lease.ts'

/** An event before it has its place in the sequence. */
export type Draft = {
  [K in EventKind]: {
    kind: K
    /** What it is about: events of one thing are delivered in their order. */
    thing: string
    account_sid: string | null
    service_provider_sid: string | null
    /** ISO 8601, UTC. */
    happened_at: string
    data: EventData<K>
  }
}[EventKind]

/**
 * Adds events to the end of the sequence. Call in a transaction that holds the lease: nobody else adds then, so that
 * whoever has read up to an event has missed none before it.
 */
export async function addEvents(tx: Db, drafts: readonly Draft[], now: number) {
  if (drafts.length === 0) return
  const row = await tx
    .selectFrom('switchroom_event_watch')
    .select('seq')
    .where('id', '=', WATCH)
    .executeTakeFirstOrThrow()
  const first = Number(row.seq) + 1
  const events = drafts.map(({ data, thing, ...rest }, i) => ({
    seq: first + i,
    ...rest,
    thing: thing.slice(0, 200),
    added_at: now,
    data: JSON.stringify(data),
  }))
  await insertMany(tx, 'switchroom_events', events)
  await tx
    .updateTable('switchroom_event_watch')
    .set({ seq: first + events.length - 1 })
    .where('id', '=', WATCH)
    .execute()
}
