import { doubles, searchChunk, words } from './grams.ts'
import { CHUNK, DAY_NS, HOUR_NS, hash, ownerKey, type Row, type Shard, WHOLE_DAY } from './shard.ts'

/** What is asked for, in nanoseconds since 1970: from inclusive, to exclusive. */
export type Want = {
  from: bigint
  to: bigint
  /** Tags by name, exactly. */
  tags: Record<string, string>
  application_sid?: string | undefined
  sip_status?: number | undefined
  text?: string | undefined
  /** The ids that may be the text. */
  ids?: readonly ('call_sid' | 'sip_callid')[]
}

export type Series = {
  id: number
  database: string
  measurement: string
  tags: Record<string, string>
}

/** A part of a day, in nanoseconds of it. */
type Take = (id: number, at: number) => void

export type Part = { from: number; to: number }

const MAX_MEMOS = 200
const MAX_WORDS = 20_000
export const HASHES = {
  call_sid: 'call_hash',
  sip_callid: 'sip_hash',
  trace_id: 'trace_hash',
} as const

/** A day's file being read. What it adds up to is remembered until somebody writes to it. */
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
    return this.#memos.get(key) as T
  }

  series(): Series[] {
    const known = this.#series.at(-1)?.id ?? 0
    for (const row of this.shard.all('select * from series where id > ? order by id', known)) {
      const { id, database, measurement } = row as {
        id: number
        database: string
        measurement: string
      }
      const one = { id, database, measurement, tags: JSON.parse(row.tags as string) }
      this.#series.push(one)
      this.#byId.set(id, one)
    }
    return this.#series
  }

  seriesOf = (id: number) => this.#byId.get(id) ?? (this.series(), this.#byId.get(id)!)

  /** A word by its number. They never change. */
  word(id: number): string {
    let text = this.#words.get(id)
    if (text === undefined) {
      text = this.shard.get('select text from words where id = ?', id)!.text as string
      if (this.#words.size >= MAX_WORDS) this.#words.clear()
      this.#words.set(id, text)
    }
    return text
  }

  /** The number of a series' owner and outcome. */
  owner = (series: number) =>
    this.shard.get('select id from words where text = ?', ownerKey(this.seriesOf(series).tags))!
      .id as number

  /** The series of a measurement that have these tags; undefined stands for all of them. */
  having(
    database: string,
    measurement: string,
    tags: Record<string, string>,
  ): number[] | undefined {
    const asked = Object.entries(tags)
    if (asked.length === 0) return undefined
    return this.memo(`series ${JSON.stringify([database, measurement, tags])}`, () =>
      this.series()
        .filter((s) => s.database === database && s.measurement === measurement)
        .filter((s) =>
          asked.every(([name, value]) => Object.hasOwn(s.tags, name) && s.tags[name] === value),
        )
        .map((s) => s.id),
    )
  }

  /** Of this span what lies in this day; undefined where nothing does. The whole day where it holds all that is kept. */
  part(from: bigint, to: bigint): Part | undefined {
    const begin = BigInt(this.shard.day) * BigInt(DAY_NS)
    const clamp = (ns: bigint) => Math.max(0, Math.min(DAY_NS, Number(ns - begin)))
    const part = { from: clamp(from), to: clamp(to) }
    return part.from < part.to ? part : undefined
  }

  filter(want: Want): Filter | undefined {
    const series = this.having('cdrs', 'cdrs', want.tags)
    if (series?.length === 0) return undefined
    let application: number | undefined
    if (want.application_sid !== undefined) {
      const word = this.shard.get('select id from words where text = ?', want.application_sid)
      if (!word) return undefined
      application = word.id as number
    }
    const key = JSON.stringify([want.tags, application, want.sip_status])
    return { series, application, sip_status: want.sip_status, key }
  }

  /** How many calls pass, without text. */
  count(filter: Filter, part: Part): number {
    const { shard } = this
    const whole = this.whole(part)
    const { sql, values } = where(filter)
    if (whole)
      return this.memo(`count ${filter.key}`, () =>
        sum(
          shard.get(
            `select sum(calls) as n from cube where bucket = ${WHOLE_DAY}${sql}`,
            ...values,
          ),
        ),
      )
    const [first, end] = [Math.ceil(part.from / HOUR_NS), Math.floor(part.to / HOUR_NS)]
    if (first > end) return this.#countRaw(filter, part)
    let n = 0
    if (first < end)
      n += sum(
        shard.get(
          `select sum(calls) as n from cube where bucket >= ? and bucket < ?${sql}`,
          first,
          end,
          ...values,
        ),
      )
    if (part.from < first * HOUR_NS)
      n += this.#countRaw(filter, { from: part.from, to: first * HOUR_NS })
    if (part.to > end * HOUR_NS) n += this.#countRaw(filter, { from: end * HOUR_NS, to: part.to })
    return n
  }

  /** Whether a part leaves out nothing of what is kept. */
  whole({ from, to }: Part): boolean {
    if (from === 0 && to === DAY_NS) return true
    const ends = this.memo('ends', () => ({
      ...this.shard.get('select min(at) as first from calls'),
      ...this.shard.get('select max(at) as last from calls'),
    })) as { first: number | null; last: number | null }
    return ends.first === null || (ends.first >= from && ends.last! < to)
  }

  #countRaw(filter: Filter, { from, to }: Part): number {
    const { sql, values } = where(filter)
    return sum(
      this.shard.get(
        `select count(*) as n from calls indexed by calls_at where at >= ? and at < ?${sql}`,
        from,
        to,
        ...values,
      ),
    )
  }

  /** A page of ids, newest first: hours that hold nothing are never looked at, and whole ones are skipped over. */
  page(filter: Filter, part: Part, offset: number, limit: number): number[] {
    const { sql, values } = where(filter)
    const hours = this.shard.all(
      `select bucket, sum(calls) as n from cube where bucket < ${WHOLE_DAY} and bucket >= ? and bucket <= ?${sql}
        group by bucket having n > 0 order by bucket desc`,
      Math.floor(part.from / HOUR_NS),
      Math.floor((part.to - 1) / HOUR_NS),
      ...values,
    ) as { bucket: number; n: number }[]
    const ids: number[] = []
    let skip = offset
    const raw = where(filter)
    for (const { bucket, n } of hours) {
      const from = Math.max(part.from, bucket * HOUR_NS)
      const to = Math.min(part.to, (bucket + 1) * HOUR_NS)
      const full = to - from === HOUR_NS
      if (full && skip >= n) {
        skip -= n
        continue
      }
      // an hour that the span cuts holds fewer than it says
      const here = full ? n : this.#countRaw(filter, { from, to })
      if (skip >= here) {
        skip -= here
        continue
      }
      const rows = this.shard.all(
        `select id from calls indexed by calls_at where at >= ? and at < ?${raw.sql}
          order by at desc, series desc limit ? offset ?`,
        from,
        to,
        ...raw.values,
        limit - ids.length,
        skip,
      )
      for (const row of rows) ids.push(row.id as number)
      skip = 0
      if (ids.length >= limit) break
    }
    return ids
  }

  /** Takes all calls that have the text and pass, in no order; their times only where asked for. */
  search(want: Want, filter: Filter, part: Part, times: boolean, take: Take) {
    const text = want.text!
    const { shard } = this
    const whole = this.whole(part)
    const allowed = filter.series && this.#flags(filter.series)
    let indexed = 0
    for (const chunk of shard.all('select chunk, size from chunks order by chunk')) {
      const base = (chunk.chunk as number) * CHUNK + 1
      indexed = base + (chunk.size as number) - 1
      const found = searchChunk(shard, chunk, text)
      if (found.length === 0) continue
      const column = (name: string) =>
        shard.get(`select "${name}" as c from chunks where chunk = ?`, chunk.chunk!)!.c
      const series = words(column('series'))
      const at = times || !whole ? doubles(column('at')) : undefined
      const application =
        filter.application === undefined ? undefined : words(column('application'))
      const status = filter.sip_status === undefined ? undefined : words(column('sip_status'))
      for (const i of found) {
        const s = series[i]!
        if (s === 0 || (allowed && !allowed[s])) continue
        if (!whole && (at![i]! < part.from || at![i]! >= part.to)) continue
        if (application && application[i] !== filter.application) continue
        if (status && status[i] !== filter.sip_status) continue
        take(base + i, at ? at[i]! : 0)
      }
    }
    const { sql, values } = where(filter)
    const rest = `and at >= ? and at < ?${sql}`
    const bounds = [part.from, part.to, ...values]
    for (const row of shard.all(
      `select id, at from calls where id > ? and (instr("from", ?) > 0 or instr("to", ?) > 0) ${rest}`,
      indexed,
      text,
      text,
      ...bounds,
    ))
      take(row.id as number, row.at as number)
    // what the text has found in the numbers already is not taken twice
    const more = new Map<number, number>()
    for (const name of want.ids ?? [])
      for (const row of shard.all(
        `${BY_HASH(name)} and instr(coalesce("from", ''), ?) = 0 and instr(coalesce("to", ''), ?) = 0 ${rest}`,
        hash(text),
        text,
        text,
        text,
        ...bounds,
      ))
        more.set(row.id as number, row.at as number)
    for (const [id, at] of more) take(id, at)
  }

  #flags(ids: number[]): Uint8Array {
    const flags = new Uint8Array(Math.max(...ids) + 1)
    for (const id of ids) flags[id] = 1
    return flags
  }

  /** How many calls have the text and pass. */
  countText(want: Want, filter: Filter, part: Part): number {
    const count = () => {
      let n = 0
      this.search(want, filter, part, false, () => void n++)
      return n
    }
    return this.whole(part)
      ? this.memo(`text ${JSON.stringify([want.text, want.ids])} ${filter.key}`, count)
      : count()
  }

  /** The ids of those, newest first: the first so many. */
  newest(want: Want, filter: Filter, part: Part, limit: number): { ids: number[]; total: number } {
    const [ids, at]: [number[], number[]] = [[], []]
    this.search(want, filter, part, true, (id, time) => {
      ids.push(id)
      at.push(time)
    })
    const total = ids.length
    let kept = ids.keys().toArray()
    if (total > limit) {
      const least = Float64Array.from(at).sort()[total - limit]!
      kept = kept.filter((i) => at[i]! >= least)
    }
    kept.sort((a, b) => at[b]! - at[a]! || ids[b]! - ids[a]!)
    return { ids: kept.slice(0, limit).map((i) => ids[i]!), total }
  }

  byId(name: keyof typeof HASHES, text: string): Row[] {
    return this.shard.all(`${BY_HASH(name)}`, hash(text), text)
  }

  /** All that pass, newest first, so many at a time. */
  *walk(filter: Filter, part: Part, size: number): Generator<Row[]> {
    const { sql, values } = where(filter)
    let [at, series] = [part.to, 0]
    for (;;) {
      const ids = this.shard.all(
        `select id, at, series from calls indexed by calls_at
          where at >= ? and at <= ? and (at < ? or series < ?)${sql} order by at desc, series desc limit ?`,
        part.from,
        at,
        at,
        series,
        ...values,
        size,
      )
      const last = ids.at(-1)
      if (!last) return
      yield this.rows(ids.map((row) => row.id as number))
      at = last.at as number
      series = last.series as number
    }
  }

  /** Reads what this does at one moment. */
  snapshot<T>(work: () => T): T {
    this.shard.run('begin')
    try {
      return work()
    } finally {
      this.shard.run('commit')
    }
  }

  rows(ids: number[]): Row[] {
    const rows = new Map(
      this.shard
        .all(
          `select c.*, w.text as application_sid from calls c left join words w on w.id = c.application
            where c.id in (select value from json_each(?))`,
          JSON.stringify(ids),
        )
        .map((row) => [row.id as number, row]),
    )
    // one that was replaced between the two reads is there again under another id, newer than this page
    return ids.map((id) => rows.get(id)).filter((row) => row !== undefined)
  }
}

export type Filter = {
  series: number[] | undefined
  application: number | undefined
  sip_status: number | undefined
  /** The same for the same filter. */
  key: string
}

const HOURS_OF_DAY = Array.from({ length: 24 }, (_, i) => i).join()
const BY_HASH = (name: keyof typeof HASHES) =>
  `select id, at, series from calls where hour in (${HOURS_OF_DAY}) and ${HASHES[name]} = ? and ${name} = ?`
const sum = (row: Row | undefined) => (row?.n as number | null) ?? 0

function where({ series, application, sip_status }: Filter) {
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
  if (sip_status !== undefined) {
    sql += ' and sip_status = ?'
    values.push(sip_status)
  }
  return { sql, values }
}
