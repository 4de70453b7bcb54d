import { randomUUID } from 'node:crypto'
import type { Call } from '@switchroom/contract'
import { databaseNow, isOver } from '../../db/clock.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import type { Span } from '../../stores/calls.ts'
import { HOUR_MS } from '../../stores/sums.ts'
import { countCalls } from './count-calls.ts'
import { tellFailures } from './tell.ts'

/** Records are written when calls end: new ones are read again for this long. */
const OVERLAP_MS = 120_000
/** Read at once, and committed as read. */
const SLICE_MS = 600_000
/** Later records are counted as well, within minutes: one slice of this time is read again with each pass. */
const LATE_SLICES = 6
/** Older failures are not counted, at first or after an outage. */
const MAX_AGE_MS = 24 * HOUR_MS
/** Clocks of components may be ahead. */
const AHEAD_MS = 60_000
const BATCH = 500
/** Most unanswered calls of one pass; the next one continues. */
const MAX_READ = 20_000
const LEASE_MS = 60_000
/** Failures are forgotten this long after their last call, unless they are muted. */
const FORGET_MS = 30 * 24 * HOUR_MS
const WATCH = 1

type Gathering = Pick<Context, 'db' | 'stores'>
type Lease = { holder: string; read_until: number; late_slice: number }

/**
 * Gathers new failed calls, in one process at a time. Each call is counted once, however often it is read:
 * its key is stored in the transaction that counts it. Resolves to how many were counted. Throws
 * `StoreUnavailable` and database errors.
 */
export async function gatherFailures({ db, stores }: Gathering, at?: number): Promise<number> {
  const now = at ?? (await databaseNow(db))
  await reopenMuted(db, now)
  const lease = await takeLease(db, now)
  if (!lease) return 0
  let [read, counted] = [0, 0]
  const gather = async (span: Span, most = Number.POSITIVE_INFINITY) => {
    let left = most
    for await (const batch of batches(stores.calls.each({ ...span, answered: false }))) {
      counted += await commit(db, lease, at, (tx) => countCalls(tx, batch, now))
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
    await commit(db, lease, at, (tx) =>
      watch(tx)
        .set({ read_until: Math.min(to, now) })
        .execute(),
    )
  }
  const from = start - OVERLAP_MS - (lease.late_slice + 1) * SLICE_MS
  await gather({ from, to: from + SLICE_MS }, MAX_READ)
  await (await import('./watch-reroutes.ts')).watchReroutes({ db, stores }, now, (work) =>
    commit(db, lease, at, work),
  )
  // while no other collector adds any
  await tellFailures(db, now)
  await commit(db, lease, at, (tx) => finish(tx, lease, start, now))
  return counted
}

async function* batches(calls: AsyncIterable<Call>): AsyncGenerator<Call[]> {
  let batch: Call[] = []
  for await (const call of calls) {
    batch.push(call)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const watch = (db: Db) => db.updateTable('switchroom_failure_watch').where('id', '=', WATCH)

/** Takes the lease; undefined while another process holds it. */
async function takeLease(db: Db, now: number): Promise<Lease | undefined> {
  const read = () =>
    db
      .selectFrom('switchroom_failure_watch')
      .select(['read_until', 'late_slice'])
      .where('id', '=', WATCH)
      .executeTakeFirst()
  if (!(await read()))
    await db
      .insertInto('switchroom_failure_watch')
      .values({
        ...{ id: WATCH, late_slice: 0, holder: '', leased_until: 0 },
        read_until: now - MAX_AGE_MS,
      })
      .$call(skipExisting(db))
      .execute()
  const holder = randomUUID()
  const { numUpdatedRows } = await watch(db)
    .set({ holder, leased_until: now + LEASE_MS })
    .where(isOver('leased_until', now, LEASE_MS))
    .executeTakeFirst()
  // read again: another process may have moved it
  const row = numUpdatedRows > 0n ? await read() : undefined
  return row && { holder, read_until: Number(row.read_until), late_slice: row.late_slice }
}

/** Writes in one transaction while the lease is held, and renews it, which also keeps other collectors out. */
const commit = <R>(
  db: Db,
  { holder }: Lease,
  at: number | undefined,
  work: (tx: Db) => Promise<R>,
) =>
  transaction(
    db,
    async (tx) => {
      const now = at ?? (await databaseNow(tx))
      const { numUpdatedRows } = await watch(tx)
        .set({ leased_until: now + LEASE_MS })
        .where('holder', '=', holder)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Error('Another process has taken over')
      return work(tx)
    },
    { isSynced: false },
  )

async function finish(tx: Db, { late_slice }: Lease, start: number, now: number) {
  await watch(tx)
    .set({ late_slice: (late_slice + 1) % LATE_SLICES, leased_until: now })
    .execute()
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
