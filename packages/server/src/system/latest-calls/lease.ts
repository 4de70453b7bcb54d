import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { databaseNow, isOver } from '../../db/clock.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db, Tables } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'

const LEASE_MS = 60_000
/** The one row of `switchroom_call_watch`. */
const WATCH = 1

export type Lease = {
  holder: string
  /** The time of a test. */
  at: number | undefined
  read_until: number
  counted_since: number
  is_caught_up: boolean
  first_day: number
  late_slice: number
  swept_to: string
}

export const watch = (db: Db) => db.updateTable('switchroom_call_watch').where('id', '=', WATCH)

const read = (db: Db) =>
  db.selectFrom('switchroom_call_watch').selectAll().where('id', '=', WATCH).executeTakeFirst()

type Begun = Pick<
  Selectable<Tables['switchroom_call_watch']>,
  'counted_since' | 'read_until' | 'first_day'
>

/** Takes the lease for counting; undefined while another process holds it. `begun`: where counting begins. */
export async function takeLease(
  db: Db,
  now: number,
  at: number | undefined,
  begun: Begun,
): Promise<Lease | undefined> {
  if (!(await read(db)))
    await db
      .insertInto('switchroom_call_watch')
      .values({
        ...{ id: WATCH, ...begun, is_caught_up: 0, late_slice: 0, swept_to: '' },
        ...{ holder: '', leased_until: 0 },
      })
      .$call(skipExisting(db))
      .execute()
  const holder = randomUUID()
  const { numUpdatedRows } = await watch(db)
    .set({ holder, leased_until: now + LEASE_MS })
    .where(isOver('leased_until', now, LEASE_MS))
    .executeTakeFirst()
  // read again: another process may have moved it
  const row = numUpdatedRows > 0n ? await read(db) : undefined
  return (
    row && {
      ...{ holder, at, first_day: row.first_day, late_slice: row.late_slice },
      ...{ read_until: Number(row.read_until), counted_since: Number(row.counted_since) },
      ...{ is_caught_up: row.is_caught_up === 1, swept_to: row.swept_to },
    }
  )
}

/** Writes in one transaction while the lease is held, and renews it, which also keeps other processes out. */
export const whileLeased = <R>(db: Db, { holder, at }: Lease, work: (tx: Db) => Promise<R>) =>
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

/** Lets the next pass begin, in any process. */
export const endLease = (
  db: Db,
  { holder }: Lease,
  now: number,
  next: Pick<Lease, 'late_slice' | 'swept_to'>,
) =>
  watch(db)
    .set({ ...next, leased_until: now })
    .where('holder', '=', holder)
    .execute()
