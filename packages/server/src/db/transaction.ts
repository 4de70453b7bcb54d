import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { type Db, isUndone, kindOf, turnToWrite, undone } from './open.ts'

/** The most rows that transactions with a lock write on a Galera cluster. */
const LOCK_SLOTS = 1_024
const MOST_TRIES = 20
const MAX_PAUSE_MS = 20

/**
 * Runs `work` in a transaction. With `lock`, transactions of that name run one at a time over all processes, for rules
 * without a unique key (a user's email, a SIP client's name). `work` runs again if the database undid it in favor of
 * another transaction, so it does nothing that cannot be done twice. Without `isSynced`, SQLite does not wait for the
 * disk: the write survives the process, but not a power cut within seconds. Only some of MySQL's connections are for
 * transactions, unless `isLarge`: there are few long ones. Inside a transaction it becomes part of it, with the outer
 * one's locks.
 */
export async function transaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  { lock, isSynced = true, isLarge = false }: Options = {},
): Promise<T> {
  if (db.isTransaction) return work(db)
  if (kindOf(db) === 'sqlite') return isSynced ? db.transaction().execute(work) : unsynced(db, work)
  const endTurn = isLarge ? undefined : await turnToWrite(db)
  try {
    const locks = [lock ?? []].flat()
    return await (locks.length > 0 ? alone(db, work, locks) : untilCommitted(db, work))
  } finally {
    endTurn?.()
  }
}

type Options = {
  /** Several are taken in this order, which must be the same everywhere. */
  lock?: string | readonly string[] | undefined
  isSynced?: boolean
  isLarge?: boolean
}

/** Locks are global to the server, and their names are short. */
export const lockName = (lock: string) =>
  sql`concat('switchroom:', sha1(concat_ws(':', database(), ${lock})))`

const alone = <T>(db: Db, work: (tx: Db) => Promise<T>, locks: readonly string[]) =>
  db.connection().execute(async (connection) => {
    const held: string[] = []
    try {
      for (const lock of locks) {
        await getLock(connection, lock)
        held.push(lock)
      }
      const isAlone = !(await isClustered(db, connection))
      return await untilCommitted(connection, async (tx) => {
        if (!isAlone) for (const lock of locks) await takeTurn(tx, lock)
        return work(tx)
      })
    } finally {
      for (const lock of held) await sql`select release_lock(${lockName(lock)})`.execute(connection)
    }
  })

async function getLock(connection: Db, lock: string) {
  const { rows } = await sql<{ got: number | null }>`
    select get_lock(${lockName(lock)}, 10) as got`.execute(connection)
  if (rows[0]?.got !== 1)
    throw Object.assign(new Error('A lock was not free in time'), { code: 'ER_LOCK_WAIT_TIMEOUT' })
}

/**
 * Retries a transaction that a Galera cluster undid: of two at different nodes that write the same row, it undoes the
 * one that commits last.
 */
export async function untilCommitted<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    let begun: Db | undefined
    try {
      return await db.transaction().execute((tx) => {
        begun = tx
        return work(tx)
      })
    } catch (e) {
      if (!isUndone(e) || tries === MOST_TRIES) throw e
      if (begun) undone.add(begun)
      await setTimeout(Math.random() * MAX_PAUSE_MS * tries)
    }
  }
}

/** Meets the transactions of the same lock at other nodes of the cluster: two that write this row do not both commit. */
export const takeTurn = (tx: Db, lock: string) =>
  tx
    .insertInto('switchroom_lock_turns')
    .values({ slot: crc32(lock) % LOCK_SLOTS, turns: 1 })
    .onDuplicateKeyUpdate(({ eb }) => ({ turns: eb('switchroom_lock_turns.turns', '+', 1) }))
    .execute()

/**
 * Like `lock`, from here until the transaction ends: for lock names known only inside it. Reads that must see what the
 * last holder wrote lock their rows too, since a transaction otherwise sees the data as of its first read.
 */
export async function lockIn(tx: Db, lock: string) {
  // SQLite has a single writer anyway
  if (kindOf(tx) === 'mysql') await takeTurn(tx, lock)
}

const clustered = new WeakMap<Db, boolean>()

/** True if the database is a node of a Galera cluster, whose named locks are local to the node. */
export async function isClustered(db: Db, connection: Db): Promise<boolean> {
  const known = clustered.get(db)
  if (known !== undefined) return known
  const { rows } = await sql<{ Value: string }>`show variables like 'wsrep_on'`.execute(connection)
  const found = rows[0]?.Value === 'ON'
  clustered.set(db, found)
  return found
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
