import { randomUUID } from 'node:crypto'
import { databaseNow, isOver } from '../../db/clock.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'

const LEASE_MS = 60_000
/** The one row of `switchroom_event_watch`. */
export const WATCH = 1

export type Lease = {
  holder: string
  audit_seq: number
  read_until: number
  late_slice: number
  /** The time of a test. */
  at: number | undefined
}

export const watch = (db: Db) => db.updateTable('switchroom_event_watch').where('id', '=', WATCH)

const read = (db: Db) =>
  db.selectFrom('switchroom_event_watch').selectAll().where('id', '=', WATCH).executeTakeFirst()

/** Takes the lease for gathering; undefined while another process holds it. */
export async function takeLease(
  db: Db,
  now: number,
  at: number | undefined,
): Promise<Lease | undefined> {
  if (!(await read(db)))
    await db
      .insertInto('switchroom_event_watch')
      .values({
        ...{ id: WATCH, seq: 0, audit_seq: 0, read_until: 0, late_slice: 0 },
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
      ...{ holder, at, late_slice: row.late_slice },
      ...{ audit_seq: Number(row.audit_seq), read_until: Number(row.read_until) },
    }
  )
}

/** Writes in one transaction while the lease is held, and renews it, which also keeps other processes out. */
export const whileLeased = <R>(db: Db, { holder, at }: Lease, work: (tx: Db) => Promise<R>) =>
  transaction(db, async (tx) => {
    const now = at ?? (await databaseNow(tx))
    const { numUpdatedRows } = await watch(tx)
      .set({ leased_until: now + LEASE_MS })
      .where('holder', '=', holder)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Error('Another process has taken over')
    return work(tx)
  })

/** Lets the next pass begin, in any process. */
export const endLease = (db: Db, { holder }: Lease, now: number, late_slice: number) =>
  watch(db).set({ leased_until: now, late_slice }).where('holder', '=', holder).execute()
