import { Agent } from 'node:https'
import { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { t } from '@switchroom/contract'
import { errorMessage } from '../../errors/members.ts'
import { sentenceOf } from '../../parts/sentence.ts'
import { ANSWER_SECONDS, withTimeout } from '../kit/external.ts'
import { StoreUnavailable } from '../kit/unavailable.ts'

export type ClickHouseOptions = {
  url: string
  user: string | undefined
  password: string | undefined
  database: string
  /** Cluster that tables are replicated and distributed on; undefined on a single server. */
  cluster: string | undefined
  /** The certificate authority of the server, in PEM. */
  ca: string | undefined
}

export type Params = Record<string, unknown>

/** ClickHouse refuses these rows for their content, and would refuse them again. */
export class RefusedRows extends StoreUnavailable {
  override name = 'RefusedRows'
}

/**
 * ClickHouse's codes for values that cannot be parsed or converted, are out of range or too large, or violate a constraint.
 * Others are of the server, the connection or the tables, which change.
 */
const OF_CONTENT: Record<string, string> = {
  6: 'CANNOT_PARSE_TEXT',
  27: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
  32: 'ATTEMPT_TO_READ_AFTER_EOF',
  33: 'CANNOT_READ_ALL_DATA',
  38: 'CANNOT_PARSE_DATE',
  41: 'CANNOT_PARSE_DATETIME',
  53: 'TYPE_MISMATCH',
  69: 'ARGUMENT_OUT_OF_BOUND',
  70: 'CANNOT_CONVERT_TYPE',
  72: 'CANNOT_PARSE_NUMBER',
  117: 'INCORRECT_DATA',
  128: 'TOO_LARGE_ARRAY_SIZE',
  131: 'TOO_LARGE_STRING_SIZE',
  190: 'SIZES_OF_ARRAYS_DONT_MATCH',
  321: 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
  349: 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
  376: 'CANNOT_PARSE_UUID',
  407: 'DECIMAL_OVERFLOW',
  467: 'CANNOT_PARSE_BOOL',
  469: 'VIOLATED_CONSTRAINT',
  691: 'UNKNOWN_ELEMENT_OF_ENUM',
}

/** A connection to ClickHouse. Each method throws `StoreUnavailable`, with ClickHouse's reason as its cause. */
export type ClickHouse = {
  rows: <R>(query: string, params?: Params, seconds?: number) => Promise<R[]>
  /** Rows as they arrive, for results that do not fit into memory. */
  stream: <R>(query: string, params?: Params) => AsyncIterable<R>
  command: (query: string, params?: Params, seconds?: number) => Promise<void>
  /** Rows in ClickHouse's binary format. Throws `RefusedRows` if it is they that are wrong. */
  insert: (into: string, body: Buffer) => Promise<void>
  close: () => Promise<void>
}

/** Name of the server in errors, by the data requested. */
const NAMES = {
  calls: () => t('The call records (ClickHouse)'),
  traces: () => t('The traces (ClickHouse)'),
  captures: () => t('The SIP captures (ClickHouse)'),
}

/** The client library's default. */
const CONNECTIONS = 10
/** Much longer than a full batch takes. */
const INSERT_SECONDS = 30

const notWritten = (name: string) => t('{name} cannot be written', { name })

/** Lag of a replica that is still read, in seconds: less than the time before an hour is summed. */
export const MAX_DELAY_S = '30'

/** Every read: points are complete without waiting for merges, and numbers keep all their digits. */
const READING: ClickHouseSettings = {
  final: 1,
  // wrong sums in some versions
  optimize_move_to_prewhere_if_final: 0,
  do_not_merge_across_partitions_select_final: 1,
  output_format_json_quote_64bit_integers: 1,
  // a list of accounts may be long
  max_query_size: '4000000',
  // on a cluster: a list of keys is of all shards, and a replica that is behind is used last
  distributed_product_mode: 'global',
  max_replica_delay_for_distributed_queries: MAX_DELAY_S,
}
/** Acknowledged means on the disk, and on most replicas. Newer servers insert later by default. */
const WRITING: ClickHouseSettings = {
  async_insert: 0,
  wait_for_async_insert: 1,
  // keys identify repeated rows; a batch mistaken for another would be lost, or its rows in views
  insert_deduplicate: 0,
  // merges and reads do so
  optimize_on_insert: 0,
  // indexes are made when parts merge
  materialize_skip_indexes_on_insert: 0,
  insert_quorum: 'auto',
  insert_quorum_timeout: 10_000,
  distributed_foreground_insert: 1,
  // a server that is down makes its tables when it is back
  distributed_ddl_output_mode: 'null_status_on_timeout',
  distributed_ddl_task_timeout: '10',
  // a batch may be of many days
  max_partitions_per_insert_block: '0',
  max_execution_time: INSERT_SECONDS,
}

/** Connects to the database, or with `isMissing` to the server, where the database may not be there yet. */
export function clickHouse(
  { url, user, password, database, cluster, ca }: ClickHouseOptions,
  { isMissing = false, what = 'calls' as keyof typeof NAMES } = {},
): ClickHouse {
  const name = NAMES[what]
  const client: ClickHouseClient = createClient({
    url,
    ...(!isMissing && { database }),
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    // with its own option for the authority, the client sends user and password in headers that take Latin-1 only
    ...(ca !== undefined &&
      url.startsWith('https:') && {
        http_agent: new Agent({ ca, keepAlive: true, maxSockets: CONNECTIONS }),
      }),
    application: 'Switchroom',
    request_timeout: (INSERT_SECONDS + 5) * 1_000,
    compression: { request: false, response: false },
    // its own log would repeat thrown errors, and addresses
    log: { level: 127 },
  })
  const writing = cluster ? WRITING : { ...WRITING, insert_quorum: '0' }

  const tried = <T>(
    work: (signal: AbortSignal) => Promise<T>,
    seconds: number,
    refused = (name: string) => t('{name} cannot be read', { name }),
  ): Promise<T> =>
    withTimeout({ name: name(), seconds }, async (signal) => {
      try {
        return await work(signal)
      } catch (cause) {
        // it answers, and does not do it
        if (cause instanceof ClickHouseError) throw new StoreUnavailable(refused(name()), { cause })
        throw cause
      }
    })

  return {
    rows: (query, query_params = {}, seconds = ANSWER_SECONDS) =>
      tried(async (abort_signal) => {
        const result = await client.query({
          query,
          query_params,
          format: 'JSONEachRow',
          abort_signal,
          clickhouse_settings: { ...READING, max_execution_time: seconds },
        })
        return result.json()
      }, seconds),
    async *stream<R>(query: string, query_params: Params = {}) {
      const result = await tried(
        () =>
          client.query({
            query,
            query_params,
            format: 'JSONEachRow',
            clickhouse_settings: READING,
          }),
        ANSWER_SECONDS,
      )
      const stream = result.stream<R>()
      try {
        for await (const rows of stream) for (const row of rows) yield row.json<R>()
      } catch (cause) {
        throw new StoreUnavailable(t('{name} cannot be read', { name: name() }), { cause })
      } finally {
        stream.destroy()
      }
    },
    command: (query, query_params = {}, seconds = INSERT_SECONDS) =>
      tried(
        async (abort_signal) => {
          await client.command({
            query,
            query_params,
            abort_signal,
            clickhouse_settings: { ...writing, max_execution_time: seconds },
          })
        },
        seconds,
        notWritten,
      ),
    insert: (into, body) =>
      tried(
        async (abort_signal) => {
          try {
            const { stream } = await client.exec({
              query: `INSERT INTO ${into} FORMAT RowBinary`,
              values: Readable.from([body], { objectMode: false }),
              abort_signal,
              clickhouse_settings: writing,
            })
            // an error may come after the status
            for await (const _ of stream) {
              // nothing is sent otherwise
            }
          } catch (cause) {
            if (cause instanceof ClickHouseError && cause.code in OF_CONTENT)
              throw new RefusedRows(t('{name} refused rows', { name: name() }), { cause })
            throw cause
          }
        },
        INSERT_SECONDS,
        notWritten,
      ),
    close: () => client.close(),
  }
}

/** Why ClickHouse did not do something, for administrators. The engine's own words say most: which column, which right. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof StoreUnavailable && error.cause
  return cause instanceof Error ? `${errorMessage(error)}. ${sentenceOf(cause)}` : sentenceOf(error)
}

export const identifier = (name: string) => `\`${name.replace(/[\\`]/g, '\\$&')}\``
