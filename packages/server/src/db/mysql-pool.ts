import { Socket } from 'node:net'
import type { MysqlPool, MysqlPoolConnection, MysqlStreamOptions as StreamOptions } from 'kysely'
import type {
  Connection,
  Pool,
  PoolConnection,
  PoolOptions,
  QueryError,
  RowDataPacket,
} from 'mysql2'
import { errorNumber } from '../errors/members.ts'
import { type Turns, turns } from './turns.ts'

export type MysqlLimits = {
  /** Time without a result after which the server is probed over a new connection. */
  suspect_ms: number
  /** The time limit of that question. With `suspect_ms` it is how long a request waits for a hung server. */
  probe_ms: number
  /** A statement that the server is still running is ended after this long. */
  statement_ms: number
  /** The wait for a connection, while all are busy and the server answers. */
  wait_ms: number
}

export const REQUEST_LIMITS: MysqlLimits = {
  suspect_ms: 1_000,
  probe_ms: 1_500,
  statement_ms: 30_000,
  wait_ms: 10_000,
}

/** Migrations of large tables take as long as they take. */
export const MIGRATION_LIMITS: MysqlLimits = { ...REQUEST_LIMITS, statement_ms: 4 * 3_600_000 }

/** Time that the server may take to close a connection. */
const CLOSE_MS = 500
/** The most requests that wait for a connection. */
const MAX_WAITING = 2_000
const MAX_ABANDONED = 1_000
/**
 * Share of all connections that transactions may use. They wait for each other's locks, which readers should not have
 * to wait for.
 */
const SHARE_OF_TRANSACTIONS = 0.5
/** A server that became read-only, as after a failover, or a Galera node outside its cluster. */
const READ_ONLY = new Set([1290, 1792, 1836, 1047])

/** The most prepared statements of a connection. The one used longest ago gives way. */
const MAX_PREPARED = 200
const MAX_PARAMETERS = 8
/** A text of at least this length is faster to send than to escape, which would also block everything else. */
const LONG_TEXT = 10_000
/** A server with too many prepared statements, or a proxy that cannot prepare them or has lost them. */
const NOT_PREPARED = new Set([1243, 1295, 1461, 1615])

/** A server's thread for one of our connections. Thread numbers start again after a restart, so the client's address counts too. */
type Thread = { server: string; id: number; client: string }
/** The server's list of our connections. */
type Threads = {
  server: string
  self: number
  running: Map<number, { client: string; isIdle: boolean }>
}
type Probe = { alive: true; threads: Threads | undefined } | { alive: false; cause: unknown }

export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  code = 'ETIMEDOUT'
  /** Set as the client does for errors of connections. */
  fatal = true
}

const THREADS = `select @@hostname as server, connection_id() as self, id, host as client, command
  from information_schema.processlist`

type Query = (sql: string) => Promise<RowDataPacket[]>
const queryOn =
  (connection: Connection): Query =>
  (sql) =>
    new Promise((resolve, reject) => {
      connection.query<RowDataPacket[]>(sql, (e, rows) => (e ? reject(e) : resolve(rows)))
    })

async function threadsOf(query: Query): Promise<Threads> {
  const rows = await query(THREADS)
  const running = rows.map(
    ({ id, client, command }) =>
      [Number(id), { client: String(client), isIdle: command === 'Sleep' }] as const,
  )
  const { server, self } = rows[0]!
  return { server: String(server), self: Number(self), running: new Map(running) }
}

/** Closes without waiting for the other end, which may be gone. */
function cut(connection: Connection) {
  const socket: unknown = Reflect.get(connection, 'stream')
  connection.destroy()
  if (socket instanceof Socket) socket.destroy()
}

export type TransactionPool = MysqlPool & {
  /** Resolves when a transaction may take one of the connections, to a function that gives it back. */
  turnToWrite: Turns
}

/**
 * A pool that never waits for a server that hangs. A statement without a result makes us ask the server over a
 * new connection: if the server does not answer, or no longer knows the statement, the connection is thrown
 * away with all idle ones, and its thread on the server is killed as soon as the server can be reached. That
 * rolls back its transaction and frees its locks. A statement that the server is still running has more time.
 */
