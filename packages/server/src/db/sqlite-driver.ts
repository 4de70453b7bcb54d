import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
} from 'kysely'
import { errorNumber } from '../errors/members.ts'
import { execute, nodeSqlite } from './sqlite.ts'
import type { Turns } from './turns.ts'

/** Time that a write waits for another process, the same as SQLite's own limit. */
const BUSY_MS = 5_000
const RETRY_MS = 10
const SQLITE_BUSY = 5

/**
 * A database file with one connection that reads and one that writes. Reads never wait for a transaction; writes
 * wait for their turn without blocking the process, also for another process.
 */
export function sqliteFileDialect(open: () => DatabaseSync, writing: Turns): Dialect {
  const dialect = new SqliteDialect({ database: async () => nodeSqlite(open()) })
  return {
    createAdapter: () => new FileAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => new FileDriver(open, writing),
  }
}

class FileAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}

class FileDriver implements Driver {
  #open: () => DatabaseSync
  #writing: Turns
  #files: Files | undefined

  constructor(open: () => DatabaseSync, writing: Turns) {
    this.#open = open
    this.#writing = writing
  }

  async init() {
    this.#files = new Files(this.#open)
  }

  async acquireConnection() {
    return new FileConnection(this.#files!, this.#writing)
  }

  beginTransaction = (connection: DatabaseConnection) => run(connection, 'begin')
  commitTransaction = (connection: DatabaseConnection) => run(connection, 'commit')
  rollbackTransaction = (connection: DatabaseConnection) => run(connection, 'rollback')

  async releaseConnection(connection: DatabaseConnection) {
    if (connection instanceof FileConnection) connection.release()
  }

  async destroy() {
    this.#files?.close()
  }
}

const run = async (connection: DatabaseConnection, statement: string) => {
  await connection.executeQuery(CompiledQuery.raw(statement))
}

class Files {
  #open: () => DatabaseSync
  #readable: DatabaseSync
  #writable: DatabaseSync
  readonly writer: SqliteDatabase
  reader: SqliteDatabase

  constructor(open: () => DatabaseSync) {
    this.#open = open
    this.#writable = open()
    // waiting here would block everything else
    this.#writable.exec('pragma busy_timeout = 0; pragma cache_size = -8000')
    this.writer = nodeSqlite(this.#writable)
    this.#readable = open()
    this.reader = nodeSqlite(this.#readable)
  }

  /** Replaces the reader, which would keep using the old columns. */
  renewReader() {
    const old = this.#readable
    this.#readable = this.#open()
    this.reader = nodeSqlite(this.#readable)
    old.close()
  }

  /** Rolls back a transaction that was left open. Other people's writes must not join it: nobody would commit them. */
  endTransaction() {
    if (this.#writable.isOpen && this.#writable.isTransaction) this.#writable.exec('rollback')
  }

  /** A connection of its own: while a statement is being read, its connection sees nothing newer. */
  openReader = () => nodeSqlite(this.#open())

  close() {
    this.#readable.close()
    this.writer.close()
  }
}

const READS = /^\s*select\b/i
const CHANGES_COLUMNS = /^\s*(create|alter|drop)\b/i

/** Reads until its first other statement, with which its turn to write begins. */
class FileConnection implements DatabaseConnection {
  #files: Files
  #writing: Turns
  #endTurn: (() => void) | undefined
  #changesColumns = false

  constructor(files: Files, writing: Turns) {
    this.#files = files
    this.#writing = writing
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#endTurn && READS.test(sql)) return execute(this.#files.reader, sql, parameters)
    this.#endTurn ??= await this.#writing()
    if (CHANGES_COLUMNS.test(sql)) this.#changesColumns = true
    return this.#write(sql, parameters)
  }

  /** Another process may be writing: only a statement outside of a transaction can meet it. */
  async #write<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const began = performance.now()
    while (true) {
      try {
        return execute(this.#files.writer, sql, parameters)
      } catch (e) {
        const isBusy = ((errorNumber(e, 'errcode') ?? 0) & 0xff) === SQLITE_BUSY
        if (!isBusy || performance.now() - began > BUSY_MS) throw e
      }
      await pause(RETRY_MS)
    }
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const own = this.#endTurn ? undefined : this.#files.openReader()
    try {
      const rows = (own ?? this.#files.writer).prepare(sql).iterate(parameters)
      for (const row of rows) yield { rows: [row as R] }
    } finally {
      own?.close()
    }
  }

  release() {
    if (!this.#endTurn) return
    try {
      this.#files.endTransaction()
      if (this.#changesColumns) this.#files.renewReader()
    } finally {
      this.#changesColumns = false
      this.#endTurn()
      this.#endTurn = undefined
    }
  }
}
