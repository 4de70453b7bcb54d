import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { tellWrites, type WriteListener } from './writes.ts'

/** State of a database's connections, and the observer of its statements. */
export type Watch = {
  /** Connections in use, and those who wait for one. */
  in_use: number
  waiting: number
  /** Runs a statement. Its text has placeholders in place of values. Undefined if nobody follows them. */
  statement?: <T>(sql: string, run: () => Promise<T>) => Promise<T>
  /** Listeners for this process's writes. */
  writes: Set<WriteListener>
}

export const newWatch = (): Watch => ({ in_use: 0, waiting: 0, writes: new Set() })

/** The same dialect, with its use counted. */
export const watched = (dialect: Dialect, watch: Watch): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver: () => counted(dialect.createDriver(), watch),
})

function counted(driver: Driver, watch: Watch): Driver {
  const followed = new WeakSet<DatabaseConnection>()
  const follow = (connection: DatabaseConnection) => {
    if (followed.has(connection)) return
    followed.add(connection)
    const { statement } = watch
    if (statement) {
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query, options) =>
        statement(query.sql, () => execute(query, options))
    }
    tellWrites(connection, watch.writes)
  }
  const own: Partial<Driver> = {
    async acquireConnection(options) {
      watch.waiting++
      try {
        const connection = await driver.acquireConnection(options)
        watch.in_use++
        follow(connection)
        return connection
      } finally {
        watch.waiting--
      }
    },
    async releaseConnection(connection, options) {
      watch.in_use--
      await driver.releaseConnection(connection, options)
    },
  }
  // drivers have private members and optional methods. Looked up once, as each statement needs several
  const bound = new Map<PropertyKey, unknown>()
  return new Proxy(driver, {
    get(target, name) {
      if (bound.has(name)) return bound.get(name)
      const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name)
      const method = typeof value === 'function' ? value.bind(target) : value
      bound.set(name, method)
      return method
    },
  })
}
