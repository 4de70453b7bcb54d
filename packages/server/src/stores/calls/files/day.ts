import { DamagedRow, isIntact } from '../../kit/damage.ts'
import type { CallQuery, WantedTags } from '../query.ts'
import { tag, tagText } from '../tags.ts'
import { DAY_NS, HOUR_NS } from '../times.ts'
import { hash, type NamedCall, ownerKey, type Shard, WHOLE_DAY } from './shard.ts'

const isWanted = (value: string | null, wanted: WantedTags[string]) =>
  typeof wanted === 'object' && wanted ? wanted.some((one) => one === value) : value === wanted

export type Series = {
  id: number
  database: string
  measurement: string
  tags: Record<string, string>
  /** The word of its owner and outcome, once looked up. */
  owner?: number
}

/** A part of a day, in nanoseconds since its start. */
export type Part = { from: number; to: number }

function tagsOf(stored: string): Record<string, string> | undefined {
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}

const MAX_MEMOS = 200
const MAX_WORDS = 20_000
export const HASHES = {
  call_sid: 'call_hash',
  sip_callid: 'sip_hash',
  trace_id: 'trace_hash',
} as const

/** A day's file for reading. Totals are cached until the file changes. */
export class Day {
  shard: Shard
  #series: Series[] = []
  #byId = new Map<number, Series>()
  #words = new Map<number, string>()
  #memos = new Map<string, unknown>()
  #version: number | undefined

  constructor(shard: Shard) {
    this.shard = shard
  }

