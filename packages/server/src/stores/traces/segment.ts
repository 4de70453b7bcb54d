import type { TraceSpan } from '@switchroom/contract'
import { SegmentFile } from '../segment-files.ts'
import type { Batch, Origin } from './span.ts'

/** Bodies are JSON. An origin, such as a platform process, is stored once for all its spans. */
const SCHEMA = `
create table origins (id integer primary key, body text not null unique);
create table spans (id integer primary key, trace blob not null, span blob not null,
  origin integer not null, body text not null, unique (trace, span));
pragma user_version = 1;
`
const MAX_ORIGINS_KEPT = 1_000

/** A file of spans. */
export class Segment extends SegmentFile {
  #origins = new Map<string, number>()

  constructor(file: string) {
    // exporters got a confirmation, so writes must survive a power failure
    super(file, SCHEMA, 'full')
  }

  /** Stores all or nothing. A repeated span replaces the stored one. */
  write(batches: Batch[]) {
    try {
      this.atOnce(() => {
        for (const { origin, spans } of batches) {
          if (spans.length === 0) continue
          const id = this.#origin(JSON.stringify(origin))
          for (const { traceId, spanId, ...body } of spans)
            this.sql(
              `insert into spans (trace, span, origin, body) values (?, ?, ?, ?) on conflict (trace, span)
              do update set origin = excluded.origin, body = excluded.body`,
            ).run(Buffer.from(traceId, 'hex'), Buffer.from(spanId, 'hex'), id, JSON.stringify(body))
        }
      })
    } catch (e) {
      // the transaction with these ids was rolled back
      this.#origins.clear()
      throw e
    }
  }

  #origin(body: string): number {
    const originId = this.#origins.get(body)
    if (originId !== undefined) return originId
    this.sql('insert or ignore into origins (body) values (?)').run(body)
    const id = this.get<{ id: number }>('select id from origins where body = ?', body)!.id
    if (this.#origins.size >= MAX_ORIGINS_KEPT) this.#origins.clear()
    this.#origins.set(body, id)
    return id
  }

  count = () => this.get<{ n: number }>('select count(*) as n from spans')!.n

  /** How many of its spans came again later, into one of these files. */
  repeatedIn(files: readonly string[]): number {
    this.db.exec('create temp table repeated (id integer primary key)')
    for (const file of files) {
      this.db.prepare('attach database ? as later').run(file)
      this.db.exec(`insert or ignore into temp.repeated select s.id from main.spans s
        join later.spans l on l.trace = s.trace and l.span = s.span`)
      this.db.exec('detach database later')
    }
    const { n } = this.db.prepare('select count(*) as n from temp.repeated').get() as { n: number }
    this.db.exec('drop table temp.repeated')
    return n
  }

  /** Spans after this number, in order of their numbers. */
  after(id: number, limit: number): { id: number; origin: Origin; span: TraceSpan }[] {
    const rows = this.iterate<{
      id: number
      trace: Uint8Array
      span: Uint8Array
      body: string
      origin: string
    }>(
      `select s.id, s.trace, s.span, s.body, o.body as origin from spans s join origins o on o.id = s.origin
        where s.id > ? order by s.id limit ?`,
      id,
      limit,
    )
    return Array.from(rows, (row) => ({
      id: row.id,
      origin: JSON.parse(row.origin),
      span: {
        traceId: Buffer.from(row.trace).toString('hex'),
        spanId: Buffer.from(row.span).toString('hex'),
        ...JSON.parse(row.body),
      },
    }))
  }

  /** Spans of a trace in order of arrival, limited in number and size. */
  *read(trace_id: string): Generator<{ origin: Origin; span: TraceSpan; size: number }> {
    const rows = this.iterate<{ span: Uint8Array; body: string; origin: string }>(
      `select s.span, s.body, o.body as origin from spans s join origins o on o.id = s.origin
        where s.trace = ? order by s.id`,
      Buffer.from(trace_id, 'hex'),
    )
    for (const { span, body, origin } of rows)
      yield {
        origin: JSON.parse(origin),
        span: {
          traceId: trace_id,
          spanId: Buffer.from(span).toString('hex'),
          ...JSON.parse(body),
        },
        size: body.length,
      }
  }
}