export async function limitedPool(
  options: PoolOptions,
  limits: MysqlLimits,
  /** Run on each new connection. */
  prepare: string,
): Promise<TransactionPool> {
  const { createConnection, createPool } = await import('mysql2')
  const pool = createPool({
    ...options,
    queueLimit: MAX_WAITING,
    connectTimeout: limits.probe_ms,
    maxPreparedStatements: MAX_PREPARED,
  })
  const open = () => createConnection({ ...options, connectTimeout: limits.probe_ms })
  const most = Math.max(1, Math.floor((options.connectionLimit ?? 1) * SHARE_OF_TRANSACTIONS))
  return new LimitedPool(pool, open, limits, prepare, turns(most))
}

class LimitedPool implements TransactionPool {
  #pool: Pool
  #open: () => Connection
  #prepare: string
  #writing: Turns
  #sessions = new Map<PoolConnection, Session>()
  #probing: Promise<Probe> | undefined
  /** Threads of connections that were thrown away, to be killed. */
  #abandoned: Thread[] = []
  /** True if the last probe failed. Requests then wait for the next probe, not for connections. */
  #isDown = false
  /** True if statements are prepared; never at a node of a Galera cluster. */
  prepares = true
  readonly limits: MysqlLimits

  constructor(
    pool: Pool,
    open: () => Connection,
    limits: MysqlLimits,
    prepare: string,
    writing: Turns,
  ) {
    this.#writing = writing
    this.#pool = pool
    this.#open = open
    this.limits = limits
    this.#prepare = prepare
  }

