import { sql } from 'kysely'
import { type Db, kindOf } from './open.ts'

/**
 * Runs `work` in a transaction. With `lock`, transactions of that name run one at a time over all
 * processes, for rules without a unique key (a user's email, a SIP client's name). Without `isSynced`, SQLite does not
 * wait for the disk: what was written survives the process, but not a power cut within seconds.
 */
export function transaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  { lock, isSynced = true }: { lock?: string | undefined; isSynced?: boolean } = {},
): Promise<T> {
  const isSqlite = kindOf(db) === 'sqlite'
  if (isSqlite && !isSynced) return unsynced(db, work)
  // SQLite has only one writer at a time
  if (!lock || isSqlite) return db.transaction().execute(work)
  return db.connection().execute(async (connection) => {
    // lock names are per server, which other databases share
    const name = sql`concat('switchroom:', sha1(concat(database(), ':', ${lock})))`
    const { rows } = await sql<{ got: number }>`select get_lock(${name}, 10) as got`.execute(
      connection,
    )
    if (rows[0]?.got !== 1)
      throw Object.assign(new Error(`Another writer held "${lock}" for too long`), {
        code: 'ER_LOCK_WAIT_TIMEOUT',
      })
    try {
      return await connection.transaction().execute(work)
    } finally {
      await sql`select release_lock(${name})`.execute(connection)
    }
  })
}

const unsynced = <T>(db: Db, work: (tx: Db) => Promise<T>) =>
  db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection)
    try {
      return await connection.transaction().execute(work)
    } finally {
      await sql`pragma synchronous = full`.execute(connection)
    }
  })
