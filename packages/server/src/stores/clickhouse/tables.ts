import { entriesOf, t } from '@switchroom/contract'
import type { Held } from '../calls/store.ts'
import type { Batch } from '../kit/batch-spool.ts'
import { StoreUnavailable } from '../kit/unavailable.ts'
import type { ClickHouse } from './client.ts'
import {
  BY_DAY,
  BY_MONTH,
  COUNT,
  DROPPED,
  FINE,
  GEN,
  HOUR,
  MOMENT,
  NAME,
  NUMBER,
  ONE_PART_A_DAY,
  OWNER,
  OWNER_COLUMNS,
  STATUS,
  SUM,
  summedHours,
  type Table,
  TEXT,
  touchedHours,
  WORD,
} from './columns.ts'
import type { RowBinary } from './row-binary.ts'
import { VOICE_TABLES } from './voice-tables.ts'

/** The version of the tables. A database with a newer one is left alone. */
export const VERSION = 1

/** For longer than an insert takes, whose rows are there some time after it said which hours it touches. */
export const SETTLED_MS = 60_000

const KEY = {
  ...OWNER_COLUMNS,
  at: MOMENT,
  series: 'UInt64 CODEC(ZSTD(1))',
}
const TAGS = 'Map(LowCardinality(String), String)'
/** Fields without a column: JSON by name, with the time of writing; the latest counts. */
const MORE = 'SimpleAggregateFunction(maxMap, Map(String, Tuple(UInt64, String)))'
/** Traces that nobody has handled by then are left alone. */
const ARRIVAL_DAYS = 3

/**
 * Tables in ClickHouse. Tags are part of a point's key, by `series`; a missing tag is empty. Fields are null until they
 * are written, so that a point that arrived in parts is one row once its parts have merged.
 */
