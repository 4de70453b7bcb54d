import type { MysqlPool, MysqlPoolConnection } from 'kysely'
import type { Connection, Pool, PoolConnection, PoolOptions } from 'mysql2'
import { errorNumber } from '../errors/members.ts'
import { cut, DatabaseTimeout, MAX_PREPARED, Session } from './mysql-session.ts'
import {
  isNotRunning,
  type Probe,
  type Query,
  queryOn,
  type Thread,
  type Threads,
  threadsOf,
} from './mysql-threads.ts'
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
