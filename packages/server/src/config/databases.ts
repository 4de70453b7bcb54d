import { readFileSync } from 'node:fs'
import type { RedisOptions } from 'ioredis'
import type { DatabaseConfig } from '../db/open.ts'
import type { Env } from './environment.ts'

export function mysql(env: Env): DatabaseConfig | undefined {
  if (!env.JAMBONES_MYSQL_HOST) return undefined
  const ca = content(env.JAMBONES_MYSQL_SSL_CA_FILE)
  const cert = content(env.JAMBONES_MYSQL_SSL_CERT_FILE)
  const key = content(env.JAMBONES_MYSQL_SSL_KEY_FILE)
  const strict = env.JAMBONES_MYSQL_REJECT_UNAUTHORIZED
  return {
    kind: 'mysql',
    host: env.JAMBONES_MYSQL_HOST,
    port: env.JAMBONES_MYSQL_PORT,
    user: env.JAMBONES_MYSQL_USER!,
    password: env.JAMBONES_MYSQL_PASSWORD ?? '',
    database: env.JAMBONES_MYSQL_DATABASE!,
    connectionLimit: env.JAMBONES_MYSQL_CONNECTION_LIMIT,
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
  return {
    ...common,
    name: env.JAMBONES_REDIS_SENTINEL_MASTER_NAME!,
    sentinels: env.JAMBONES_REDIS_SENTINELS.split(',').map((entry) => {
      const [host, port] = entry.trim().split(':')
      return { host: host!, port: Number(port ?? 26379) }
    }),
    ...(env.JAMBONES_REDIS_SENTINEL_USERNAME && {
      sentinelUsername: env.JAMBONES_REDIS_SENTINEL_USERNAME,
    }),
    ...(env.JAMBONES_REDIS_SENTINEL_PASSWORD && {
      sentinelPassword: env.JAMBONES_REDIS_SENTINEL_PASSWORD,
    }),
  }
}

export const content = (file: string | undefined) => (file ? readFileSync(file, 'utf8') : undefined)
