import { numberOf, statusOf, TEXTS } from '../fields.ts'
import type { Point, Value } from '../lines.ts'
import { HOUR_NS, QUARTER_NS } from '../times.ts'
import { BLOCKS, CUBE, fieldsOf, INSERT, moreOf, NO_TRACE, OLD, QUARTERS } from './row.ts'
import {
  answerMs,
  BLOCK,
  type CallRow,
  hash,
  type NamedCall,
  ownerKey,
  type Shard,
  WHOLE_DAY,
} from './shard.ts'
import { addText, type Findable, removeText, tagKey, tagWord } from './texts.ts'

const MAX_KEPT = 50_000

/** The changes of counters in a transaction. */
type Change = { calls: number; seconds: number; timed: number; answers: number; answer_ms: number }

/** Columns that a call's counters depend on. */
type Counted = Pick<
  CallRow,
  'at' | 'hour' | 'series' | 'application' | 'sip_status' | 'duration' | 'answered_at'
>

/** The number of a series' owner and outcome, and its tags as words of the text index. */
type About = { owner: number; tags: string }

type Fields = Record<string, Value>
const merged = (stored: Fields, given: Fields, isOlder: boolean): Fields =>
  isOlder ? { ...given, ...stored } : { ...stored, ...given }

/** A day's file for writing. Caches assume that nothing else writes to it. */
export class Writer {
  shard: Shard
  #series = new Map<string, number>()
  #words = new Map<string, number>()
  #version: number | undefined
  #about = new Map<number, About>()
  #names = new Map<string, Set<string>>()
  #latest = -1
  #next = 1
  #cube = new Map<string, Change>()
  #quarters = new Map<string, Change>()
  #blocks = new Map<number, { first: number; last: number }>()

  constructor(shard: Shard) {
    this.shard = shard
    shard.upgrade({
      fillTextIndex: () => this.#fillTextIndex(),
      ownerOf: (series) => this.#tagsOf(series).owner,
      within: (work) => this.transaction(work),
    })
  }

  #fillTextIndex() {
    const rows = this.shard.statement(
      'select id, at, series, application, sip_status, "from", "to" from calls order by id',
    )
    // exactly the selected columns
    for (const row of rows.iterate() as Iterable<Findable & Pick<CallRow, 'at' | 'series'>>) {
      addText(this.shard, row, this.#tagsOf(row.series).tags)
      this.#extendBlock(row.id, row.at)
    }
  }

  /** Runs work in a transaction. */
  transaction(work: () => void) {
    const { shard } = this
    shard.db.exec('begin immediate')
    try {
      if (shard.version() !== this.#version) this.#loadState()
      work()
      this.#writeCounts()
      shard.db.exec('commit')
    } catch (e) {
      if (shard.db.isTransaction) shard.db.exec('rollback')
      this.#version = undefined
      throw e
    }
  }

  #loadState() {
    const { shard } = this
    this.#series.clear()
    this.#words.clear()
    this.#about.clear()
    this.#names.clear()
    this.#cube.clear()
    this.#quarters.clear()
    this.#blocks.clear()
    this.#latest = shard.get<{ at: number | null }>('select max(at) as at from calls')!.at ?? -1
    const id = shard.get<{ id: number | null }>('select max(id) as id from calls')!.id
    this.#next = (id ?? 0) + 1
    this.#version = shard.version()
  }