export const TABLES = {
  calls: {
    name: 'calls',
    columns: {
      ...KEY,
      host: NAME,
      trunk: NAME,
      direction: NAME,
      answered: NAME,
      tags: TAGS,
      application_sid: WORD,
      sip_status: STATUS,
      duration: NUMBER,
      answered_at: NUMBER,
      terminated_at: NUMBER,
      call_sid: TEXT,
      from: TEXT,
      to: TEXT,
      sip_callid: TEXT,
      sip_parent_callid: TEXT,
      termination_reason: WORD,
      remote_host: WORD,
      trace_id: TEXT,
      recording_url: TEXT,
      more: MORE,
    },
    engine: 'CoalescingMergeTree',
    time: 'at',
    partition: BY_DAY,
    order: 'service_provider_sid, account_sid, at, series',
    // which is read without merging
    settings: `${DROPPED}, ${FINE}, ${ONE_PART_A_DAY}`,
    // for parts of numbers, of four characters and more
    indexes: ['from', 'to'].map(
      (name) => `INDEX \`text_${name}\` \`${name}\` TYPE text(tokenizer = ngrams(4))`,
    ),
    shard: OWNER,
  },
  call_ids: {
    name: 'call_ids',
    columns: { hash: 'UInt64', ...KEY },
    engine: 'ReplacingMergeTree',
    time: 'at',
    partition: BY_DAY,
    order: 'hash, at, service_provider_sid, account_sid, series',
    // an id is looked up in every part
    settings: `${DROPPED}, ${FINE}, ${ONE_PART_A_DAY}`,
    shard: OWNER,
  },
  points: {
    name: 'points',
    columns: { database: NAME, measurement: NAME, ...KEY, tags: TAGS, fields: MORE },
    engine: 'CoalescingMergeTree',
    time: 'at',
    partition: BY_DAY,
    order: 'database, measurement, service_provider_sid, account_sid, at, series',
    settings: DROPPED,
    shard: OWNER,
  },
  spans: {
    name: 'spans',
    // `at` is the arrival of a span: its own times are from any clock
    columns: {
      trace_id: 'FixedString(16)',
      span_id: 'FixedString(8)',
      at: MOMENT,
      origin: 'LowCardinality(String)',
      body: 'String CODEC(ZSTD(3))',
    },
    engine: 'ReplacingMergeTree',
    version: 'at',
    time: 'at',
    partition: BY_DAY,
    order: 'trace_id, span_id',
    settings: `${DROPPED}, ${FINE}`,
    shard: 'cityHash64(trace_id)',
  },
  arrivals: {
    name: 'arrivals',
    // `at` is when ClickHouse got them: a batch may have waited for it
    columns: {
      has_root: 'UInt8',
      at: `DateTime64(3, 'UTC') DEFAULT now64(3) CODEC(DoubleDelta, ZSTD(1))`,
      trace_id: 'FixedString(16)',
      process: 'UInt32 CODEC(ZSTD(1))',
    },
    engine: 'ReplacingMergeTree',
    time: 'at',
    days: ARRIVAL_DAYS,
    partition: BY_DAY,
    order: 'has_root, at, trace_id',
    settings: DROPPED,
    shard: 'cityHash64(trace_id)',
  },
  arrivals_done: {
    name: 'arrivals_done',
    // `at` is the arrival of the last of them
    columns: {
      at: `DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1))`,
      trace_id: 'FixedString(16)',
    },
    engine: 'ReplacingMergeTree',
    time: 'at',
    days: ARRIVAL_DAYS,
    partition: BY_DAY,
    order: 'at, trace_id',
    settings: DROPPED,
    shard: 'cityHash64(trace_id)',
  },
  messages: {
    name: 'messages',
    columns: {
      call_id: 'String CODEC(ZSTD(1))',
      sort: NAME,
      // microseconds since 1970, by the clock of the agent
      time: 'Int64 CODEC(DoubleDelta, ZSTD(1))',
      at: MOMENT,
      parent: 'String CODEC(ZSTD(1))',
      source: NAME,
      source_port: 'UInt16',
      destination: NAME,
      destination_port: 'UInt16',
      transport: NAME,
      node: NAME,
      bytes: 'String CODEC(ZSTD(3))',
    },
    engine: 'ReplacingMergeTree',
    time: 'at',
    partition: BY_DAY,
    order: 'call_id, sort, time, at',
    settings: `${DROPPED}, ${FINE}`,
    shard: 'cityHash64(call_id)',
  },
  legs: {
    name: 'legs',
    columns: { parent: 'String', call_id: 'String', at: MOMENT },
    engine: 'ReplacingMergeTree',
    time: 'at',
    partition: BY_DAY,
    order: 'parent, call_id',
    settings: `${DROPPED}, ${FINE}`,
    shard: 'cityHash64(parent)',
  },
  invites: {
    name: 'invites',
    columns: { at: MOMENT, call_id: 'String', from: 'Nullable(String)', to: 'Nullable(String)' },
    engine: 'ReplacingMergeTree',
    time: 'at',
    partition: BY_DAY,
    order: 'at, call_id',
    settings: `${DROPPED}, ${FINE}`,
    shard: 'cityHash64(call_id)',
  },
  call_sums: {
    name: 'call_sums',
    columns: {
      ...OWNER_COLUMNS,
      kind: NAME,
      hour: HOUR,
      key: NAME,
      direction: NAME,
      answered: NAME,
      gen: GEN,
      calls: COUNT,
      seconds: SUM,
      timed: COUNT,
      waits: COUNT,
      wait_ms: SUM,
    },
    engine: 'ReplacingMergeTree',
    version: 'gen',
    time: 'hour',
    // few rows, best read from few parts
    partition: BY_MONTH,
    order: 'service_provider_sid, account_sid, kind, hour, key, direction, answered',
    settings: FINE,
    shard: OWNER,
  },
  touched_hours: touchedHours('touched_hours'),
  summed_hours: summedHours('summed_hours'),
  ...VOICE_TABLES,
} as const satisfies Record<string, Table>
type TableName = keyof typeof TABLES

/** Insert target with the names of its columns: rows in binary have none. */
export function insertInto(table: TableName) {
  const written = Object.entries(TABLES[table].columns).filter(
    ([, type]) => !/ DEFAULT /.test(type),
  )
  return `${table} (${written.map(([name]) => identifier(name)).join(', ')})`
}

/** Batch of the rows written, in the order of these tables. */
export const batchOf = (rows: Partial<Record<TableName, RowBinary>>): Batch =>
  entriesOf(rows as Record<TableName, RowBinary>).flatMap(([table, written]) =>
    written.length > 0 ? [{ into: insertInto(table), body: written.view() }] : [],
  )

/** Ids that find a call. A trace of zeros is none. */
export const CALL_IDS = ['call_sid', 'sip_callid', 'trace_id'] as const

type Options = { database: string; cluster: string | undefined; days: number }

