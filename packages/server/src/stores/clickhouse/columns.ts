/** A table of ours in ClickHouse. */
export type Table = {
  name: string
  /** Types and codecs by name, the key's columns first. Those with a default are not written. */
  columns: Record<string, string>
  engine: 'CoalescingMergeTree' | 'ReplacingMergeTree'
  /** The column of a ReplacingMergeTree whose highest value counts. */
  version?: string
  /** The time by which rows are kept. */
  time: 'at' | 'hour'
  /** Days after which rows are of no use. */
  days?: number
  partition?: string
  order: string
  settings: string
  indexes?: readonly string[]
  /** Columns by which rows go to the same shard. */
  shard: string
}

// columns

export const OWNER_COLUMNS = {
  service_provider_sid: 'LowCardinality(String)',
  account_sid: 'LowCardinality(String)',
}
export const MOMENT = `DateTime64(9, 'UTC') CODEC(DoubleDelta, ZSTD(1))`
export const NAME = 'LowCardinality(String)'
export const TEXT = 'Nullable(String) CODEC(ZSTD(1))'
export const NUMBER = 'Nullable(Float64) CODEC(ZSTD(1))'
export const STATUS = 'Nullable(Int32) CODEC(T64, ZSTD(1))'
export const WORD = 'LowCardinality(Nullable(String))'
export const COUNT = 'UInt64 CODEC(T64, ZSTD(1))'
export const SUM = 'Float64 CODEC(ZSTD(1))'
export const GEN = 'UInt64 CODEC(ZSTD(1))'
export const HOUR = `DateTime('UTC') CODEC(DoubleDelta, ZSTD(1))`

// partitions, settings and shards

export const OWNER = 'cityHash64(service_provider_sid, account_sid)'
export const BY_DAY = 'toYYYYMMDD(at)'
export const BY_MONTH = 'toYYYYMM(hour)'
/** Whole days are dropped, nothing is rewritten. */
export const DROPPED = 'ttl_only_drop_parts = 1'
/** A few rows are read from many places: little is decompressed that nobody asked for. */
export const FINE =
  'index_granularity = 1024, min_compress_block_size = 16384, max_compress_block_size = 65536'
/** The same for long texts, which an account has few of in a day. */
export const FINEST = FINE.replace('1024', '128')
/** An hour after it is over. */
export const ONE_PART_A_DAY =
  'min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1'

/** A table that records the hours written to, by its name. */
export const touchedHours = <N extends string>(name: N) =>
  ({
    name,
    columns: { hour: `DateTime('UTC')`, touched: 'UInt64' },
    engine: 'ReplacingMergeTree',
    version: 'touched',
    time: 'hour',
    order: 'hour',
    settings: '',
    shard: 'toUInt64(hour)',
  }) as const satisfies Table

/** A table that records the hours with sums, and which sums count. */
export const summedHours = <N extends string>(name: N) =>
  ({
    name,
    columns: { hour: `DateTime('UTC')`, gen: 'UInt64' },
    engine: 'ReplacingMergeTree',
    version: 'gen',
    time: 'hour',
    order: 'hour',
    settings: '',
    shard: 'toUInt64(hour)',
  }) as const satisfies Table
