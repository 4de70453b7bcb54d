import { join } from 'node:path'
import type { StoresConfig } from '../stores/open.ts'
import { content } from './databases.ts'
import { type Env, recorder } from './environment.ts'

export function telemetry(env: Env): StoresConfig['telemetry'] {
  const clickhouse = inClickHouse(env, 'calls')
  if (clickhouse) return { ...clickhouse, listen: env.SWITCHROOM_INGEST_INFLUX }
  const host = env.JAMBONES_TIME_SERIES_HOST
  if (host) return { kind: 'influx', url: `http://${/:\d+$/.test(host) ? host : `${host}:8086`}` }
  return {
    kind: 'embedded',
    folder: join(env.SWITCHROOM_DATA, 'telemetry'),
    days: env.SWITCHROOM_TELEMETRY_DAYS,
    max_bytes: env.SWITCHROOM_TELEMETRY_MAX_GB * 1e9,
    listen: env.SWITCHROOM_INGEST_INFLUX,
  }
}

/** Undefined if ClickHouse is not configured. `what` waits in a folder of its own while it is away. */
function inClickHouse(env: Env, what: 'calls' | 'traces' | 'captures') {
  const { SWITCHROOM_CLICKHOUSE_URL: url } = env
  if (!url) return undefined
  return {
    kind: 'clickhouse' as const,
    clickhouse: {
      url,
      user: env.SWITCHROOM_CLICKHOUSE_USER,
      password: env.SWITCHROOM_CLICKHOUSE_PASSWORD,
      database: env.SWITCHROOM_CLICKHOUSE_DATABASE,
      cluster: env.SWITCHROOM_CLICKHOUSE_CLUSTER,
      ca: content(env.SWITCHROOM_CLICKHOUSE_CA_FILE),
    },
    days: env.SWITCHROOM_TELEMETRY_DAYS,
    spool: {
      folder: join(env.SWITCHROOM_DATA, 'clickhouse', ...(what === 'calls' ? [] : [what])),
      max_bytes: env.SWITCHROOM_CLICKHOUSE_SPOOL_MAX_GB * 1e9,
    },
    // each insert makes a part that has to be merged
    pause_ms: 1_000,
  }
}

export function traces(env: Env): StoresConfig['traces'] {
  if (env.JAEGER_BASE_URL) return { kind: 'jaeger', url: env.JAEGER_BASE_URL.replace(/\/+$/, '') }
  const listen = [env.SWITCHROOM_INGEST_OTLP, env.SWITCHROOM_INGEST_JAEGER].filter(
    (at) => at !== undefined,
  )
  const clickhouse = inClickHouse(env, 'traces')
  if (clickhouse) return { ...clickhouse, listen }
  return {
    kind: 'embedded',
    folder: join(env.SWITCHROOM_DATA, 'traces'),
    days: env.SWITCHROOM_TELEMETRY_DAYS,
    max_bytes: env.SWITCHROOM_TRACES_MAX_GB * 1e9,
    listen,
  }
}

export function backups(env: Env) {
  const { SWITCHROOM_BACKUP_EVERY_HOURS: hours, SWITCHROOM_BACKUP_PASSPHRASE_FILE: file } = env
  return {
    to: env.SWITCHROOM_BACKUP_TO,
    schedule: hours === undefined ? { at: env.SWITCHROOM_BACKUP_AT ?? '03:00' } : { hours },
    keep: env.SWITCHROOM_BACKUP_KEEP,
    recordings: env.SWITCHROOM_BACKUP_RECORDINGS,
    passphrase: file ? { file } : { text: env.SWITCHROOM_BACKUP_PASSPHRASE },
    secrets: (['JWT_SECRET', 'ENCRYPTION_SECRET'] as const).filter((name) => env[name]),
  }
}

export function recordings(env: Env): StoresConfig['recordings'] {
  const { username, password } = recorder(env)
  return {
    folder: join(env.SWITCHROOM_DATA, 'recordings'),
    days: env.SWITCHROOM_RECORDINGS_DAYS,
    max_bytes: env.SWITCHROOM_RECORDINGS_MAX_GB * 1e9,
    at_once: env.SWITCHROOM_RECORDINGS_AT_ONCE,
    credential: username && password ? { username, password } : undefined,
  }
}

export function captures(env: Env): StoresConfig['captures'] {
  if (env.HOMER_BASE_URL)
    return {
      kind: 'homer',
      url: env.HOMER_BASE_URL.replace(/\/+$/, ''),
      username: env.HOMER_USERNAME!,
      password: env.HOMER_PASSWORD!,
    }
  const from = { listen: env.SWITCHROOM_INGEST_HEP, key: env.SWITCHROOM_INGEST_HEP_KEY }
  const clickhouse = inClickHouse(env, 'captures')
  if (clickhouse) return { ...clickhouse, ...from }
  return {
    kind: 'embedded',
    folder: join(env.SWITCHROOM_DATA, 'captures'),
    days: env.SWITCHROOM_TELEMETRY_DAYS,
    max_bytes: env.SWITCHROOM_CAPTURES_MAX_GB * 1e9,
    ...from,
  }
}
