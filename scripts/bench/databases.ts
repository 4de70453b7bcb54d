import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import type { DatabaseConfig } from '../../packages/server/src/db/open.ts'
import { startServices } from '../services.ts'
import { PASSWORD } from './one-by-one.ts'

/** An empty database, and the environment of a server on it. */
export type Database = {
  kind: string
  config: DatabaseConfig
  environment: Record<string, string>
}

/** The databases to measure: `only` sqlite or mysql, or both. What they store is below `folder`. */
export async function startDatabases(folder: string, only: string | undefined) {
  const databases: Database[] = []
  if (only !== 'mysql') {
    const data = dataOf('SQLite', folder)
    const config = { kind: 'sqlite', file: join(data, 'switchroom.db') } as const
    databases.push({ kind: 'SQLite', config, environment: environmentOf(data) })
  }
  if (only === 'sqlite') return { databases, programs: {}, stop: () => undefined }
  const { mariadb, ...services } = await startMariaDb(dataOf('MariaDB', folder))
  return { databases: [...databases, mariadb], ...services }
}

function dataOf(kind: string, folder: string) {
  const data = join(folder, kind)
  mkdirSync(data)
  return data
}

/** Environment of a server with this data folder. */
export const environmentOf = (data: string) => ({
  SWITCHROOM_DATA: data,
  SWITCHROOM_ADMIN_PASSWORD: PASSWORD,
  JWT_SECRET: 'the secret that signs sessions of the bench',
  DISABLE_RATE_LIMITS: '1',
  JAMBONES_LOGLEVEL: 'warn',
})

/** Commits durably, on disk, as a server of a platform does. */
async function startMariaDb(data: string) {
  const services = await startServices(['MariaDB', 'Redis'], {
    parent: tmpdir(),
    mariadb: ['--innodb-flush-log-at-trx-commit=1', '--innodb-doublewrite=1'],
  })
  const mysql = new URL(services.env.TEST_MYSQL_URL!)
  const redis = new URL(services.env.TEST_REDIS_URL!)
  const where = { host: mysql.hostname, port: Number(mysql.port), user: 'root', password: '' }
  const connection = await createConnection(where)
  await connection.query('create database bench')
  await connection.end()
  const mariadb: Database = {
    kind: 'MariaDB',
    config: { kind: 'mysql', ...where, database: 'bench', connectionLimit: 10 },
    environment: {
      ...environmentOf(data),
      JAMBONES_MYSQL_HOST: where.host,
      JAMBONES_MYSQL_PORT: String(where.port),
      JAMBONES_MYSQL_USER: where.user,
      JAMBONES_MYSQL_DATABASE: 'bench',
      JAMBONES_REDIS_HOST: redis.hostname,
      JAMBONES_REDIS_PORT: redis.port,
    },
  }
  return { mariadb, programs: services.programs, stop: services.stop }
}
