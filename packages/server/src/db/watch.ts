import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { databaseNow, isOver } from './clock.ts'
import { skipExisting } from './dialect.ts'
import type { Db, Tables } from './open.ts'
import { transaction } from './transaction.ts'

type Table =
  | 'switchroom_call_watch'
  | 'switchroom_event_watch'
  | 'switchroom_failure_watch'
  | 'switchroom_score_watch'
type Lasting = 'id' | 'holder' | 'leased_until'
type Begun<T extends Table> = Omit<Selectable<Tables[T]>, Lasting>

export type Lease<T extends Table> = Begun<T> & {
  holder: string
  /** The time of a test. */
  at: number | undefined
}

const LEASE_MS = 60_000
const ID = 1

/** A table of one row, which says how far something was read, and which process reads on: one at a time. */
export function watchOf<T extends Table>(table: T, options: { isSynced?: boolean } = {}) {
  // Kysely types the columns of one table, not those that several have
  const shared = table as 'switchroom_failure_watch'
  const read = (db: Db) => db.selectFrom(shared).selectAll().where('id', '=', ID).executeTakeFirst()
  const row = (db: Db) => db.updateTable(shared).where('id', '=', ID)

  return {
    /** Takes the lease; undefined while another process holds it. `begun`: where reading begins. */
    async take(
      db: Db,
      now: number,
      at: number | undefined,
      begun: Begun<T>,
    ): Promise<Lease<T> | undefined> {
      if (!(await read(db)))
        await db
          .insertInto(shared)
          .values({
            ...(begun as unknown as Begun<typeof shared>),
            id: ID,
            holder: '',
            leased_until: 0,
          })
          .$call(skipExisting(db))
          .execute()
      const holder = randomUUID()
      const { numUpdatedRows } = await row(db)
        .set({ holder, leased_until: now + LEASE_MS })
        .where(isOver('leased_until', now, LEASE_MS))
        .executeTakeFirst()
      // read again: another process may have moved it
      const taken = numUpdatedRows > 0n ? await read(db) : undefined
      return taken && { ...(taken as unknown as Begun<T>), holder, at }
    },

    /** Writes in one transaction while the lease is held, and renews it, which also keeps other processes out. */
    whileLeased: <R>(
      db: Db,
      { holder, at }: Pick<Lease<T>, 'holder' | 'at'>,
      work: (tx: Db) => Promise<R>,
    ) =>
      transaction(
        db,
        async (tx) => {
          const now = at ?? (await databaseNow(tx))
          const { numUpdatedRows } = await row(tx)
            .set({ leased_until: now + LEASE_MS })
            .where('holder', '=', holder)
            .executeTakeFirst()
          if (numUpdatedRows === 0n) throw new Error('Another process has taken over')
          return work(tx)
        },
        options,
      ),

    /** Notes how far it has come. */
    note: (tx: Db, change: Partial<Begun<T>>) => row(tx).set(change).execute(),

    /** Lets the next pass begin, in any process. */
    end: (db: Db, { holder }: Pick<Lease<T>, 'holder'>, now: number, next: Partial<Begun<T>>) =>
      row(db)
        .set({ ...next, leased_until: now })
        .where('holder', '=', holder)
        .execute(),
  }
}