const everywhereOf = ({ cluster }: Pick<Options, 'cluster'>) =>
  cluster ? ` ON CLUSTER ${identifier(cluster)}` : ''

/**
 * The names of tables and views, and the statements that make them, in the order of making. Each can be run again, also
 * by several processes at the same time.
 */
export function* statements(options: Options): Generator<[name: string, statement: string]> {
  const { database, cluster, days } = options
  const everywhere = everywhereOf(options)
  const named = (name: string) => `${identifier(database)}.${identifier(name)}`
  /** Name of the table with a shard's own rows. */
  const localName = (name: string) => (cluster ? `${name}_local` : name)
  const local = (name: string) => named(localName(name))
  for (const table of Object.values<Table>(TABLES)) {
    const {
      name,
      columns,
      engine,
      version,
      partition,
      order,
      settings,
      indexes = [],
      shard,
    } = table
    const listed = Object.entries(columns).map(([column, type]) => `${identifier(column)} ${type}`)
    // with the table's UUID, so that one that was dropped can be made again at once
    const path = `'/clickhouse/tables/{uuid}/{shard}', '{replica}'`
    const engineOf = cluster
      ? `Replicated${engine}(${[path, version].filter(Boolean).join(', ')})`
      : `${engine}(${version ?? ''})`
    const by = partition ? ` PARTITION BY ${partition}` : ''
    const all = [settings, 'fsync_after_insert = 1, fsync_part_directory = 1']
    yield [
      localName(name),
      `CREATE TABLE IF NOT EXISTS ${local(name)}${everywhere} (${[...listed, ...indexes].join(', ')}) ENGINE = ${engineOf}${by} ORDER BY (${order}) TTL ${expiry(table, days)} SETTINGS ${all.filter(Boolean).join(', ')}`,
    ]
    if (cluster)
      yield [
        name,
        `CREATE TABLE IF NOT EXISTS ${named(name)}${everywhere} AS ${local(name)} ENGINE = Distributed(${identifier(cluster)}, ${identifier(database)}, ${identifier(localName(name))}, ${shard})`,
      ]
  }
  // views see each insert, so that one insert is enough for all three
  yield [
    'ids_of_calls',
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${named('ids_of_calls')}${everywhere} TO ${local('call_ids')} AS
    SELECT cityHash64(id.1, id.2) AS hash, service_provider_sid, account_sid, at, series FROM
      (SELECT service_provider_sid, account_sid, at, series, arrayJoin(arrayFilter(id -> NOT match(id.2, '^0*$'), [${CALL_IDS.map(
        (name) => `('${name}', ifNull(${name}, ''))`,
      ).join()}])) AS id FROM ${local('calls')})`,
  ]
  yield [
    'legs_of_messages',
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${named('legs_of_messages')}${everywhere} TO ${local('legs')} AS
    SELECT parent, call_id, at FROM ${local('messages')} WHERE parent != ''`,
  ]
  yield [
    'places_of_voice_calls',
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${named('places_of_voice_calls')}${everywhere} TO ${local('voice_places')} AS
    SELECT trace_id, at, service_provider_sid, account_sid, gen, gone FROM ${local('voice_calls')}`,
  ]
  // before the rows are there, which SETTLED_MS allows for
  for (const [calls, hours] of [
    ['calls', 'touched_hours'],
    ['voice_calls', 'touched_voice_hours'],
  ] as const)
    yield [
      `touched_by_${calls}`,
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${named(`touched_by_${calls}`)}${everywhere} TO ${local(hours)} AS
      SELECT toStartOfHour(toDateTime(at, 'UTC')) AS hour, toUInt64(toUnixTimestamp64Nano(now64(9))) AS touched
      FROM ${local(calls)} GROUP BY hour`,
    ]
  yield [
    'switchroom_versions',
    `CREATE TABLE IF NOT EXISTS ${named('switchroom_versions')}${everywhere} (version UInt32, at DateTime('UTC'))
    ENGINE = ${cluster ? `ReplicatedReplacingMergeTree('/clickhouse/tables/{uuid}', '{shard}-{replica}', at)` : 'ReplacingMergeTree(at)'} ORDER BY version`,
  ]
}

/** Calls are deleted with their day: the state of their hours is needed for as long. */
const daysOf = ({ time, days: most = Number.POSITIVE_INFINITY }: Table, days: number) =>
  Math.min(most, time === 'hour' ? days + 1 : days)
