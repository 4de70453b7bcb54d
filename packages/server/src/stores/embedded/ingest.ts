import type { Folder } from './folder.ts'
import { buildChunk, forgetInChunk } from './grams.ts'
import type { Point, Value } from './lines.ts'
import {
  CHUNK,
  DAY_MS,
  HOUR_NS,
  hash,
  NUMBERS,
  ownerKey,
  type Row,
  type Shard,
  TEXTS,
  WHOLE_DAY,
} from './shard.ts'

const NO_TRACE = /^0*$/
const MAX_KEPT = 50_000

const COLUMNS = [
  'id',
  'at',
  'hour',
  'series',
  'application',
  'sip_status',
  ...NUMBERS,
  ...TEXTS,
  'more',
  'call_hash',
  'sip_hash',
  'trace_hash',
]
const INSERT = `insert into calls (${COLUMNS.map((c) => `"${c}"`)}) values (${COLUMNS.map(() => '?')})`
const OLD = `select c.*, w.text as application_sid from calls c indexed by calls_at
  left join words w on w.id = c.application where c.at = ? and c.series = ?`
const KNOWN = new Set<string>([...NUMBERS, ...TEXTS, 'application_sid', 'sip_status'])

/** What changes in the counts, gathered over a transaction. */
type Change = { calls: number; seconds: number; timed: number }

/** One day's file being written. What is kept in memory holds as long as nobody else writes to it. */
class Writer {
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
    let known = this.#names.get(series.measurement)
    if (!known) this.#names.set(series.measurement, (known = new Set()))
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
    let more: Record<string, Value> | undefined
    for (const name in fields) if (!KNOWN.has(name)) (more ??= {})[name] = fields[name]!
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
      more ? JSON.stringify(more) : null,
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
      let change = to.get(key)
      if (!change) to.set(key, (change = { calls: 0, seconds: 0, timed: 0 }))
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

const ADD = `do update set calls = calls + excluded.calls, seconds = seconds + excluded.seconds,
  timed = timed + excluded.timed`
const CUBE = `insert into cube (bucket, series, application, sip_status, calls, seconds, timed)
  values (?, ?, ?, ?, ?, ?, ?) on conflict (bucket, series, application, sip_status) ${ADD}`
const HOURS = `insert into hours (hour, owner, calls, seconds, timed) values (?, ?, ?, ?, ?)
  on conflict (hour, owner) ${ADD}`

function fieldsOf(row: Row): Record<string, Value> {
  const fields: Record<string, Value> = row.more ? JSON.parse(row.more as string) : {}
  for (const name of KNOWN) if (row[name] != null) fields[name] = row[name] as Value
  return fields
}

function numberOf(value: Value | undefined): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return null
  return Number.isFinite(Number(value)) ? Number(value) : null
}

function statusOf(value: Value | undefined): number | null {
  const status = numberOf(value)
  return status !== null && Number.isInteger(status) && status >= 0 && status < 2 ** 31
    ? status
    : null
}

export type Batch = { database: string; point: Point }[]

/** Writes points into the days they belong to. One at a time, one thread. */
export class Ingest {
  #folder: Folder
  #writers = new Map<number, Writer>()

  constructor(folder: Folder) {
    this.#folder = folder
    folder.onClose = (shard) => void this.#writers.delete(shard.day)
  }

  #writer(day: number): Writer {
    const shard = this.#folder.open(day)!
    let writer = this.#writers.get(day)
    if (!writer) this.#writers.set(day, (writer = new Writer(shard)))
    return writer
  }

  /** When this returns, all of it survives the end of the process. Throws where the disk does not take it. */
  write(batch: Batch) {
    const days = new Map<number, Batch>()
    for (const item of batch) {
      const day = Math.floor(item.point.ms / DAY_MS)
      const kept = days.get(day)
      if (kept) kept.push(item)
      else days.set(day, [item])
    }
    for (const [day, items] of days) {
      const writer = this.#writer(day)
      writer.transaction(() => {
        for (const { database, point } of items) {
          const at = (point.ms - day * DAY_MS) * 1_000_000 + point.ns
          if (database === 'cdrs' && point.series.measurement === 'cdrs')
            writer.call(database, point, at)
          else writer.point(database, point, at)
        }
      })
      while (writer.behind >= CHUNK) writer.index()
    }
  }

  /** Indexes one day that is behind by at least so many calls. Whether there was one. */
  catchUp(day: number, least: number): boolean {
    const writer = this.#writer(day)
    writer.transaction(() => undefined)
    if (writer.behind < Math.max(1, least)) return false
    writer.index()
    return true
  }

  /** Removes the oldest of a day, a few at a time. How many went. */
  trim(day: number, count: number): number {
    const writer = this.#writer(day)
    let gone = 0
    writer.transaction(() => {
      for (const row of writer.shard.all('select * from calls order by at limit ?', count)) {
        writer.drop(row)
        gone++
      }
      const points = writer.shard.run(
        'delete from points where id in (select id from points order by at limit ?)',
        count,
      )
      gone += Number(points.changes)
    })
    return gone
  }
}
