import { buildChunk, forgetInChunk } from './grams.ts'
import type { Point, Value } from './lines.ts'
import { CUBE, fieldsOf, HOURS, INSERT, moreOf, NO_TRACE, numberOf, OLD, statusOf } from './row.ts'
import { CHUNK, HOUR_NS, hash, ownerKey, type Row, type Shard, TEXTS, WHOLE_DAY } from './shard.ts'

const MAX_KEPT = 50_000

/** What changes in the counts, gathered over a transaction. */
type Change = { calls: number; seconds: number; timed: number }

/** One day's file being written. What is kept in memory holds as long as nobody else writes to it. */
export class Writer {
  shard: Shard
  #series = new Map<string, number>()
  #words = new Map<string, number>()
  #version: number | undefined
  #owners = new Map<number, number>()
  #names = new Map<string, Set<string>>()
  #latest = -1
  #next = 1
  /** Calls up to this id are in the text index. */
  indexed = 0
  #cube = new Map<string, Change>()
  #hours = new Map<string, Change>()

  constructor(shard: Shard) {
    this.shard = shard
  }

  /** Calls that the text index does not know yet. */
  get behind() {
    return this.#next - 1 - this.indexed
  }

  /** Does this in one transaction: all of it or nothing. */
  transaction(work: () => void) {
    const { shard } = this
    shard.db.exec('begin immediate')
    try {
      if (shard.version() !== this.#version) this.#look()
      work()
      this.#count()
      shard.db.exec('commit')
    } catch (e) {
      if (shard.db.isTransaction) shard.db.exec('rollback')
      this.#version = undefined
      throw e
    }
  }

  #look() {
    const { shard } = this
    this.#series.clear()
    this.#words.clear()
    this.#owners.clear()
    this.#names.clear()
    this.#cube.clear()
    this.#hours.clear()
    this.#latest = (shard.get('select max(at) as at from calls')!.at as number | null) ?? -1
    const last = shard.get('select chunk, size from chunks order by chunk desc limit 1')
    this.indexed = last ? (last.chunk as number) * CHUNK + (last.size as number) : 0
    const id = shard.get('select max(id) as id from calls')!.id as number | null
    this.#next = Math.max(id ?? 0, this.indexed) + 1
    this.#version = shard.version()
  }