const expiry = (table: Table, days: number) =>
  `${table.time === 'hour' ? 'hour' : "toDateTime(at, 'UTC')"} + INTERVAL ${daysOf(table, days)} DAY DELETE`

export const identifier = (name: string) => `\`${name.replace(/[\\`]/g, '\\$&')}\``

/** The first release with all that the tables need. */
const FIRST_RELEASE = [26, 3] as const

/** ClickHouse is unusable as it is: nothing is written to it. The message says why. */
export class UnusableClickHouse extends StoreUnavailable {
  override name = 'UnusableClickHouse'
}

/**
 * The server's release and the version of the tables, 0 if there are none. Changes nothing. Throws
 * `UnusableClickHouse`, or `StoreUnavailable`.
 */
export async function checkTables(db: ClickHouse, database: string) {
  const [row] = await db.rows<{ release: string }>('SELECT version() AS release')
  if (typeof row?.release !== 'string')
    throw new UnusableClickHouse(t('What answers there is not ClickHouse'))
  const { release } = row
  const [major = 0, minor = 0] = release.split('.').map(Number)
  const [firstMajor, firstMinor] = FIRST_RELEASE
  if (major < firstMajor || (major === firstMajor && minor < firstMinor))
    throw new UnusableClickHouse(
      t('ClickHouse is too old: it is {release}, and {first} or newer is needed', {
        release,
        first: FIRST_RELEASE.join('.'),
      }),
    )
  const version = await versionOf(db, database)
  if (version > VERSION)
    throw new UnusableClickHouse(
      t(
        'The tables in ClickHouse are of a newer Switchroom: they are version {version}, and this one knows {known}',
        { version, known: VERSION },
      ),
    )
  return { release, version }
}

/** Creates the missing tables, and sets how long they keep rows. Throws as `checkTables` does. */
export async function prepareTables(db: ClickHouse, options: Options): Promise<void> {
  const { database, cluster } = options
  const { version } = await checkTables(db, database)
  const lacking = cluster ? await lackingOnCluster(db, { database, cluster }) : undefined
  if (version === 0 && lacking?.isOneDown)
    throw new UnusableClickHouse(
      t('The tables are created once all servers of the cluster {cluster} answer', {
        cluster: cluster!,
      }),
    )
  if (version === 0 || lacking?.isDatabaseMissing)
    await db.command(
      `CREATE DATABASE IF NOT EXISTS ${identifier(database)}${everywhereOf(options)}`,
    )
  const rows = await db.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = {database:String}',
    { database },
  )
  const there = new Set(rows.map(({ name }) => name))
  for (const [name, statement] of statements(options)) {
    const copied = lacking?.statements.get(name)
    if (copied) await db.command(copied)
    else if (!there.has(name)) await db.command(statement)
  }
  await addMissingColumns(db, options)
  await keepFor(db, options)
  if (version < VERSION)
    await db.command(
      `INSERT INTO ${identifier(database)}.switchroom_versions VALUES (${VERSION}, now())`,
    )
}

/** Number of servers of a cluster, and of those that each insert into a Distributed table is sent to, although they replicate. */
export async function clusterOf(
  db: ClickHouse,
  cluster: string,
): Promise<{ servers: number; written_twice: number }> {
  const [row] = await db.rows<{ n: string; written_twice: string }>(
    'SELECT count() AS n, countIf(internal_replication = 0) AS written_twice FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster },
  )
  return { servers: Number(row?.n ?? 0), written_twice: Number(row?.written_twice ?? 0) }
}

type OnCluster = { name: string; uuid: string; statement: string; servers: string }

/**
 * Tables that some servers of a cluster have and others, which were added later, do not: as the others have them, so that
 * they become replicas of the same.
 */
async function lackingOnCluster(
  db: ClickHouse,
  { database, cluster }: { database: string; cluster: string },
) {
  const of = (table: string) =>
    `clusterAllReplicas(${identifier(cluster)}, system.${table}) WHERE database = {database:String}`
  // those that are down make their tables when they are back
  const settings = 'SETTINGS final = 0, skip_unavailable_shards = 1'
  const count = async (from: string) => {
    const [row] = await db.rows<{ n: string }>(`SELECT count() AS n FROM ${from} ${settings}`, {
      database,
    })
    return Number(row?.n ?? 0)
  }
  const servers = await count(`clusterAllReplicas(${identifier(cluster)}, system.one)`)
  const databases = await count(of('databases').replace('database =', 'name ='))
  const tables = await db.rows<OnCluster>(
    `SELECT name, toString(any(uuid)) AS uuid, any(create_table_query) AS statement, count() AS servers
     FROM ${of('tables')} GROUP BY name ${settings}`,
    { database },
  )
  const { servers: all } = await clusterOf(db, cluster)
  return {
    isDatabaseMissing: databases < servers,
    isOneDown: servers < all,
    statements: new Map(
      tables
        .filter((table) => Number(table.servers) < servers)
        .map((table) => [table.name, copyOf(table, cluster)]),
    ),
  }
}

