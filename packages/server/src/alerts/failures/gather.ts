import { batchesFrom } from '../../db/batches.ts'
import { databaseNow } from '../../db/clock.ts'
import type { Db } from '../../db/open.ts'
import { type Lease, watchOf } from '../../db/watch.ts'
import type { Context } from '../../http/context.ts'
import type { Span } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import { countCalls } from './count-calls.ts'
import { tellFailures } from './tell.ts'

/** Records are written when calls end: what is new is read again for this long. */
const OVERLAP_MS = 120_000
/** Read at once, and committed as read. */
const SLICE_MS = 600_000
/** Later records are counted as well, within minutes: one slice of this time is read again with each pass. */
const LATE_SLICES = 6
/** Older failures are not counted, at first or after an outage. */
const MAX_AGE_MS = 24 * HOUR_MS
/** Clocks of components may be ahead. */
const AHEAD_MS = 60_000
/** Unanswered calls of one pass, beyond which the next one goes on. */
const MAX_READ = 20_000
/** Failures are forgotten this long after their last call, unless they are muted. */
const FORGET_MS = 30 * 24 * HOUR_MS

type Gathering = Pick<Context, 'db' | 'stores'>

const watch = watchOf('switchroom_failure_watch', { isSynced: false })

/**
 * Gathers new failed calls, in one process at a time. Each call is counted once, however often it is read:
 * its key is stored in the transaction that counts it. Resolves to how many were counted. Throws
 * `StoreUnavailable` and database errors.
 */
export async function gatherFailures({ db, stores }: Gathering, at?: number): Promise<number> {
  const now = at ?? (await databaseNow(db))
  await reopenMuted(db, now)
  const begun = { read_until: now - MAX_AGE_MS, late_slice: 0 }
  const lease = await watch.take(db, now, at, begun)
  if (!lease) return 0
  const commit = <R>(work: (tx: Db) => Promise<R>) => watch.whileLeased(db, lease, work)
  let [read, counted] = [0, 0]
  const gather = async (span: Span, most = Number.POSITIVE_INFINITY) => {
    let left = most
    for await (const batch of batchesFrom(stores.calls.each({ ...span, answered: false }))) {
      counted += await commit((tx) => countCalls(tx, batch, now))
      read += batch.length
      left -= batch.length
      if (left <= 0) return
    }
  }

  const start = Math.max(Math.min(lease.read_until, now), now - MAX_AGE_MS)
  const end = now + AHEAD_MS
  for (let from = start - OVERLAP_MS; from < end && read < MAX_READ; from += SLICE_MS) {
    const to = Math.min(from + SLICE_MS, end)
    await gather({ from, to })
    await commit((tx) => watch.note(tx, { read_until: Math.min(to, now) }))
  }
  const from = start - OVERLAP_MS - (lease.late_slice + 1) * SLICE_MS
  await gather({ from, to: from + SLICE_MS }, MAX_READ)
  await (await import('./watch-reroutes.ts')).watchReroutes({ db, stores }, now, commit)
  // while no other collector adds any
  await tellFailures(db, now)
  await commit((tx) => finish(tx, lease, start, now))
  return counted
}

async function finish(
  tx: Db,
  lease: Lease<'switchroom_failure_watch'>,
  start: number,
  now: number,
) {
  await watch.end(tx, lease, now, { late_slice: (lease.late_slice + 1) % LATE_SLICES })
  // what is read again is still there
  const oldest = start - OVERLAP_MS - (LATE_SLICES + 1) * SLICE_MS
  await tx.deleteFrom('switchroom_failure_calls').where('attempted_at', '<', oldest).execute()
  await tx
    .deleteFrom('switchroom_failures')
    .where('last_at', '<', new Date(now - FORGET_MS).toISOString())
    .where('state', '!=', 'muted')
    .execute()
}

const reopenMuted = (db: Db, now: number) =>
  db
    .updateTable('switchroom_failures')
    .set({ state: 'open', muted_until: null })
    .where('muted_until', '<=', new Date(now).toISOString())
    .execute()
