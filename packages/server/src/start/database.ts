import { existsSync, statSync } from 'node:fs'
import { CannotStart, fileReason } from '../config/cannot-start.ts'
import type { Config } from '../config/config.ts'
import { databaseOf, explainDatabaseError } from '../config/database-error.ts'
import { bulkOn, threadBulk } from '../db/bulk.ts'
import { MIGRATION_LIMITS } from '../db/mysql-pool.ts'
import { type DatabaseConfig, type Db, openDb } from '../db/open.ts'
import { prepareDatabase, WrongDatabase } from '../db/prepare.ts'
import { slowReads } from '../db/slow-reads.ts'
import { turns } from '../db/turns.ts'
import type { Watch } from '../db/watched.ts'
import { makeFolder } from '../stores/kit/durable.ts'
import { refuseShortSecret } from './secret.ts'

/** From what size on a SQLite file has tables that take long to count. */
const LARGE_BYTES = 64 * 2 ** 20

/** Opens and prepares the configured database. Throws `CannotStart` or `WrongDatabase`. */
export async function startDatabase(config: Config, watch: Watch) {
  const where = databaseOf(config)
  const prepare = (db: Db) => prepareDatabase(db, () => refuseShortSecret(config))
  return explainError(where, async () => {
    if (where.kind === 'sqlite') {
      makeDataFolder(config.data)
      const writing = turns()
      const db = openDb(where, undefined, watch, writing)
      const prepared = await prepare(db)
      return {
        db,
        bulk: threadBulk(where.file, watch, writing),
        slow: {
          ...slowReads(where.file, watch),
          // it may have become so since the start
          isLarge: () => statSync(where.file).size > LARGE_BYTES,
        },
        ...prepared,
      }
    }
    // what waits for delivery is kept there; whoever cannot do without says why it cannot be made
    try {
      makeDataFolder(config.data)
    } catch {}
    const preparing = openDb(where, MIGRATION_LIMITS)
    try {
      const db = openDb(where, undefined, watch)
      return { db, bulk: bulkOn(db), slow: undefined, ...(await prepare(preparing)) }
    } finally {
      await preparing.destroy()
    }
  })
}

/** Opens an already prepared database for command-line tools. Changes nothing. */
export async function existingDatabase(config: Config): Promise<Db> {
  const where = databaseOf(config)
  if (where.kind === 'sqlite' && !existsSync(where.file))
    throw new CannotStart(
      `SWITCHROOM_DATA: there is no database file ${where.file}. Run this with the server's own variables, in the folder where it starts.`,
    )
  return explainError(where, async () => {
    const db = openDb(where)
    const tables = await db.introspection.getTables()
    if (!tables.some((t) => t.name === 'switchroom_audit_head'))
      throw new CannotStart(
        tables.length === 0
          ? 'The database is empty. Load its dump, or start the server first.'
          : 'This version has not prepared this database yet. Start the server first.',
      )
    return db
  })
}

function makeDataFolder(folder: string) {
  try {
    makeFolder(folder)
  } catch (cause) {
    throw new CannotStart(
      `SWITCHROOM_DATA: the folder ${folder} cannot be created (${fileReason(cause)}).`,
      { cause },
    )
  }
}

async function explainError<T>(where: DatabaseConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (e) {
    if (e instanceof CannotStart || e instanceof WrongDatabase) throw e
    throw (await explainDatabaseError(e, where)) ?? e
  }
}
