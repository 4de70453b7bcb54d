import { Kysely } from 'kysely'
import type { Db } from './open.ts'
import { sqliteWorkerDialect } from './sqlite-worker.ts'
import { transaction } from './transaction.ts'
import type { Turns } from './turns.ts'
import { type Watch, watched } from './watched.ts'

/** Runs a large transaction, as `transaction` does, while others go on reading. */
export type Bulk = <T>(
  work: (tx: Db) => Promise<T>,
  options: { lock?: string | undefined },
) => Promise<T>

/** On the connections of other transactions. */
export const bulkOn =
  (db: Db): Bulk =>
  (work, options) =>
    transaction(db, work, options)

/** In a thread with its own connection to a SQLite file, while nobody else writes. */
export const threadBulk =
  (file: string, watch: Watch, writing: Turns): Bulk =>
  async (work) => {
    const thread: Db = new Kysely({ dialect: watched(sqliteWorkerDialect(file), watch) })
    try {
      // started before others have to wait
      await thread.selectFrom('switchroom_state').select('name').execute()
      const endTurn = await writing()
      try {
        return await thread.transaction().execute(work)
      } finally {
        endTurn()
      }
    } finally {
      await thread.destroy()
    }
  }
