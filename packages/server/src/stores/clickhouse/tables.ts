import { entriesOf } from '@switchroom/contract'
import type { Batch } from '../kit/batch-file.ts'
import { identifier } from './client.ts'
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