  memo<T>(key: string, work: () => T): T {
    const version = this.shard.version()
    if (version !== this.#version || this.#memos.size >= MAX_MEMOS) this.#memos.clear()
    this.#version = version
    if (!this.#memos.has(key)) this.#memos.set(key, work())
    // each key stands for one computation, so the type is always the same
    return this.#memos.get(key) as T
  }

  series(): Series[] {
    const newest = this.#series.at(-1)?.id ?? 0
    for (const { tags, ...row } of this.shard.all<
      Record<'database' | 'measurement' | 'tags', string> & { id: number }
    >('select id, database, measurement, tags from series where id > ? order by id', newest)) {
      const one = { ...row, tags: tagsOf(tags) ?? this.#unreadable('the tags of a series') }
      this.#series.push(one)
      this.#byId.set(one.id, one)
    }
    return this.#series
  }

  seriesOf(id: number): Series {
    if (!this.#byId.has(id)) this.series()
    const known = this.#byId.get(id)
    if (known) return known
    const tags = this.#unreadable('the series of a call')
    const series: Series = { id, database: 'cdrs', measurement: 'cdrs', tags }
    this.#byId.set(id, series)
    return series
  }

  /** No tags, which hides its calls from all but administrators. Throws if the file is damaged. */
  #unreadable(what: string): Record<string, string> {
    if (!isIntact(this.shard.db)) throw new DamagedRow(`${what} cannot be read`)
    return {}
  }

  /** The number of a word; undefined if it is not in use. */
  wordId = (text: string) =>
    this.shard.get<{ id: number }>('select id from words where text = ?', text)?.id

  /** The word of a number, which never changes. */
  word(id: number): string {
    let text = this.#words.get(id)
    if (text === undefined) {
      text = this.shard.get<{ text: string }>('select text from words where id = ?', id)!.text
      if (this.#words.size >= MAX_WORDS) this.#words.clear()
      this.#words.set(id, text)
    }
    return text
  }

  /** The number of a series' owner and outcome. */
  owner(id: number): number {
    const series = this.seriesOf(id)
    series.owner ??= this.wordId(ownerKey(series.tags))!
    return series.owner
  }

  /** The series of a measurement with these tags; undefined means all. */
  having(database: string, measurement: string, tags: WantedTags): number[] | undefined {
    const wanted = Object.entries(tags)
    if (wanted.length === 0) return undefined
    return this.memo(`series ${JSON.stringify([database, measurement, tags])}`, () =>
      this.series()
        .filter((s) => s.database === database && s.measurement === measurement)
        .filter((s) =>
          wanted.every(([name, value]) =>
            isWanted(value === null ? tag(s.tags, name) : tagText(s.tags, name), value),
          ),
        )
        .map((s) => s.id),
    )
  }

  /** The part of a span within this day, if any. The whole day if the span covers all its records. */
  part(from: bigint, to: bigint): Part | undefined {
    const begin = BigInt(this.shard.day) * BigInt(DAY_NS)
    const clamp = (ns: bigint) => Math.max(0, Math.min(DAY_NS, Number(ns - begin)))
    const part = { from: clamp(from), to: clamp(to) }
    return part.from < part.to ? part : undefined
  }

  filter(want: CallQuery): Filter | undefined {
    const series = this.having('cdrs', 'cdrs', want.tags)
    if (series?.length === 0) return undefined
    let application: number | undefined
    if (want.application_sid === null) application = 0
    else if (want.application_sid !== undefined) {
      application = this.wordId(want.application_sid)
      if (application === undefined) return undefined
    }
    // JSON knows no undefined
    const status = want.sip_status === null ? 'missing' : want.sip_status
    const key = JSON.stringify([want.tags, application, status, want.prefix])
    return { series, application, sip_status: want.sip_status, key }
  }

  /** Counts calls that match a filter without text. */
  count(filter: Filter, part: Part): number {
    const { shard } = this
    const whole = this.whole(part)
    const { sql, values } = where(filter, 'cube')
    if (whole)
      return this.memo(`count ${filter.key}`, () =>
        sum(
          shard.get<Sum>(
            `select sum(calls) as n from cube where bucket = ${WHOLE_DAY}${sql}`,
            ...values,
          ),
        ),
      )
    const [first, end] = [Math.ceil(part.from / HOUR_NS), Math.floor(part.to / HOUR_NS)]
    if (first > end) return this.countRaw(filter, part)
    let n = 0
    if (first < end)
      n += sum(
        shard.get<Sum>(
          `select sum(calls) as n from cube where bucket >= ? and bucket < ?${sql}`,
          first,
          end,
          ...values,
        ),
      )
    if (part.from < first * HOUR_NS)
      n += this.countRaw(filter, { from: part.from, to: first * HOUR_NS })
    if (part.to > end * HOUR_NS) n += this.countRaw(filter, { from: end * HOUR_NS, to: part.to })
    return n
  }

  /** Whether a part covers all records. */
  whole({ from, to }: Part): boolean {
    if (from === 0 && to === DAY_NS) return true
    const { first, last } = this.memo('ends', () => ({
      first: this.shard.get<Moment>('select min(at) as at from calls')!.at,
      last: this.shard.get<Moment>('select max(at) as at from calls')!.at,
    }))
    return first === null || last === null || (first >= from && last < to)
  }

  countRaw(filter: Filter, { from, to }: Part): number {
    const { sql, values } = where(filter)
    return sum(
      this.shard.get<Sum>(
        `select count(*) as n from calls indexed by calls_at where at >= ? and at < ?${sql}`,
        from,
        to,
        ...values,
      ),
    )
  }

  byId(name: keyof typeof HASHES, text: string): Hashed[] {
    return this.shard.all<Hashed>(`${BY_HASH(name)}`, hash(text), text)
  }

  /** The ids of calls of these traces. The hours of the part bound what is read. */
  ofTraces(trace_ids: readonly string[], { from, to }: Part): number[] {
    const hours = HOURS_OF_DAY.slice(Math.floor(from / HOUR_NS), Math.ceil(to / HOUR_NS))
    const wanted = new Set(trace_ids)
    return this.shard
      .all<{ id: number; trace_id: string }>(
        // uses only the trace index: with the span the planner would scan it
        `select id, trace_id from calls indexed by calls_trace where hour in (${hours.join()})
          and trace_hash in (select value from json_each(?)) and +at >= ? and +at < ? limit ${MAX_OF_TRACES}`,
        JSON.stringify(trace_ids.map(hash)),
        from,
        to,
      )
      .filter(({ trace_id }) => wanted.has(trace_id))
      .map(({ id }) => id)
  }

  /** Runs reads in one snapshot. */
  snapshot<T>(work: () => T): T {
    this.shard.run('begin')
    try {
      return work()
    } finally {
      this.shard.run('commit')
    }
  }

  rows(ids: number[]): NamedCall[] {
    const rows = new Map(
      this.shard
        .all<NamedCall>(
          `select c.*, w.text as application_sid from calls c left join words w on w.id = c.application
            where c.id in (select value from json_each(?))`,
          JSON.stringify(ids),
        )
        .map((row) => [row.id, row]),
    )
    // a call replaced between the two reads has a new id, newer than this page
    return ids.map((id) => rows.get(id)).filter((row) => row !== undefined)
  }
}

export type Filter = {
  series: number[] | undefined
  application: number | undefined
  /** Null: calls without one. */
  sip_status: number | null | undefined
  /** A key that is equal for equal filters. */
  key: string
}

const HOURS_OF_DAY = Array.from({ length: 24 }, (_, i) => i)
/** The most calls of some traces. A call has a leg or two. */
const MAX_OF_TRACES = 10_000
/** A row of `BY_HASH`. */
export type Hashed = { id: number; at: number; series: number }
export const BY_HASH = (name: keyof typeof HASHES) =>
  `select id, at, series from calls where hour in (${HOURS_OF_DAY.join()}) and ${HASHES[name]} = ? and ${name} = ?`
/** Null without calls. */
type Moment = { at: number | null }
type Sum = { n: number | null }
const sum = (row: Sum | undefined) => row?.n ?? 0

/** The SQL conditions of a filter on calls or on their counters, and their values. */
export function where(
  { series, application, sip_status }: Omit<Filter, 'key'>,
  table: 'calls' | 'cube' = 'calls',
) {
  let sql = ''
  const values: (string | number)[] = []
  if (series) {
    sql += ' and series in (select value from json_each(?))'
    values.push(JSON.stringify(series))
  }
  if (application !== undefined) {
    sql += ' and application = ?'
    values.push(application)
  }
  if (sip_status === null)
    sql += table === 'cube' ? ' and sip_status = -1' : ' and sip_status is null'
  else if (sip_status !== undefined) {
    sql += ' and sip_status = ?'
    values.push(sip_status)
  }
  return { sql, values }
}