  getConnection(callback: (error: unknown, connection: MysqlPoolConnection) => void) {
    this.#acquire().then(
      (session) => callback(null, session),
      (e: unknown) => callback(e, undefined as never),
    )
  }

  turnToWrite = () =>
    new Promise<() => void>((resolve, reject) => {
      const watch = this.watch(undefined, this.limits.wait_ms, reject)
      void this.#writing().then((end) => {
        if (watch.stop()) resolve(end)
        // nobody waits for it any longer
        else end()
      })
    })

  async #acquire(): Promise<Session> {
    if (this.#isDown) {
      const probe = await this.probe()
      if (!probe.alive) throw probe.cause
    }
    return new Promise((resolve, reject) => {
      const fail = (e: unknown) => {
        watch.stop()
        reject(e)
      }
      const watch = this.watch(undefined, this.limits.wait_ms, fail)
      this.#pool.getConnection((e, connection) => {
        if (e) return fail(e)
        this.#sessionOf(connection).then((session) => {
          if (watch.stop()) resolve(session)
          // nobody waits for it any longer
          else session.release()
        }, fail)
      })
    })
  }

  async #sessionOf(connection: PoolConnection): Promise<Session> {
    const known = this.#sessions.get(connection)
    if (known) {
      known.isIdle = false
      return known
    }
    const session = new Session(connection, this)
    this.#sessions.set(connection, session)
    const forget = () => this.#sessions.delete(connection)
    connection.on('end', forget)
    // also keeps errors of a connection that was cut from being thrown
    connection.on('error', forget)
    try {
      await session.ask(this.#prepare)
      // a node of a Galera cluster is behind the others for moments, also in the rights of an ended session
      const [cluster] = await session.ask("show variables like 'wsrep_on'")
      if (cluster?.Value === 'ON') {
        await session.ask('set session wsrep_sync_wait = 1')
        // a node that undoes a transaction while it prepares a statement tells nobody, and then commits nothing
        this.prepares = false
      }
      const threads = await threadsOf(session.ask)
      const client = threads.running.get(threads.self)?.client
      if (client !== undefined)
        session.thread = { server: threads.server, id: threads.self, client }
      await this.#killAbandoned(threads, session.ask)
    } catch (e) {
      session.discard()
      throw e
    }
    this.#isDown = false
    return session
  }

  /**
   * Calls `onLate` once if it is not stopped in time. `stop` tells whether it was in time. `session` has a
   * statement in progress; undefined while waiting for a connection.
   */
  watch(session: Session | undefined, limit_ms: number, onLate: (e: unknown) => void) {
    const { suspect_ms } = this.limits
    let isOver = false
    let timer: NodeJS.Timeout
    const began = performance.now()
    const end = (e: unknown) => {
      if (isOver) return
      isOver = true
      onLate(e)
    }
    let timesMissing = 0
    const check = async () => {
      const probe = await this.probe()
      if (isOver) return
      if (!probe.alive) {
        this.#discardIdle()
        return end(probe.cause)
      }
      const isMissing = session !== undefined && isNotRunning(session.thread, probe.threads)
      timesMissing = isMissing ? timesMissing + 1 : 0
      // its result may be on the way the first time
      if (timesMissing === 2) {
        this.#discardIdle()
        return end(new DatabaseTimeout('The connection to the database was lost'))
      }
      if (performance.now() - began > limit_ms)
        return end(
          new DatabaseTimeout(
            session ? 'The statement took too long' : 'No connection became free in time',
          ),
        )
      timer = setTimeout(check, isMissing ? suspect_ms / 4 : suspect_ms)
    }
    timer = setTimeout(check, suspect_ms)
    return {
      stop() {
        const inTime = !isOver
        isOver = true
        clearTimeout(timer)
        return inTime
      },
    }
  }

  /** Asks the server over a new connection what it is running. Concurrent callers share one probe. */
  probe(): Promise<Probe> {
    this.#probing ??= this.#probeOnce().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  async #probeOnce(): Promise<Probe> {
    const connection = this.#open()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const e = new DatabaseTimeout('The database does not answer')
      timer = setTimeout(() => reject(e), this.limits.probe_ms)
      connection.on('error', reject)
    })
    try {
      const threads = await Promise.race([threadsOf(queryOn(connection)), late])
      await Promise.race([this.#killAbandoned(threads, queryOn(connection)), late])
      this.#isDown = false
      return { alive: true, threads }
    } catch (cause) {
      // numbers above 0 are the server's own errors, so it answers
      const alive = (errorNumber(cause, 'errno') ?? 0) > 0
      this.#isDown = !alive
      return alive ? { alive, threads: undefined } : { alive, cause }
    } finally {
      clearTimeout(timer)
      cut(connection)
    }
  }

  abandon(thread: Thread | undefined) {
    if (thread && this.#abandoned.length < MAX_ABANDONED) this.#abandoned.push(thread)
  }

  async #killAbandoned({ server, running }: Threads, query: Query) {
    const here = this.#abandoned.filter((thread) => thread.server === server)
    if (here.length === 0) return
    this.#abandoned = this.#abandoned.filter((thread) => thread.server !== server)
    // it may have ended by itself
    for (const { id, client } of here)
      if (running.get(id)?.client === client) await query(`kill ${id}`).catch(() => undefined)
  }

  /** Idle connections went the same way as the one that was lost. */
  #discardIdle() {
    for (const session of this.#sessions.values()) if (session.isIdle) session.discard()
  }

  discardIdle = () => this.#discardIdle()

  end(callback: (e: unknown) => void) {
    const done = Promise.withResolvers<unknown>()
    this.#pool.end(done.resolve)
    const timer = setTimeout(done.resolve, CLOSE_MS)
    done.promise.then((e) => {
      clearTimeout(timer)
      for (const session of this.#sessions.values()) session.discard()
      callback(e)
    })
  }
}

/** True if the server certainly runs no statement on this thread. Behind a proxy this cannot be told. */
function isNotRunning(thread: Thread | undefined, threads: Threads | undefined) {
  if (!thread || !threads || thread.server !== threads.server) return false
  if (!threads.running.has(threads.self)) return false
  const found = threads.running.get(thread.id)
  return found === undefined || found.client !== thread.client || found.isIdle
}

/**
 * True if a statement is worth preparing: a lookup by sids, which is repeated often, or a statement that stores a long
 * text. Only for text parameters, because the client sends numbers as floating point, which no `limit` takes.
 */
const isPrepared = (sql: string, parameters: unknown[]): parameters is string[] =>
  parameters.length > 0 &&
  parameters.length <= MAX_PARAMETERS &&
  parameters.every((value) => typeof value === 'string') &&
  (sql.startsWith('select') || parameters.some((value) => value.length >= LONG_TEXT))

/** A connection whose statements have time limits. */
class Session implements MysqlPoolConnection {
  #connection: PoolConnection
  #pool: LimitedPool
  /** Why the connection was thrown away. */
  #failure: unknown
  /** True if the connection is discarded on release, so that a rollback still goes through. */
  #isUseless = false
  isIdle = false
  thread: Thread | undefined

  constructor(connection: PoolConnection, pool: LimitedPool) {
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
