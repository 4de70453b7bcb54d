import type { TraceSpan } from '@switchroom/contract'
import { type Batch, type Origin, traceOf } from '../traces/span.ts'
import { MAX_SPANS, type TraceStore } from '../traces/store.ts'
import type { ClickHouse } from './client.ts'
import type { Rows } from './intake.ts'
import { RowBinary } from './row-binary.ts'
import { batchOf } from './tables.ts'

/** The most characters of a trace. Traces of calls are shorter. */
const MAX_CHARACTERS = 32_000_000

/** The rows of spans. A span that comes again replaces itself. */
export class SpanRows implements Rows<Batch> {
  #spans = new RowBinary()

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
    }
  }

  bytes = () => this.#spans.length

  batch: Rows<Batch>['batch'] = () => batchOf({ spans: this.#spans })

  clear() {
    this.#spans.clear()
  }
}

/** A span may come again on another day. */
const OF_ALL_DAYS = 'SETTINGS do_not_merge_across_partitions_select_final = 0'

type Row = { span: string; origin: string; body: string }

/** Traces in ClickHouse. */
export const clickHouseTraces = (db: ClickHouse): TraceStore => ({
  async find(trace_id) {
    const rows = db.stream<Row>(
      `SELECT lower(hex(span_id)) AS span, origin, body FROM spans
       WHERE trace_id = unhex({trace_id:String}) ORDER BY at, span_id LIMIT ${MAX_SPANS + 1}
       ${OF_ALL_DAYS}`,
      { trace_id },
    )
    const batches = new Map<string, Batch>()
    let count = 0
    let characters = 0
    let isCut = false
    for await (const { span, origin, body } of rows) {
      characters += body.length
      isCut = count++ === MAX_SPANS || characters > MAX_CHARACTERS
      if (isCut) break
      const one: TraceSpan = { traceId: trace_id, spanId: span, ...JSON.parse(body) }
      const batch = batches.get(origin)
      if (batch) batch.spans.push(one)
      else batches.set(origin, { origin: JSON.parse(origin) as Origin, spans: [one] })
    }
    return traceOf([...batches.values()], isCut)
  },
})
