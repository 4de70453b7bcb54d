import { setImmediate } from 'node:timers/promises'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { insertMany } from './insert-many.ts'
import type { Db, Tables } from './open.ts'
import { sqliteWorkerDialect } from './sqlite-worker.ts'
import { transaction } from './transaction.ts'
import type { Turns } from './turns.ts'
import { type Watch, watched } from './watched.ts'

/** Runs a transaction, as `transaction` does. */
export type Transact = <T>(
  work: (tx: Db) => Promise<T>,
  options: { lock?: string | undefined },
) => Promise<T>

/** Rows that a large transaction inserts, made ready while others write. */
export type Stage = {
  /** Few enough rows for one statement, with the same columns as all of the table. */
  add: (table: keyof Tables & string, rows: readonly Record<string, unknown>[]) => Promise<void>
  /** Inserts all, table by table in the order in which they were added first. */
  insert: (tx: Db) => Promise<void>
}

/** Gives `work` a function that runs large transactions while others can still read, and a stage for one of them. */
export type Bulk = <T>(work: (transact: Transact, stage: Stage) => Promise<T>) => Promise<T>

/** On the connections of other transactions. */
export const bulkOn =
  (db: Db): Bulk =>
  (work) =>
    work((of, options) => transaction(db, of, { ...options, isLarge: true }), stageInMemory())

function stageInMemory(): Stage {
  const staged = new Map<keyof Tables & string, (readonly Record<string, unknown>[])[]>()
  return {
    async add(table, rows) {
      staged.set(table, [...(staged.get(table) ?? []), rows])
    },
    async insert(tx) {
      let inserted = Promise.resolve()
      for (const [table, added] of staged)
        for (const rows of added) {
          const before = inserted
          inserted = insertMany(tx, table, rows)
          // until it is awaited
          inserted.catch(() => undefined)
          // the next statement is made while the database works
          await before
          await setImmediate()
        }
      await inserted
    },
  }
}

/**
 * Stages in tables of the connection alone, which die with it: writing to them makes nobody wait. One statement then
 * inserts all, for which others wait half as long as for many with values.
 */
function stageOnConnection(connection: Db): Stage {
  const staged = new Map<keyof Tables & string, string>()
  const run = (db: Db, sql: string, values: readonly unknown[] = []) =>
    db.executeQuery(CompiledQuery.raw(sql, [...values]))
  return {
    async add(table, rows) {
      const names = Object.keys(rows[0] ?? {})
      if (names.length === 0) return
      const columns = names.map((name) => `\`${name}\``).join()
      if (!staged.has(table)) {
        staged.set(table, columns)
        await run(connection, `create temp table staged_${table} (${columns})`)
      }
      const values = rows.map(() => `(${names.map(() => '?').join()})`).join()
      await run(
        connection,
        `insert into temp.staged_${table} (${columns}) values ${values}`,
        rows.flatMap((row) => names.map((name) => row[name])),
      )
    },
    async insert(tx) {
      for (const [table, columns] of staged)
        await run(
          tx,
          `insert into \`${table}\` (${columns}) select ${columns} from temp.staged_${table}`,
        )
    },
  }
}

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
      // no folder for temporary files is needed
      await sql`pragma temp_store = memory`.execute(thread)
      return await work(transact, stageOnConnection(thread))
    } finally {
      await thread.destroy()
    }
  }
