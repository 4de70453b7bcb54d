import { readFileSync } from 'node:fs'
import type { RedisOptions } from 'ioredis'
import type { DatabaseConfig } from '../db/open.ts'
import type { Env } from './environment.ts'

/**
 * The database that takes writes. Reads go there as well, because they must see what was just written: only
 * `SWITCHROOM_MYSQL_REPLICA_HOST` names one that may lag.
 */
export function mysql(env: Env): DatabaseConfig | undefined {
  if (!env.JAMBONES_MYSQL_HOST) return undefined
  const ca = content(env.JAMBONES_MYSQL_SSL_CA_FILE)
  const cert = content(env.JAMBONES_MYSQL_SSL_CERT_FILE)
  const key = content(env.JAMBONES_MYSQL_SSL_KEY_FILE)
  const strict = env.JAMBONES_MYSQL_REJECT_UNAUTHORIZED
  const writes = env.JAMBONES_MYSQL_WRITE_HOST
  return {
    kind: 'mysql',
    host: writes ?? env.JAMBONES_MYSQL_HOST,
    port: writes ? env.JAMBONES_MYSQL_WRITE_PORT : env.JAMBONES_MYSQL_PORT,
    user: env.JAMBONES_MYSQL_WRITE_USER ?? env.JAMBONES_MYSQL_USER!,
    password: env.JAMBONES_MYSQL_WRITE_PASSWORD ?? env.JAMBONES_MYSQL_PASSWORD ?? '',
    database: env.JAMBONES_MYSQL_WRITE_DATABASE ?? env.JAMBONES_MYSQL_DATABASE!,
    connectionLimit:
      env.JAMBONES_MYSQL_WRITE_CONNECTION_LIMIT ?? env.JAMBONES_MYSQL_CONNECTION_LIMIT,
    ...((ca || cert || strict !== undefined) && {
      ssl: {
        ...(ca && { ca }),
        ...(cert && { cert }),
        ...(key && { key }),
        rejectUnauthorized: strict !== '0' && strict !== 'false',
      },
    }),
  }
}

export function replica(env: Env): DatabaseConfig | undefined {
  const database = mysql(env)
  const host = env.SWITCHROOM_MYSQL_REPLICA_HOST
  if (!host || database?.kind !== 'mysql') return undefined
  return {
    ...database,
    host,
    port: env.SWITCHROOM_MYSQL_REPLICA_PORT,
    user: env.SWITCHROOM_MYSQL_REPLICA_USER ?? database.user,
    password: env.SWITCHROOM_MYSQL_REPLICA_PASSWORD ?? database.password,
  }
}

export function redis(env: Env): RedisOptions | undefined {
  if (!env.JAMBONES_REDIS_HOST && !env.JAMBONES_REDIS_SENTINELS) return undefined
  const ca = content(env.JAMBONES_REDIS_TLS_CA_FILE)
  const cert = content(env.JAMBONES_REDIS_TLS_CERT_FILE)
  const key = content(env.JAMBONES_REDIS_TLS_KEY_FILE)
  const common: RedisOptions = {
    ...(env.JAMBONES_REDIS_USERNAME && { username: env.JAMBONES_REDIS_USERNAME }),
    ...(env.JAMBONES_REDIS_PASSWORD && { password: env.JAMBONES_REDIS_PASSWORD }),
    ...(env.ENABLE_JAMBONES_REDIS_TLS && {
      tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    }),
  }
  if (!env.JAMBONES_REDIS_SENTINELS)
    return { ...common, host: env.JAMBONES_REDIS_HOST!, port: env.JAMBONES_REDIS_PORT }
  // measured with @jambonz/realtimedb-helpers 0.8.21: these two go to Redis, not to the sentinels
  const username = env.JAMBONES_REDIS_SENTINEL_USERNAME
  const password = env.JAMBONES_REDIS_SENTINEL_PASSWORD
  const sentinelPassword = env.JAMBONES_REDIS_SENTINEL_SERVER_PASSWORD
  return {
    ...common,
    name: env.JAMBONES_REDIS_SENTINEL_MASTER_NAME!,
    sentinels: env.JAMBONES_REDIS_SENTINELS.split(',').map((entry) => {
      const [host, port] = entry.trim().split(':')
      return { host: host!, port: Number(port ?? 26379) }
    }),
    ...(username && { username }),
    ...(password && { password }),
    ...(sentinelPassword && { sentinelPassword }),
  }
}

export const content = (file: string | undefined) => (file ? readFileSync(file, 'utf8') : undefined)
