import type { Db } from '../../db/open.ts'
import type { Draft } from './draft.ts'
import { addEvents } from './outbox.ts'
import { type Lease, watch } from './watch.ts'

const BATCH = 500

/** Adds what processes have noted, in the transaction that removes the notes. */
export async function gatherNotes(db: Db, lease: Lease, now: number) {
  for (;;) {
    const rows = await db
      .selectFrom('switchroom_event_notes')
      .leftJoin('accounts', 'accounts.account_sid', 'switchroom_event_notes.account_sid')
      .selectAll('switchroom_event_notes')
      .select('accounts.service_provider_sid')
      .orderBy('happened_at')
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return
    const drafts = rows.flatMap(
      ({ kind, thing, account_sid, service_provider_sid, happened_at, data }): Draft[] => {
        // the account was deleted
        if (service_provider_sid === null) return []
        const draft = {
          ...{ kind, thing, account_sid, service_provider_sid, happened_at },
          data: JSON.parse(data),
        } as Draft
        return [draft]
      },
    )
    await watch.whileLeased(db, lease, async (tx) => {
      await addEvents(tx, drafts, now)
      await tx
        .deleteFrom('switchroom_event_notes')
        .where(
          'event_note_sid',
          'in',
          rows.map((row) => row.event_note_sid),
        )
        .execute()
    })
    if (rows.length < BATCH) return
  }
}
