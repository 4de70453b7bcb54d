import { Socket } from 'node:net'
import type { MysqlPoolConnection, MysqlStreamOptions as StreamOptions } from 'kysely'
import type { Connection, PoolConnection, QueryError } from 'mysql2'
import type { Query, Thread } from './mysql-threads.ts'

/** The most prepared statements of a connection. The one used longest ago gives way. */
export const MAX_PREPARED = 200
const MAX_PARAMETERS = 8
/** A text of at least this length is faster to send than to escape, which would also block everything else. */
const LONG_TEXT = 10_000
/** A server with too many prepared statements, or a proxy that cannot prepare them or has lost them. */
const NOT_PREPARED = new Set([1243, 1295, 1461, 1615])

/**
 * True if a statement is worth preparing: a lookup by sids, which is repeated often, or a statement that stores a long
 * text. Only for text parameters, because the client sends numbers as floating point, which no `limit` takes.
 */
const isPrepared = (sql: string, parameters: unknown[]): parameters is string[] =>
  parameters.length > 0 &&
  parameters.length <= MAX_PARAMETERS &&
  parameters.every((value) => typeof value === 'string') &&
  (sql.startsWith('select') || parameters.some((value) => value.length >= LONG_TEXT))

/** The pool that a session belongs to. */
type SessionPool = {
  limits: { statement_ms: number }
  /** False once the server cannot prepare statements. */
  prepares: boolean
  watch: (
    session: Session | undefined,
    limit_ms: number,
    onLate: (e: unknown) => void,
  ) => { stop: () => boolean }
  discardIdle: () => void
  abandon: (thread: Thread | undefined) => void
}

/** A connection whose statements have time limits. */
export class Session implements MysqlPoolConnection {
  #connection: PoolConnection
  #pool: SessionPool
  /** Why the connection was thrown away. */
  #failure: unknown
  /** True if the connection is discarded on release, so that a rollback still goes through. */
  #isUseless = false
  isIdle = false
  thread: Thread | undefined

  constructor(connection: PoolConnection, pool: SessionPool) {
    this.#connection = connection
    this.#pool = pool
  }

  get config() {
    return this.#connection.config
  }

  get threadId() {
    return this.#connection.threadId
  }

  connect(callback?: (e: unknown) => void) {
    this.#connection.connect(callback)
  }

  /**
   * Runs a query: with a callback for all rows at once; without one, use `stream` of the result for one row after
   * another.
   */
  query(sql: string, parameters: unknown[], callback?: (e: unknown, result: never) => void) {
    if (callback) this.#run(sql, parameters, callback)
    return { stream: (options: StreamOptions) => this.#stream(sql, parameters, options) }
  }

  #run(sql: string, parameters: unknown[], done: (e: unknown, result: never) => void) {
    // also for later statements of a transaction: the first error is the reason
    if (this.#failure !== undefined) return done(this.#failure, undefined as never)
    const watch = this.#pool.watch(this, this.#pool.limits.statement_ms, (e) => {
      this.discard(e)
      done(e, undefined as never)
    })
    const settle = (e: QueryError | null, result: unknown) => {
      if (!watch.stop()) return
      if (e && READ_ONLY.has(e.errno ?? 0)) {
        this.#isUseless = true
        this.#pool.discardIdle()
      }
      done(e, result as never)
    }
    if (!this.#pool.prepares || !isPrepared(sql, parameters))
      return void this.#connection.query(sql, parameters, settle)
    this.#connection.execute(sql, parameters, (e, result) => {
      if (!e || !NOT_PREPARED.has(e.errno ?? 0)) return settle(e, result)
      this.#pool.prepares = false
      this.#connection.query(sql, parameters, settle)
    })
  }

  #stream(sql: string, parameters: unknown[], options: StreamOptions) {
    if (this.#failure !== undefined) throw this.#failure
    const rows = this.#connection.query(sql, parameters).stream(options)
    // the server is done as soon as the rows are on their way, so only whether it answers counts
    const watch = this.#pool.watch(undefined, this.#pool.limits.statement_ms, (e) => {
      this.discard(e)
      rows.destroy(e instanceof Error ? e : undefined)
    })
    return rows.once('close', watch.stop)
  }

  ask: Query = (sql) =>
    new Promise((resolve, reject) => {
      this.query(sql, [], (e, rows) => (e ? reject(e) : resolve(rows)))
    })

  /** Throws the connection away, and its thread on the server. */
  discard(e: unknown = new DatabaseTimeout('The connection to the database was lost')) {
    this.#failure ??= e
    this.isIdle = false
    this.#pool.abandon(this.thread)
    cut(this.#connection)
  }

  release() {
    if (this.#failure !== undefined) return
    if (this.#isUseless) return this.discard()
    this.isIdle = true
    this.#connection.release()
  }

  destroy() {
    this.discard()
  }
}

/** A server that became read-only, as after a failover, or a Galera node outside its cluster. */
const READ_ONLY = new Set([1290, 1792, 1836, 1047])

export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  code = 'ETIMEDOUT'
  /** Set as the client does for errors of connections. */
  fatal = true
}

/** Closes without waiting for the other end, which may be gone. */
export function cut(connection: Connection) {
  const socket: unknown = Reflect.get(connection, 'stream')
  connection.destroy()
  if (socket instanceof Socket) socket.destroy()
}
