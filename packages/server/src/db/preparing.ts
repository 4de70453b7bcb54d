import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { errorCode } from '../errors/members.ts'
import { createOwnTable } from './migrations/own-table.ts'
import { type Db, isDuplicate, kindOf } from './open.ts'
import { isClustered } from './transaction.ts'

/** Time that processes wait for the one that prepares the database. */
const MOST_MS = 600_000
/** A process that has not renewed its lease for this long has ended. */
const LEASE_MS = 60_000

/** Runs `work` in one process at a time; on SQLite in one transaction. Throws if another has not ended in ten minutes. */
export function whilePreparing<T>(db: Db, work: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    if (kindOf(db) === 'sqlite') return sqliteTransaction(connection, () => work(connection))
    return mysqlLock(connection, async () =>
      (await isClustered(db, connection))
        ? overNodes(db, connection, () => work(connection))
        : work(connection),
    )
  })
}

async function mysqlLock<T>(db: Db, work: () => Promise<T>) {
  // locks are per server, so the name includes the database
  const lock = sql`concat('switchroom:', sha1(database()))`
  const { rows } = await sql<{
    got: number
  }>`select get_lock(${lock}, ${MOST_MS / 1_000}) as got`.execute(db)
  if (rows[0]?.got !== 1) throw stillPreparing()
  try {
    return await work()
  } finally {
    await sql`select release_lock(${lock})`.execute(db)
  }
}

const stillPreparing = () => new Error('Another process is still preparing the database')

async function sqliteTransaction<T>(db: Db, work: () => Promise<T>) {
  await sql`begin immediate`.execute(db)
  try {
    const result = await work()
    await sql`commit`.execute(db)
    return result
  } catch (e) {
    await sql`rollback`.execute(db)
    throw e
  }
}

/**
 * Among the nodes of a Galera cluster, which do not know each other's locks, a row tells who prepares. A transaction
 * cannot: each statement that changes a table commits.
 */
async function overNodes<T>(db: Db, connection: Db, work: () => Promise<T>) {
  await createOwnTable(connection, 'switchroom_preparing', {
    id: 'integer primary key',
    holder: 'varchar(36) not null',
    ends_at: 'bigint not null',
  })
  const holder = randomUUID()
  const ends_at = () => sql<number>`(unix_timestamp(now(3)) * 1000 + ${LEASE_MS})`
  const gaveUp = performance.now() + MOST_MS
  while (!(await takes(connection, holder, ends_at))) {
    if (performance.now() > gaveUp) throw stillPreparing()
    await setTimeout(500)
  }
  // by another connection: this one may be changing a large table
  const renewal = setInterval(
    () =>
      db
        .updateTable('switchroom_preparing')
        .set({ ends_at: ends_at() })
        .where('holder', '=', holder)
        .execute()
        // the next one may succeed
        .catch(() => undefined),
    LEASE_MS / 6,
  )
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await connection.deleteFrom('switchroom_preparing').where('holder', '=', holder).execute()
  }
}

/** Takes the turn to prepare. True if nobody else prepares, at any node. */
async function takes(db: Db, holder: string, ends_at: () => ReturnType<typeof sql<number>>) {
  try {
    await db
      .deleteFrom('switchroom_preparing')
      .where('ends_at', '<', sql<number>`unix_timestamp(now(3)) * 1000`)
      .execute()
    await db
      .insertInto('switchroom_preparing')
      .values({ id: 1, holder, ends_at: ends_at() })
      .execute()
    return true
  } catch (e) {
    // another one does, or has begun at another node at the same time
    if (isDuplicate(e) || errorCode(e) === 'ER_LOCK_DEADLOCK') return false
    throw e
  }
}
