import type { TraceSpan } from '@switchroom/contract'
import { isRoot } from '../../../talk/spans.ts'
import { userVersion, VERSIONS } from '../../kit/formats.ts'
import { SegmentFile, type SegmentFormat } from '../../kit/segment-files.ts'
import type { Batch, Origin } from '../span.ts'
import type { Arrival } from '../store.ts'
import { accountOf } from '../words.ts'

/** The traces that spans have come of. Those of calls that are over stay once they have been dealt with, for more may come. */
const ARRIVALS = `
create table arrivals (trace blob primary key, at integer not null, has_root integer not null,
  is_done integer not null) without rowid;
create index arrivals_at on arrivals (at) where is_done = 0;
`
/** Bodies are JSON. An origin, such as a platform process, is stored once for all its spans. */
const SCHEMA = `
create table origins (id integer primary key, body text not null unique);
create table spans (id integer primary key, trace blob not null, span blob not null,
  origin integer not null, body text not null, unique (trace, span));
${ARRIVALS}
`
/** Versions of the file: before arrivals were noted, and with those of later spans only. */
const WITHOUT_ARRIVALS = 1
const WITH_LATER_ARRIVALS = 2
const WITH_ARRIVALS = VERSIONS.traces
const FORMAT: SegmentFormat = {
  version: WITH_ARRIVALS,
  schema: SCHEMA,
  // `noteEarlier` makes them complete
  steps: { [WITHOUT_ARRIVALS]: ARRIVALS },
  // exporters got a confirmation, so writes must survive a power failure
  synchronous: 'full',
}
const MAX_ORIGINS_KEPT = 1_000
/** How many spans of a trace are looked at for its account, which one of the first names. */
const LOOK_FOR_OWNER = 200

const hexOf = (id: Uint8Array) => Buffer.from(id).toString('hex')

/** Whether it is the span of a whole call. */
const isCall = ({ name, parentSpanId }: Pick<TraceSpan, 'name' | 'parentSpanId'>) =>
  parentSpanId === '' && isRoot(name)

type StoredArrival = { trace: Uint8Array; at: number; has_root: number }
const arrivalOf = ({ trace, at, has_root }: StoredArrival): Arrival => ({
  trace_id: hexOf(trace),
  at,
  has_root: has_root === 1,
})

/** A file of spans. */
export class Segment extends SegmentFile {
  #origins = new Map<string, number>()
  /** Spans up to `last` came before arrivals were noted. Those up to `after` have been looked at. */
  #earlier: { after: number; last: number } | undefined

  constructor(file: string) {
    super(file, FORMAT)
    if (userVersion(this.db) !== WITH_LATER_ARRIVALS) return
    const last = this.get<{ id: number | null }>('select max(id) as id from spans')!.id
    this.#earlier = { after: 0, last: last ?? 0 }
  }

  /** Stores all or nothing, and notes what came. A repeated span replaces the stored one. */
  write(batches: Batch[]) {
    try {
      this.atOnce(() => {
        const arrived = new Map<string, boolean>()
        for (const { origin, spans } of batches) {
          if (spans.length === 0) continue
          const id = this.#origin(JSON.stringify(origin))
          for (const { traceId, spanId, ...body } of spans) {
            this.sql(
              `insert into spans (trace, span, origin, body) values (?, ?, ?, ?) on conflict (trace, span)
              do update set origin = excluded.origin, body = excluded.body`,
            ).run(Buffer.from(traceId, 'hex'), Buffer.from(spanId, 'hex'), id, JSON.stringify(body))
            arrived.set(traceId, arrived.get(traceId) || isCall(body))
          }
        }
        const at = Date.now()
        for (const [trace_id, has_root] of arrived) this.#note({ trace_id, at, has_root })
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

  #note({ trace_id, at, has_root }: Arrival) {
    this.sql(
      // later than what it replaces even if the clock was set back: see `markDone`
      `insert into arrivals (trace, at, has_root, is_done) values (?, ?, ?, 0) on conflict (trace)
        do update set at = max(at + 1, excluded.at), has_root = max(has_root, excluded.has_root), is_done = 0`,
    ).run(Buffer.from(trace_id, 'hex'), at, Number(has_root))
  }

  /**
   * Notes the calls among the next spans of before the update, as if they had come long ago. Returns whether there were
   * spans to look at.
   */
  noteEarlier(limit: number): boolean {
    const earlier = this.#earlier
    if (!earlier) return false
    const rows = this.sql(
      `select id, trace, iif(json_valid(body), body ->> '$.name', '') as name,
        iif(json_valid(body), body ->> '$.parentSpanId', '') as parentSpanId from spans where id > ? and id <= ? order by id limit ?`,
      // exactly the selected columns
    ).all(earlier.after, earlier.last, limit) as (Pick<TraceSpan, 'name' | 'parentSpanId'> & {
      id: number
      trace: Uint8Array
    })[]
    const isOver = rows.length < limit
    this.atOnce(() => {
      for (const row of rows)
        if (isCall(row)) this.#note({ trace_id: hexOf(row.trace), at: 0, has_root: true })
      if (isOver) this.db.exec(`pragma user_version = ${WITH_ARRIVALS}`)
    })
    this.#earlier = isOver ? undefined : { ...earlier, after: rows.at(-1)!.id }
    return true
  }

  /** Traces of which nothing has come since, the longest quiet first. */
  *arrivedBefore(before: number): Generator<Arrival> {
    const rows = this.iterate<StoredArrival>(
      'select trace, at, has_root from arrivals where is_done = 0 and at < ? order by at',
      before,
    )
    for (const row of rows) yield arrivalOf(row)
  }

  /** What came of these traces. */
  arrivalsOf(trace_ids: readonly string[]): Arrival[] {
    const rows = this.iterate<StoredArrival>(
      'select trace, at, has_root from arrivals where trace in (select unhex(value) from json_each(?))',
      JSON.stringify(trace_ids),
    )
    return Array.from(rows, arrivalOf)
  }

  /** What came until then has been dealt with. */
  markDone(arrivals: readonly Arrival[]) {
    const noted = this.arrivalsOf(arrivals.map(({ trace_id }) => trace_id))
    if (noted.length === 0) return
    this.atOnce(() => {
      for (const { trace_id, at } of arrivals) {
        const trace = Buffer.from(trace_id, 'hex')
        this.sql('update arrivals set is_done = 1 where trace = ? and at <= ?').run(trace, at)
        this.sql('delete from arrivals where trace = ? and is_done = 1 and has_root = 0').run(trace)
      }
    })
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
        traceId: hexOf(row.trace),
        spanId: hexOf(row.span),
        ...JSON.parse(row.body),
      },
    }))
  }

  /** The account that one of the first spans of a trace names. */
  owner(trace_id: string): string | undefined {
    const rows = this.iterate<{ body: string }>(
      `select body from spans where id in (select id from spans where trace = ? order by id limit ?)
        and instr(body, '"accountSid"') > 0`,
      Buffer.from(trace_id, 'hex'),
      LOOK_FOR_OWNER,
    )
    for (const { body } of rows) {
      const account = accountOf(JSON.parse(body))
      if (account !== undefined) return account
    }
    return undefined
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
          spanId: hexOf(span),
          ...JSON.parse(body),
        },
        size: body.length,
      }
  }
}
