import { sql } from 'kysely'
import { type Db, kindOf } from './open.ts'

/**
 * All or nothing. With `lock`, transactions of the same name follow one another in all processes, for
 * rules that no unique key of the platform's tables keeps (a user's e-mail, a SIP client's name).
 */
export function transaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  { lock }: { lock?: string } = {},
): Promise<T> {
  // SQLite has one writer at a time anyway
  if (!lock || kindOf(db) === 'sqlite') return db.transaction().execute(work)
  return db.connection().execute(async (connection) => {
    // names are the whole server's, where other databases have writers too
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
