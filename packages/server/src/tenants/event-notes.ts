import { randomUUID } from 'node:crypto'
import type { EventData, EventKind } from '@switchroom/contract'
import type { Db } from '../db/open.ts'

/**
 * Notes an occurrence that is to become an event (docs/adr/061-events.md). Call it in the transaction of the
 * occurrence, or before the removal of what would make it happen again.
 */
export const noteEvent = <K extends EventKind>(
  db: Db,
  kind: K,
  { account_sid, thing, data }: { account_sid: string; thing: string; data: EventData<K> },
) =>
  db
    .insertInto('switchroom_event_notes')
    .values({
      ...{ event_note_sid: randomUUID(), kind, account_sid, thing },
      happened_at: new Date().toISOString(),
      data: JSON.stringify(data),
    })
    .execute()

/** Subject of a call's events. */
export const thingOfCall = (call_sid: string | null) => `call ${call_sid ?? ''}`.slice(0, 200)