  #idOf(
    kept: Map<string, number>,
    key: string,
    find: () => { id: number } | undefined,
    add: () => void,
  ) {
    const cached = kept.get(key)
    if (cached !== undefined) return cached
    let row = find()
    if (!row) {
      add()
      row = find()!
    }
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, row.id)
    return row.id
  }

  word = (text: string) =>
    this.#idOf(
      this.#words,
      text,
      () => this.shard.get<{ id: number }>('select id from words where text = ?', text),
      () => this.shard.run('insert into words (text) values (?)', text),
    )

  series = (database: string, { series }: Point) =>
    this.#idOf(
      this.#series,
      `${database} ${series.key}`,
      () =>
        this.shard.get<{ id: number }>(
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

  #tagsOf(series: number, cached?: Record<string, string>): About {
    let about = this.#about.get(series)
    if (about === undefined) {
      const kept = () =>
        this.shard.get<{ tags: string }>('select tags from series where id = ?', series)!.tags
      const tags: Record<string, string> = cached ?? JSON.parse(kept())
      const words = Object.entries(tags).map(([name, value]) =>
        tagWord(this.word(tagKey(name, value))),
      )
      about = { owner: this.word(ownerKey(tags)), tags: words.join(' ') }
      if (this.#about.size >= MAX_KEPT) this.#about.clear()
      this.#about.set(series, about)
    }
    return about
  }

  /** Records the field names of a measurement, for queries of all fields. */
  #remember(database: string, { series, fields }: Point) {
    const cached = this.#names.get(series.measurement) ?? new Set()
    this.#names.set(series.measurement, cached)
    for (const name in fields) {
      if (cached.has(name)) continue
      cached.add(name)
      this.shard.run(
        'insert or ignore into names (database, measurement, name) values (?, ?, ?)',
        database,
        series.measurement,
        name,
      )
    }
  }

  /** A point with the series and time of a stored one updates its fields, or adds some if it is older. */
  point(database: string, point: Point, at: number, isOlder: boolean) {
    this.#remember(database, point)
    const series = this.series(database, point)
    const kind = this.word(`${database} ${point.series.measurement}`)
    const old = this.shard.get<{ fields: string }>(
      'select fields from points where series = ? and at = ?',
      series,
      at,
    )
    const before: Record<string, Value> = old ? JSON.parse(old.fields) : {}
    this.shard.run(
      `insert into points (series, kind, at, fields) values (?, ?, ?, ?)
        on conflict (series, at) do update set fields = excluded.fields`,
      series,
      kind,
      at,
      JSON.stringify(merged(before, point.fields, isOlder)),
    )
  }

  /** The same for a call. */
  call(database: string, point: Point, at: number, isOlder: boolean) {
    this.#remember(database, point)
    const series = this.series(database, point)
    const about = this.#tagsOf(series, point.series.tags)
    let { fields } = point
    // calls in order of time cannot exist already
    if (at <= this.#latest) {
      const old = this.shard.get<NamedCall>(OLD, at, series)
      if (old) {
        fields = merged(fieldsOf(old), fields, isOlder)
        this.drop(old, about)
      }
    }
    this.#latest = Math.max(this.#latest, at)
    const application =
      fields.application_sid === undefined ? 0 : this.word(String(fields.application_sid))
    const status = statusOf(fields.sip_status)
    const duration = numberOf(fields.duration)
    const answered_at = numberOf(fields.answered_at)
    const hour = Math.floor(at / HOUR_NS)
    const text = (name: string) => (fields[name] === undefined ? null : String(fields[name]))
    const [call, sip, trace] = [text('call_sid'), text('sip_callid'), text('trace_id')]
    const id = this.#next++
    this.shard.run(
      INSERT,
      id,
      at,
      hour,
      series,
      application,
      status,
      duration,
      answered_at,
      numberOf(fields.terminated_at),
      ...TEXTS.map(text),
      moreOf(fields),
      call === null ? null : hash(call),
      sip === null ? null : hash(sip),
      trace === null || NO_TRACE.test(trace) ? null : hash(trace),
    )
    const row = { id, application, sip_status: status, from: text('from'), to: text('to') }
    addText(this.shard, row, about.tags)
    this.#extendBlock(id, at)
    const counted = { at, hour, series, application, sip_status: status, duration, answered_at }
    this.#countCall(counted, about.owner, 1)
  }

  /** Deletes a call, also from the counters and the text index. */
  drop(row: CallRow, about = this.#tagsOf(row.series)) {
    this.shard.run('delete from calls where id = ?', row.id)
    removeText(this.shard, row, about.tags)
    this.#countCall(row, about.owner, -1)
  }

  #extendBlock(id: number, at: number) {
    const block = Math.floor(id / BLOCK)
    const { first, last } = this.#blocks.get(block) ?? { first: at, last: at }
    this.#blocks.set(block, { first: Math.min(first, at), last: Math.max(last, at) })
  }

  #countCall(row: Counted, owner: number, by: 1 | -1) {
    const { hour, series, application, sip_status, duration } = row
    const wait = answerMs(this.shard.day, row.at, row.answered_at)
    const add = (to: Map<string, Change>, key: string) => {
      const change = to.get(key) ?? { calls: 0, seconds: 0, timed: 0, answers: 0, answer_ms: 0 }
      to.set(key, change)
      change.calls += by
      if (wait !== undefined) {
        change.answers += by
        change.answer_ms += by * wait
      }
      if (duration === null) return
      change.seconds += by * duration
      change.timed += by
    }
    add(this.#cube, `${hour} ${series} ${application} ${sip_status ?? -1}`)
    add(this.#quarters, `${Math.floor(row.at / QUARTER_NS)} ${owner}`)
  }

  #writeCounts() {
    for (const [key, { calls, seconds, timed, answers, answer_ms }] of this.#cube) {
      const [hour, ...cell] = key.split(' ').map(Number)
      for (const bucket of [hour!, WHOLE_DAY])
        this.shard.run(CUBE, bucket, ...cell, calls, seconds, timed, answers, answer_ms)
    }
    for (const [key, { calls, seconds, timed }] of this.#quarters)
      this.shard.run(QUARTERS, ...key.split(' ').map(Number), calls, seconds, timed)
    for (const [block, { first, last }] of this.#blocks) this.shard.run(BLOCKS, block, first, last)
    this.#cube.clear()
    this.#quarters.clear()
    this.#blocks.clear()
  }
}
