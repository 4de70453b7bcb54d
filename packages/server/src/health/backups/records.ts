import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type Run = {
  id: number
  /** In milliseconds since 1970. */
  began_at: number
  ended_at: number | null
  state: 'running' | 'done' | 'failed'
  /** Why it failed, or its warnings. */
  sentence: string | null
  /** Path of the backup, also of one that failed. */
  file: string | null
  bytes: number | null
}

/** The server's own list of backups: it is about this folder, not about the data. */
const RECORDS = 'backups.db'
/** A run that was not heard of for this long has been interrupted. */
const SILENT_MS = 60_000
/** The most runs that are kept. */
export const KEPT = 200

/**
 * Opens the record of this data folder's backups and of the process that makes one now. It is in the folder itself, so
 * that exactly the processes that share the folder share it too, whatever their database. Not part of a backup.
 */
function withRecords<T>(data: string, work: (db: DatabaseSync) => T): T {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const file = join(data, RECORDS)
  const db = new DatabaseSync(file, { timeout: 5_000 })
  try {
    chmodSync(file, 0o600)
    db.exec('begin immediate')
    db.exec(`create table if not exists folder (id text not null);
      create table if not exists runs (
        id integer primary key, began_at integer not null, heard_at integer not null,
        ended_at integer, state text not null, sentence text, file text, bytes integer)`)
    const result = work(db)
    db.exec('commit')
    return result
  } finally {
    // rolls back uncommitted changes
    db.close()
  }
}

/** Part of the names of this folder's own backups, so that others in the same place are left alone. */
export const folderId = (data: string) =>
  withRecords(data, (db) => {
    const stored = db.prepare('select id from folder').get()
    if (stored) return String(stored.id)
    const id = randomBytes(4).toString('hex')
    db.prepare('insert into folder values (?)').run(id)
    return id
  })

const COLUMNS = 'id, began_at, ended_at, state, sentence, file, bytes'

function newest(db: DatabaseSync, limit: number): Run[] {
  // this file wrote the rows
  return db.prepare(`select ${COLUMNS} from runs order by id desc limit ?`).all(limit) as Run[]
}

function endInterrupted(db: DatabaseSync, now: number) {
  // one that was heard of later than now was recorded by a wrong clock
  db.prepare(
    `update runs set state = 'failed', ended_at = heard_at, sentence = 'It was interrupted.'
      where state = 'running' and heard_at not between ? and ?`,
  ).run(now - SILENT_MS, now + SILENT_MS)
}

/** Newest first. */
export const runs = (data: string, limit: number, now = Date.now()) =>
  withRecords(data, (db) => {
    endInterrupted(db, now)
    return newest(db, limit)
  })

/** The same without writing, also where there are no records yet. */
export function runsAsRecorded(data: string, limit: number): Run[] {
  const file = join(data, RECORDS)
  if (!existsSync(file)) return []
  const db = new DatabaseSync(file, { readOnly: true, timeout: 2_000 })
  try {
    return newest(db, limit)
  } finally {
    db.close()
  }
}

/**
 * Begins a run that writes a file, if `isDue` and no other process is at it. `isDue` is given the runs so far, newest
 * first. Resolves to its id; to undefined if there is nothing to do.
 */
export const beginRun = (
  data: string,
  isDue: (runs: Run[]) => boolean,
  file: string,
  now = Date.now(),
): number | undefined =>
  withRecords(data, (db) => {
    endInterrupted(db, now)
    const runs = newest(db, KEPT)
    if (runs[0]?.state === 'running' || !isDue(runs)) return undefined
    const { lastInsertRowid } = db
      .prepare("insert into runs (began_at, heard_at, state, file) values (?, ?, 'running', ?)")
      .run(now, now, file)
    db.prepare('delete from runs where id <= ?').run(Number(lastInsertRowid) - KEPT)
    return Number(lastInsertRowid)
  })

/** Says that a run is still under way. */
export const keepRun = (data: string, id: number, now = Date.now()) =>
  withRecords(data, (db) => db.prepare('update runs set heard_at = ? where id = ?').run(now, id))

export const endRun = (
  data: string,
  id: number,
  { state, sentence, bytes }: Pick<Run, 'state' | 'sentence' | 'bytes'>,
  now = Date.now(),
) =>
  withRecords(data, (db) =>
    db
      .prepare(
        'update runs set ended_at = ?, heard_at = ?, state = ?, sentence = ?, bytes = ? where id = ?',
      )
      .run(now, now, state, sentence, bytes, id),
  )
