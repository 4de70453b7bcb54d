import { databaseNow } from '../../db/clock.ts'
import type { Context } from '../../http/context.ts'
import { wishes } from './demand.ts'
import { BEGUN, watch } from './watch.ts'

/**
 * Gathers what has happened since the last look into the sequence of events, in one process at a time, if anybody wants
 * any. Throws the first error, after everything else was gathered.
 */
export async function gatherEvents(ctx: Context, at?: number) {
  const { db } = ctx
  const now = at ?? (await databaseNow(db))
  const wanted = await wishes(db, now)
  if (wanted.length === 0) return dropNotes(ctx)
  const lease = await watch.take(db, now, at, BEGUN)
  if (!lease) return
  // on most servers nobody wants any
  const [{ SOURCES }, { DAY_SLICES }] = await Promise.all([
    import('./sources.ts'),
    import('./calls.ts'),
  ])
  const failures: unknown[] = []
  const gather = (work: Promise<unknown>) => work.catch((e: unknown) => failures.push(e))
  for (const source of SOURCES) await gather(source(ctx, lease, wanted, now))
  await watch.end(db, lease, now, { late_slice: (lease.late_slice + 1) % DAY_SLICES })
  if (failures.length > 0) throw failures[0]
}

/** Notes that nobody wants. */
async function dropNotes({ db }: Pick<Context, 'db'>) {
  const note = await db
    .selectFrom('switchroom_event_notes')
    .select('event_note_sid')
    .limit(1)
    .executeTakeFirst()
  if (note) await db.deleteFrom('switchroom_event_notes').execute()
}
