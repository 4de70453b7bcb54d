import { Kysely } from 'kysely'
import type { Db } from './open.ts'
import { sqliteWorkerDialect } from './sqlite-worker.ts'
import { transaction } from './transaction.ts'
import type { Turns } from './turns.ts'
import { type Watch, watched } from './watched.ts'

/** Runs a transaction, as `transaction` does. */
export type Transact = <T>(
  work: (tx: Db) => Promise<T>,
  options: { lock?: string | undefined },
) => Promise<T>

/** Gives `work` a function that runs large transactions while others can still read. */
export type Bulk = <T>(work: (transact: Transact) => Promise<T>) => Promise<T>

/** On the connections of other transactions. */
export const bulkOn =
  (db: Db): Bulk =>
  (work) =>
    work((of, options) => transaction(db, of, { ...options, isLarge: true }))

/** In a thread with its own connection to a SQLite file. Its transactions and others take turns. */
export const threadBulk =
  (file: string, watch: Watch, writing: Turns): Bulk =>
  async (work) => {
    const thread: Db = new Kysely({
      dialect: watched(sqliteWorkerDialect({ file, purpose: 'a transaction' }), watch),
    })
    const transact: Transact = async (of) => {
      const endTurn = await writing()
      try {
        return await thread.transaction().execute(of)
      } finally {
        endTurn()
      }
    }
    try {
      // started before others have to wait
      await thread.selectFrom('switchroom_state').select('name').execute()
      return await work(transact)
    } finally {
      await thread.destroy()
    }
  }