  #idOf(kept: Map<string, number>, key: string, find: () => Row | undefined, add: () => void) {
    const known = kept.get(key)
    if (known !== undefined) return known
    let row = find()
    if (!row) {
      add()
      row = find()!
    }
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, row.id as number)
    return row.id as number
  }

  word = (text: string) =>
    this.#idOf(
      this.#words,
      text,
      () => this.shard.get('select id from words where text = ?', text),
      () => this.shard.run('insert into words (text) values (?)', text),
    )

  series = (database: string, { series }: Point) =>
    this.#idOf(
      this.#series,
      `${database} ${series.key}`,
      () =>
        this.shard.get(
          'select id from series where database = ? and key = ?',
          database,
          series.key,
        ),
      () =>
        this.shard.run(
          'insert into series (database, key, tags, measurement) values (?, ?, ?, ?)',
          database,
          series.key,
          JSON.stringify(series.tags),
          series.measurement,
        ),
    )

  #owner(series: number, tags?: Record<string, string>): number {
    let owner = this.#owners.get(series)
    if (owner === undefined) {
      const kept = () => this.shard.get('select tags from series where id = ?', series)!.tags
      owner = this.word(ownerKey(tags ?? JSON.parse(kept() as string)))
      if (this.#owners.size >= MAX_KEPT) this.#owners.clear()
      this.#owners.set(series, owner)
    }
    return owner
  }

  /** Which fields a measurement has ever had, for whoever asks for all of them. */
  #remember(database: string, { series, fields }: Point) {
    const known = this.#names.get(series.measurement) ?? new Set()
    this.#names.set(series.measurement, known)
    for (const name in fields) {
      if (known.has(name)) continue
      known.add(name)
      this.shard.run(
        'insert or ignore into names (database, measurement, name) values (?, ?, ?)',
        database,
        series.measurement,
        name,
      )
    }
  }

  /** The same series at the same time is the same point: its fields are added and replaced. */
  point(database: string, point: Point, at: number) {
    this.#remember(database, point)
    const series = this.series(database, point)
    const kind = this.word(`${database} ${point.series.measurement}`)
    const old = this.shard.get('select fields from points where series = ? and at = ?', series, at)
    const before = old ? (JSON.parse(old.fields as string) as Record<string, Value>) : {}
    this.shard.run(
      `insert into points (series, kind, at, fields) values (?, ?, ?, ?)
        on conflict (series, at) do update set fields = excluded.fields`,
      series,
      kind,
      at,
      JSON.stringify({ ...before, ...point.fields }),
    )
  }

  call(database: string, point: Point, at: number) {
    this.#remember(database, point)
    const series = this.series(database, point)
    const owner = this.#owner(series, point.series.tags)
    let { fields } = point
    // in order of time, as calls come, there is nothing to look for
    if (at <= this.#latest) {
      const old = this.shard.get(OLD, at, series)
      if (old) {
        fields = { ...fieldsOf(old), ...fields }
        this.drop(old, owner)
      }
    }
    this.#latest = Math.max(this.#latest, at)
    const application =
      fields.application_sid === undefined ? 0 : this.word(String(fields.application_sid))
    const status = statusOf(fields.sip_status)
    const duration = numberOf(fields.duration)
    const hour = Math.floor(at / HOUR_NS)
    const text = (name: string) => (fields[name] === undefined ? null : String(fields[name]))
    const [call, sip, trace] = [text('call_sid'), text('sip_callid'), text('trace_id')]
    this.shard.run(
      INSERT,
      this.#next++,
      at,
      hour,
      series,
      application,
      status,
      duration,
      numberOf(fields.answered_at),
      numberOf(fields.terminated_at),
      ...TEXTS.map(text),
      moreOf(fields),
      call === null ? null : hash(call),
      sip === null ? null : hash(sip),
      trace === null || NO_TRACE.test(trace) ? null : hash(trace),
    )
    this.#change(hour, owner, series, application, status, duration, 1)
  }

  /** Takes a call out again, of the counts and of the text index too. */
  drop(row: Row, owner = this.#owner(row.series as number)) {
    const id = row.id as number
    this.shard.run('delete from calls where id = ?', id)
    if (id <= this.indexed) forgetInChunk(this.shard, id)
    const { hour, series, application, sip_status, duration } = row as Record<string, number>
    this.#change(hour!, owner, series!, application!, sip_status ?? null, duration ?? null, -1)
  }

  #change(
    hour: number,
    owner: number,
    series: number,
    application: number,
    status: number | null,
    duration: number | null,
    by: 1 | -1,
  ) {
    const add = (to: Map<string, Change>, key: string) => {
      const change = to.get(key) ?? { calls: 0, seconds: 0, timed: 0 }
      to.set(key, change)
      change.calls += by
      if (duration === null) return
      change.seconds += by * duration
      change.timed += by
    }
    add(this.#cube, `${hour} ${series} ${application} ${status ?? -1}`)
    add(this.#hours, `${hour} ${owner}`)
  }

  #count() {
    const upsert = (sql: string, key: number[], { calls, seconds, timed }: Change) =>
      this.shard.run(sql, ...key, calls, seconds, timed)
    for (const [key, change] of this.#cube) {
      const [hour, ...rest] = key.split(' ').map(Number) as [number, ...number[]]
      upsert(CUBE, [hour, ...rest], change)
      upsert(CUBE, [WHOLE_DAY, ...rest], change)
    }
    for (const [key, change] of this.#hours) upsert(HOURS, key.split(' ').map(Number), change)
    this.#cube.clear()
    this.#hours.clear()
  }

  /** Brings the text index up to date by one chunk. */
  index() {
    this.transaction(() => {
      const chunk = Math.floor(this.indexed / CHUNK)
      const size = Math.min(CHUNK, this.#next - 1 - chunk * CHUNK)
      buildChunk(this.shard, chunk, size)
      this.indexed = chunk * CHUNK + size
    })
  }
}
