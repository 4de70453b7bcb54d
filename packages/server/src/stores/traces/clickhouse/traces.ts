import type { Trace, TraceSpan } from '@switchroom/contract'
import { isRoot } from '../../../talk/spans.ts'
import type { ClickHouse } from '../../clickhouse/client.ts'
import type { Rows } from '../../clickhouse/intake.ts'
import { RowBinary } from '../../clickhouse/row-binary.ts'
import { batchOf } from '../../clickhouse/tables.ts'
import { type Batch, type Origin, traceOf } from '../span.ts'
import { MAX_SPANS, type TraceStore } from '../store.ts'
import { accountOf } from '../words.ts'

/** The most characters of a trace. Traces of calls are shorter. */
const MAX_CHARACTERS = 32_000_000

const ARRIVAL_BYTES = 21

/** The rows of spans, and of which traces they came. A span that comes again replaces itself. */
export class SpanRows implements Rows<Batch> {
  #spans = new RowBinary()
  #arrivals = new RowBinary(1_024)
  /** Whether its root came, by trace. */
  #traces = new Map<string, boolean>()
  #process: number

  /** `process`: the one that these came through. */
  constructor(process = 0) {
    this.#process = process
  }

  add({ origin, spans }: Batch, written: bigint) {
    const to = this.#spans
    const text = JSON.stringify(origin)
    for (const [i, { traceId, spanId, ...body }] of spans.entries()) {
      to.raw(Buffer.from(traceId, 'hex'))
      to.raw(Buffer.from(spanId, 'hex'))
      // in order of arrival
      to.int64(written + BigInt(i))
      to.text(text)
      to.text(JSON.stringify(body))
      const hasRoot = body.parentSpanId === '' && isRoot(body.name)
      if (hasRoot || !this.#traces.has(traceId)) this.#traces.set(traceId, hasRoot)
    }
  }

  bytes = () => this.#spans.length + ARRIVAL_BYTES * this.#traces.size

  /** Arrivals come last: whoever sees one finds its spans. */
  batch: Rows<Batch>['batch'] = () => {
    const to = this.#arrivals
    to.clear()
    for (const [trace, hasRoot] of this.#traces) {
      to.uint8(hasRoot ? 1 : 0)
      to.raw(Buffer.from(trace, 'hex'))
      to.uint32(this.#process)
    }
    return batchOf({ spans: this.#spans, arrivals: to })
  }

  clear() {
    this.#spans.clear()
    this.#traces.clear()
  }
}

/** A span may come again on another day. */
const OF_ALL_DAYS = 'SETTINGS do_not_merge_across_partitions_select_final = 0'

type Row = { trace: string; span: string; origin: string; body: string }

/** Puts a trace together, as much of it as is shown. */
class Gathered {
  #batches = new Map<string, Batch>()
  #count = 0
  #characters = 0
  isCut = false

  add(trace_id: string, { span, origin, body }: Row) {
    this.#characters += body.length
    this.isCut ||= this.#count++ === MAX_SPANS || this.#characters > MAX_CHARACTERS
    if (this.isCut) return
    const one: TraceSpan = { traceId: trace_id, spanId: span, ...JSON.parse(body) }
    const batch = this.#batches.get(origin)
    if (batch) batch.spans.push(one)
    else this.#batches.set(origin, { origin: JSON.parse(origin) as Origin, spans: [one] })
  }

  trace = () => traceOf([...this.#batches.values()], this.isCut)
}

const COLUMNS =
  'SELECT lower(hex(trace_id)) AS trace, lower(hex(span_id)) AS span, origin, body FROM spans'
const ORDER = 'ORDER BY trace_id, at, span_id'

/** Traces in ClickHouse. */
export const clickHouseTraces = (db: ClickHouse): TraceStore => ({
  async find(trace_id) {
    const rows = db.stream<Row>(
      `${COLUMNS} WHERE trace_id = unhex({trace_id:String}) ${ORDER} LIMIT ${MAX_SPANS + 1} ${OF_ALL_DAYS}`,
      { trace_id },
    )
    const found = new Gathered()
    for await (const row of rows) {
      found.add(trace_id, row)
      if (found.isCut) break
    }
    return found.trace()
  },
})

/** In the statement: the URL, where bound values are, has little room. */
const listed = (trace_ids: readonly string[]) =>
  trace_ids.map((id) => `unhex('${Buffer.from(id, 'hex').toString('hex')}')`).join()

/** Spans wait for it: whoever answers later is asked again later. */
const OWNERS_WITHIN_MS = 2_000
const OWNERS_AGAIN_MS = 10_000

/** Finds the accounts that stored spans of traces name. Throws if ClickHouse does not answer at once. */
export function storedOwners(db: ClickHouse) {
  let failed = Number.NEGATIVE_INFINITY
  const read = async (trace_ids: readonly string[]) => {
    const rows = db.stream<Pick<Row, 'trace' | 'body'>>(
      `SELECT lower(hex(trace_id)) AS trace, body FROM spans
        WHERE trace_id IN (${listed(trace_ids)}) AND position(body, '"accountSid"') > 0 LIMIT 3 BY trace_id`,
    )
    const owners = new Map<string, string>()
    for await (const { trace, body } of rows) {
      const account = accountOf(JSON.parse(body))
      if (account !== undefined) owners.set(trace, account)
    }
    return owners
  }
  return async (trace_ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    if (performance.now() < failed + OWNERS_AGAIN_MS) return new Map()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('too late')), OWNERS_WITHIN_MS)
    try {
      return await Promise.race([read(trace_ids), late.promise])
    } catch (e) {
      failed = performance.now()
      throw e
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Reads these traces, one after the other. Those that are not there are left out. */
export async function* tracesOf(
  db: ClickHouse,
  trace_ids: readonly string[],
): AsyncGenerator<[trace_id: string, trace: Trace | undefined]> {
  if (trace_ids.length === 0) return
  const rows = db.stream<Row>(
    `${COLUMNS} WHERE trace_id IN (${listed(trace_ids)}) ${ORDER} LIMIT ${MAX_SPANS + 1} BY trace_id ${OF_ALL_DAYS}`,
  )
  let last: { id: string; found: Gathered } | undefined
  for await (const row of rows) {
    if (last?.id !== row.trace) {
      if (last) yield [last.id, last.found.trace()]
      last = { id: row.trace, found: new Gathered() }
    }
    last.found.add(row.trace, row)
  }
  if (last) yield [last.id, last.found.trace()]
}
