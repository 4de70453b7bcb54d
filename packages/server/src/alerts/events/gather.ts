import { databaseNow } from '../../db/clock.ts'
import type { Context } from '../../http/context.ts'
import { DAY_SLICES, gatherCalls } from './calls.ts'
import { gatherChanges } from './changes.ts'
import { type Wish, wishes } from './demand.ts'
import { gatherIssues } from './inboxes.ts'
import { gatherNotes } from './notes.ts'
import { gatherRegistrations } from './registrations.ts'
import { BEGUN, type Lease, watch } from './watch.ts'

/**
 * Gathers what has happened since the last look into the sequence of events, in one process at a time, if anybody
 * wants any. Throws the first error, after all that could be gathered was.
 */
export async function gatherEvents(ctx: Context, at?: number) {
  const { db } = ctx
  const now = at ?? (await databaseNow(db))
  const wanted = await wishes(db, now)
  if (wanted.length === 0) return dropNotes(ctx)
  const lease = await watch.take(db, now, at, BEGUN)
  if (!lease) return
  const failures: unknown[] = []
  const gather = (work: Promise<unknown>) => work.catch((e: unknown) => failures.push(e))
  for (const source of SOURCES) await gather(source(ctx, lease, wanted, now))
  await watch.end(db, lease, now, { late_slice: (lease.late_slice + 1) % DAY_SLICES })
  if (failures.length > 0) throw failures[0]
}

type Source = (ctx: Context, lease: Lease, wanted: Wish[], now: number) => Promise<unknown>

const SOURCES: readonly Source[] = [
  ({ db }, ...rest) => gatherChanges(db, ...rest),
  ({ db }, lease, _, now) => gatherNotes(db, lease, now),
  ({ db }, ...rest) => gatherRegistrations(db, ...rest),
  gatherCalls,
  gatherIssues,
]

/** Notes that nobody wants. */
async function dropNotes({ db }: Pick<Context, 'db'>) {
  const note = await db
    .selectFrom('switchroom_event_notes')
    .select('event_note_sid')
    .limit(1)
    .executeTakeFirst()
  if (note) await db.deleteFrom('switchroom_event_notes').execute()
}