/** The statement that makes a table on all servers as one of them has it: with its UUID, which is in its replicas' path. */
export const copyOf = ({ uuid, statement }: Omit<OnCluster, 'servers'>, cluster: string) =>
  statement.replace(
    /^CREATE (TABLE|MATERIALIZED VIEW) (\S+)/,
    (_, kind: string, name: string) =>
      `CREATE ${kind} IF NOT EXISTS ${name}${kind === 'TABLE' ? ` UUID '${uuid}'` : ''} ON CLUSTER ${identifier(cluster)}`,
  )

/** Adds columns that somebody may have dropped. Their contents are gone; new values are stored again. */
async function addMissingColumns(db: ClickHouse, options: Options) {
  const { database, cluster } = options
  const everywhere = everywhereOf(options)
  const rows = await db.rows<{ table: string; name: string }>(
    'SELECT table, name FROM system.columns WHERE database = {database:String}',
    { database },
  )
  const there = new Set(rows.map(({ table, name }) => `${table}.${name}`))
  for (const { name, columns } of Object.values<Table>(TABLES))
    for (const table of cluster ? [`${name}_local`, name] : [name])
      for (const [column, type] of Object.entries(columns)) {
        if (there.has(`${table}.${column}`)) continue
        const typed = table === name && cluster ? type.replace(/ CODEC.*$/, '') : type
        await db.command(
          `ALTER TABLE ${identifier(database)}.${identifier(table)}${everywhere} ADD COLUMN IF NOT EXISTS ${identifier(column)} ${typed}`,
        )
      }
}

async function versionOf(db: ClickHouse, database: string): Promise<number> {
  const [table] = await db.rows<{ n: string }>(
    `SELECT count() AS n FROM system.tables WHERE database = {database:String} AND name = 'switchroom_versions'`,
    { database },
  )
  if (Number(table?.n) === 0) return 0
  const [row] = await db.rows<{ version: number }>(
    `SELECT max(version) AS version FROM ${identifier(database)}.switchroom_versions`,
  )
  return Number(row?.version ?? 0)
}

/** Changes the time of keeping where it is another, without rewriting rows: whole days are dropped. */
async function keepFor(db: ClickHouse, options: Options) {
  const { database, cluster, days } = options
  const everywhere = everywhereOf(options)
  const rows = await db.rows<{ name: string; create_table_query: string }>(
    'SELECT name, create_table_query FROM system.tables WHERE database = {database:String}',
    { database },
  )
  const made = new Map(rows.map((row) => [row.name, row.create_table_query]))
  for (const table of Object.values<Table>(TABLES)) {
    const name = cluster ? `${table.name}_local` : table.name
    if (made.get(name)?.includes(`toIntervalDay(${daysOf(table, days)})`)) continue
    await db.command(
      `ALTER TABLE ${identifier(database)}.${identifier(name)}${everywhere} MODIFY TTL ${expiry(table, days)} SETTINGS materialize_ttl_after_modify = 0`,
    )
  }
}

/** Rows and bytes of each table, on all shards. */
export async function heldBy(
  db: ClickHouse,
  { database, cluster }: Pick<Options, 'database' | 'cluster'>,
): Promise<Held[]> {
  const from = cluster ? `cluster(${identifier(cluster)}, system.parts)` : 'system.parts'
  type Row = { table: string; rows: string; bytes: string; oldest_day: string }
  const rows = await db.rows<Row>(
    `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, min(partition) AS oldest_day FROM ${from}
     WHERE database = {database:String} AND active GROUP BY table SETTINGS final = 0`,
    { database },
  )
  return rows.map(({ table, oldest_day, ...row }) => ({
    table: table.replace(/_local$/, ''),
    oldest_day: oldest_day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    rows: Number(row.rows),
    bytes: Number(row.bytes),
  }))
}
