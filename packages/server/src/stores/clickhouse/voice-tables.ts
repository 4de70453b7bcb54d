import {
  BY_DAY,
  BY_MONTH,
  DROPPED,
  FINE,
  FINEST,
  GEN,
  HOUR,
  MOMENT,
  NAME,
  ONE_PART_A_DAY,
  OWNER,
  OWNER_COLUMNS,
  STATUS,
  summedHours,
  type Table,
  TEXT,
  touchedHours,
  WORD,
} from './columns.ts'

/** Each count is a place in all of these. */
const COUNTS = {
  measure: `Array(${NAME})`,
  value: 'Array(Float64) CODEC(ZSTD(1))',
  n: 'Array(Float64) CODEC(ZSTD(1))',
}

/** Tables of conversation figures. */
export const VOICE_TABLES = {
  voice_calls: {
    name: 'voice_calls',
    columns: {
      ...OWNER_COLUMNS,
      at: MOMENT,
      trace_id: 'FixedString(16)',
      gen: GEN,
      // the call is somewhere else now
      gone: 'UInt8',
      // columns that lists filter by, as in `calls`
      application_sid: WORD,
      trunk: NAME,
      direction: NAME,
      answered: NAME,
      sip_status: STATUS,
      call_sid: TEXT,
      sip_callid: TEXT,
      from: TEXT,
      to: TEXT,
      record: 'String CODEC(ZSTD(3))',
      // its counts, by place in these arrays
      kind: `Array(${NAME})`,
      key: `Array(${NAME})`,
      ...COUNTS,
      // keys of its counts: lists read this instead of all counts
      counted: `Array(UInt64) DEFAULT arrayDistinct(arrayMap((k, name, m) -> cityHash64(k, name, m), kind, key, measure)) CODEC(ZSTD(1))`,
    },
    engine: 'ReplacingMergeTree',
    version: 'gen',
    time: 'at',
    partition: BY_DAY,
    order: 'service_provider_sid, account_sid, at, trace_id',
    settings: `${DROPPED}, ${FINE}, ${ONE_PART_A_DAY}`,
    shard: OWNER,
  },
  voice_words: {
    name: 'voice_words',
    // of each source in a row of its own: one is replaced without the other
    columns: {
      ...OWNER_COLUMNS,
      at: MOMENT,
      trace_id: 'FixedString(16)',
      gen: GEN,
      source: 'UInt8',
      words: 'String CODEC(ZSTD(3))',
    },
    engine: 'ReplacingMergeTree',
    version: 'gen',
    time: 'at',
    partition: BY_DAY,
    order: 'service_provider_sid, account_sid, at, trace_id, source',
    settings: `${DROPPED}, ${FINEST}, ${ONE_PART_A_DAY}`,
    // for beginnings of words: a rare one is looked for in few places
    indexes: ['INDEX text_words words TYPE text(tokenizer = ngrams(4))'],
    shard: OWNER,
  },
  voice_places: {
    name: 'voice_places',
    columns: {
      trace_id: 'FixedString(16)',
      at: MOMENT,
      ...OWNER_COLUMNS,
      gen: GEN,
      gone: 'UInt8',
    },
    engine: 'ReplacingMergeTree',
    version: 'gen',
    time: 'at',
    partition: BY_DAY,
    order: 'trace_id, at, service_provider_sid, account_sid',
    // a trace is looked up in every part
    settings: `${DROPPED}, ${FINE}, ${ONE_PART_A_DAY}`,
    shard: OWNER,
  },
  voice_sums: {
    name: 'voice_sums',
    // of an account or a provider, and of all its calls if there is no application
    columns: {
      ...OWNER_COLUMNS,
      application_sid: NAME,
      kind: NAME,
      hour: HOUR,
      key: NAME,
      gen: GEN,
      // an account has few calls in an hour, and as many times: a row for each would be more than its calls
      ...COUNTS,
    },
    engine: 'ReplacingMergeTree',
    version: 'gen',
    time: 'hour',
    partition: BY_MONTH,
    order: 'service_provider_sid, account_sid, application_sid, kind, hour, key',
    settings: FINE,
    shard: OWNER,
  },
  touched_voice_hours: touchedHours('touched_voice_hours'),
  summed_voice_hours: summedHours('summed_voice_hours'),
} as const satisfies Record<string, Table>
