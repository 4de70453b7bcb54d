import { identifier } from './client.ts'
import type { Table } from './columns.ts'
import { TABLES } from './tables.ts'

/** Ids that find a call. A trace of zeros is none. */
export const CALL_IDS = ['call_sid', 'sip_callid', 'trace_id'] as const

export type TableOptions = { database: string; cluster: string | undefined; days: number }

export const everywhereOf = ({ cluster }: Pick<TableOptions, 'cluster'>) =>
  cluster ? ` ON CLUSTER ${identifier(cluster)}` : ''

/**
 * The names of tables and views, and the statements that make them, in the order of making. Each can be run again, also
 * by several processes at the same time.
 */
export function* statements(options: TableOptions): Generator<[name: string, statement: string]> {
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
export const daysOf = ({ time, days: most = Number.POSITIVE_INFINITY }: Table, days: number) =>
  Math.min(most, time === 'hour' ? days + 1 : days)
export const expiry = (table: Table, days: number) =>
  `${table.time === 'hour' ? 'hour' : "toDateTime(at, 'UTC')"} + INTERVAL ${daysOf(table, days)} DAY DELETE`
