import { Resolver } from 'node:dns/promises'
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { t } from '@switchroom/contract'
import type { Redis } from 'ioredis'
import { type Config, examineConfig } from '../../config/config.ts'
import { databaseOf, explainDatabaseError } from '../../config/database-error.ts'
import { explainRedisError } from '../../config/redis-error.ts'
import { type Db, onSqlite, openDb } from '../../db/open.ts'
import { sentenceOf } from '../../parts/sentence.ts'
import { type Finding, findingOf, notChecked, problem } from './finding.ts'

/** What could be opened, or why not. */
export type Opened<T> = { it: T } | { failure: Finding }

/** The set-up that is checked, and the connections that checks share. */
export type Site = {
  environment: Environment
  config: Config
  /** Errors of the configuration, by variable. */
  problems: ReadonlyMap<string, string>
  /** Whether this process is the server, which listens on its ports itself. */
  isServer: boolean
  database: () => Promise<Opened<Db>>
  /** Undefined where Redis is not in use. */
  redis: (() => Promise<Opened<Redis>>) | undefined
  resolver: Resolver
  close: () => Promise<void>
}

type Environment = Record<string, string | undefined>

const LIMITS = { suspect_ms: 1_500, probe_ms: 2_500, statement_ms: 5_000, wait_ms: 5_000 }
const REDIS_MS = 3_000
const DNS_MS = 2_000

export function siteOf({
  environment,
  running,
  dns,
}: {
  environment: Environment
  /** The configuration that this process serves with, if it is the server. */
  running?: Config
  /** Addresses of DNS servers, in place of the machine's own. */
  dns?: string[]
}): Site {
  const { config, problems } = running
    ? { config: running, problems: new Map<string, string>() }
    : examineConfig(environment)
  const opened: (() => unknown)[] = []
  const resolver = new Resolver({ timeout: DNS_MS, tries: 1 })
  if (dns) resolver.setServers(dns)
  opened.push(() => resolver.cancel())
  const { redis: options } = config
  return {
    environment,
    config,
    problems,
    isServer: running !== undefined,
    database: once(() => openDatabase(config, (db) => opened.push(() => db.destroy()))),
    redis:
      options && once(() => openRedis(options, (redis) => opened.push(() => redis.disconnect()))),
    resolver,
    async close() {
      await Promise.allSettled(opened.map(async (end) => end()))
    },
  }
}

function once<T>(work: () => Promise<T>) {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}

async function openDatabase(config: Config, onOpen: (db: Db) => void): Promise<Opened<Db>> {
  const where = databaseOf(config)
  try {
    if (where.kind === 'sqlite' && !existsSync(where.file))
      return {
        failure: notChecked(t('There is no database file yet. The first start creates it.')),
      }
    const db =
      where.kind === 'sqlite'
        ? onSqlite(readOnly(where.file))
        : openDb({ ...where, connectionLimit: 2 }, LIMITS)
    onOpen(db)
    await db.introspection.getSchemas()
    return { it: db }
  } catch (e) {
    const known = await explainDatabaseError(e, where).catch(() => undefined)
    return {
      failure: known
        ? findingOf(known, t('the database'))
        : problem(
            t('The database cannot be opened: {sentence}.', { sentence: sentenceOf(e) }),
            t('Look at the log of the database server.'),
          ),
    }
  }
}

/** Leaves no file behind: without `immutable`, reading creates files beside the database when nobody else has. */
function readOnly(file: string) {
  const url = pathToFileURL(file)
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (!log) url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true, timeout: 2_000 })
  // a file is read only now
  database.exec('select count(*) from sqlite_schema')
  return database
}

async function openRedis(
  options: NonNullable<Config['redis']>,
  onOpen: (redis: Redis) => void,
): Promise<Opened<Redis>> {
  const { Redis } = await import('ioredis')
  const redis = new Redis({
    ...options,
    lazyConnect: true,
    connectTimeout: REDIS_MS,
    commandTimeout: REDIS_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  })
  onOpen(redis)
  let cause: unknown
  redis.on('error', (e) => {
    cause = e
  })
  try {
    await redis.connect()
    await redis.ping()
    return { it: redis }
  } catch (e) {
    return { failure: findingOf(explainRedisError(cause ?? e, options), t('Redis')) }
  }
}
