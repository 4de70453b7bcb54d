import { createRequire } from 'node:module'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Db, kindOf } from '../src/db/open.ts'

/** Control of the statements that this process sends: `cut` sees them, and stops one. */
type Watch = {
  /** Since `cutAt`, without rollbacks. */
  sent: string[]
  /** The database is gone as soon as this is true for a statement, which is not carried out. */
  isCut: (sql: string, number: number) => boolean
}
type Connection = {
  prototype: { query: (this: { stream: { destroy: () => void } }, ...args: unknown[]) => unknown }
}

const sqlOf = (query: unknown) =>
  typeof query === 'string' ? query : String((query as { sql?: unknown } | undefined)?.sql)

/**
 * Takes the database away between two statements: SQLite fails as when another program holds the file, the connection to MariaDB is
 * lost. Replaces parts of both clients until `restore`.
 */
export function cuttable(db: Db) {
  let watch: Watch = { sent: [], isCut: () => false }
  const isCut = (sql: string) => {
    if (/^\s*rollback/i.test(sql)) return false
    watch.sent.push(sql)
    return watch.isCut(sql, watch.sent.length)
  }
  const restore = kindOf(db) === 'sqlite' ? replaceSqlite(isCut) : replaceMysql(isCut)
  return {
    /** Cuts at a statement that this chooses, by its text and its number from 1. */
    cutAt(chosen: Watch['isCut']) {
      watch = { sent: [], isCut: chosen }
    },
    /** Stops cutting. Returns the statements that were sent, the one that was cut included. */
    mend() {
      const { sent } = watch
      watch = { sent: [], isCut: () => false }
      return sent
    },
    restore,
  }
}

function replaceSqlite(isCut: (sql: string) => boolean) {
  const database = new DatabaseSync(':memory:')
  const prototype = Object.getPrototypeOf(database.prepare('select 1')) as StatementSync
  database.close()
  const names = ['all', 'get', 'run', 'iterate'] as const
  const originals = names.map((name) => prototype[name])
  for (const [i, name] of names.entries()) {
    const original = originals[i] as (...args: unknown[]) => unknown
    Object.assign(prototype, {
      [name](this: StatementSync, ...args: unknown[]) {
        // SQLITE_BUSY
        if (isCut(this.sourceSQL))
          throw Object.assign(new Error('database is locked'), {
            code: 'ERR_SQLITE_ERROR',
            errcode: 5,
          })
        return original.apply(this, args)
      },
    })
  }
  return () => {
    for (const [i, name] of names.entries()) Object.assign(prototype, { [name]: originals[i] })
  }
}

function replaceMysql(isCut: (sql: string) => boolean) {
  const { prototype } = (createRequire(import.meta.url)('mysql2') as { Connection: Connection })
    .Connection
  const original = prototype.query
  prototype.query = function (...args) {
    if (isCut(sqlOf(args[0]))) this.stream.destroy()
    return original.apply(this, args)
  }
  return () => {
    prototype.query = original
  }
}
