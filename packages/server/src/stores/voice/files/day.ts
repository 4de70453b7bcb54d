import type { Call } from '@switchroom/contract'
import type { Count, CountedBy } from '../../../talk/counts.ts'
import type { Owner, Span } from '../../calls/store.ts'
import { HOUR_MS } from '../../calls/sums.ts'
import { DamagedRow } from '../../kit/damage.ts'
import { VERSIONS } from '../../kit/formats.ts'
import { SegmentFile, type SegmentFormat } from '../../kit/segment-files.ts'
import type { VoiceCall } from '../store.ts'
import { SPOKEN_SCHEMA, type Spoken, SpokenWords } from './spoken.ts'

export const DAY_MS = 24 * HOUR_MS

/** Counts by `all` are summed by hour, in the buckets 0 to 23. Others are summed for the whole day, and by hour. */
const WHOLE_DAY = 24
const OTHERS_OF_HOUR = 25

/**
 * Times are milliseconds since the start of the day. `words` has what is counted, and owners of sums. What calls are
 * filtered by, but for text, is in their series. `counted` is the index of lists: of everything that a call is counted for,
 * with the largest time. `sums` has how often there was each value.
 */
const FIRST_SCHEMA = `
create table words (id integer primary key, text text not null unique);
create table series (id integer primary key, tags text not null unique);
create table calls (id integer primary key, trace blob not null unique, at integer not null, series integer not null,
  "from" text, "to" text, call_sid text, sip_callid text);
create index calls_at on calls (at);
create table records (id integer primary key, call text not null, counts text not null);
create table counted (word integer not null, series integer not null, at integer not null, call integer not null,
  value integer not null, primary key (word, series, at, call)) without rowid;
create table sums (owner integer not null, bucket integer not null, word integer not null, counts text not null,
  primary key (owner, bucket, word)) without rowid;
`
const FORMAT: SegmentFormat = {
  version: VERSIONS.voice,
  schema: `${FIRST_SCHEMA} ${SPOKEN_SCHEMA}`,
  // calls of before have no words
  steps: { 1: SPOKEN_SCHEMA },
  // arrivals are forgotten once calls are kept
  synchronous: 'full',
}
/** Finds what `DamagedRow` is thrown for, which SQLite has no eye for. */
export const UNREADABLE = `
select 1 from sums where not json_valid(counts)
union all select 1 from series where not json_valid(tags)
union all select 1 from records where not json_valid(counts)
union all select 1 from calls c left join records r on r.id = c.id left join series s on s.id = c.series
  where r.id is null or s.id is null
limit 1`
const MAX_KEPT = 50_000

/** What calls are filtered by. */
export type Tags = Pick<
  Call,
  | 'service_provider_sid'
  | 'account_sid'
  | 'direction'
  | 'answered'
  | 'trunk'
  | 'application_sid'
  | 'sip_status'
>

/** What is counted, and the text that it is written as. */
type Word = Pick<Count, 'by' | 'key' | 'measure'> & { text: string }

/** A sum of an hour that begins at `at`, in milliseconds since 1970, or of several hours, if undefined. */
export type SumOfDay = { word: Word; counts: SumCounts; at: number | undefined }
/** How often there was each value. */
type SumCounts = Record<number, number>

/** The word of what is counted. */
export const wordOf = ({ by, key, measure }: Omit<Word, 'text'>) =>
  JSON.stringify([by, key, measure])

/** The word of an owner of sums: an account, or else a provider, with all applications or one. */
export function ownerWord(
  { account_sid, service_provider_sid }: Owner,
  application_sid: string | null,
) {
  const owner =
    account_sid === undefined ? ['provider', service_provider_sid] : ['account', account_sid]
  return JSON.stringify([...owner, application_sid])
}

/** Calls that no provider has are found among all. */
const NOBODY = 0

/** A call, and what transcriptions of its recording say: what is there already, if undefined. */
export type DayCall = VoiceCall & Partial<Pick<Spoken, 'recorded'>>

function ownersOf({ account_sid, service_provider_sid, application_sid }: Tags) {
  const owners: Owner[] = []
  if (account_sid !== null) owners.push({ account_sid })
  if (service_provider_sid !== null) owners.push({ service_provider_sid })
  return owners.flatMap((owner) => [
    { word: ownerWord(owner, null), isOfApplication: false },
    ...(application_sid === null
      ? []
      : [{ word: ownerWord(owner, application_sid), isOfApplication: true }]),
  ])
}

/** What this program wrote as JSON. */
export function parsed<T>(json: string): T {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new DamagedRow('what was written as JSON cannot be read', { cause })
  }
}

/** A count by the number of its word. */
type Counted = readonly [word: number, value: number, n: number]
type Stored = { id: number; at: number; series: number; counts: string }
/** What is added to sums: how often by value, by the key of the sum. */
type Changes = Map<string, Map<number, number>>

/** The calls of a UTC day, by the times of their records. Writers in other processes do not matter to its caches. */
export class VoiceDay extends SegmentFile {
  readonly day: number
  /** How often it was written to. */
  changes = 0
  #words = new Map<string, number>()
  #byId = new Map<number, Word>()
  #series = new Map<string, number>()
  #spoken = new SpokenWords(this)

  constructor(file: string, day: number) {
    super(file, FORMAT)
    this.day = day
  }

  /** It is made in one transaction. */
  isReadable = () => true

  /** The ids of calls, by trace. */
  find(trace_ids: readonly string[]): Map<string, number> {
    const rows = this.iterate<{ id: number; trace: string }>(
      `select id, lower(hex(trace)) as trace from calls
        where trace in (select unhex(value) from json_each(?))`,
      JSON.stringify(trace_ids),
    )
    return new Map(Array.from(rows, ({ id, trace }) => [trace, id]))
  }

  /** The number of a word; undefined if it is not in use. */
  wordId = (text: string) =>
    this.get<{ id: number }>('select id from words where text = ?', text)?.id

  /** Keeps calls, in place of what there was of the same traces. */
  put(calls: readonly DayCall[]) {
    this.#change((changes) => {
      for (const one of calls) {
        const [id = null] = this.find([one.trace_id]).values()
        const { recorded } = id === null ? NOTHING_SAID : this.#take(id, changes)
        this.#add(id, { recorded, ...one }, changes)
      }
    })
  }

  /** What was said in a call. */
  spokenIn = (id: number) => this.#spoken.of(id)

  /** Has a call found by this, in place of what a transcription said before. */
  putRecorded(id: number, recorded: string) {
    this.#change(() => {
      const owners = this.#speakersOf(this.#tagsOf(id))
      const { words } = this.#spoken.take(id, owners)
      this.#spoken.add(id, { words, recorded }, owners)
    })
  }

  drop(ids: Iterable<number>) {
    this.#change((changes) => {
      for (const id of ids) this.#take(id, changes)
    })
  }

  /** Removes the oldest calls. Returns how many. */
  trim(limit: number) {
    const oldest = this.iterate<{ id: number }>(
      'select id from calls order by at, id limit ?',
      limit,
    )
    const ids = Array.from(oldest, ({ id }) => id)
    this.drop(ids)
    return ids.length
  }

  #change(work: (changes: Changes) => void) {
    this.changes++
    try {
      this.atOnce(() => {
        const changes: Changes = new Map()
        work(changes)
        this.#addToSums(changes)
      })
    } catch (e) {
      // the transaction with these ids was rolled back
      this.#words.clear()
      this.#byId.clear()
      this.#series.clear()
      throw e
    }
  }

  #add(id: number | null, one: DayCall & Pick<Spoken, 'recorded'>, changes: Changes) {
    const { trace_id, call, counts, words = '', recorded } = one
    const trace = Buffer.from(trace_id, 'hex')
    const at = Date.parse(call.attempted_at) - this.day * DAY_MS
    const { from, to, call_sid, sip_callid } = call
    const tags: Tags = {
      service_provider_sid: call.service_provider_sid,
      account_sid: call.account_sid,
      direction: call.direction,
      answered: call.answered,
      trunk: call.trunk,
      application_sid: call.application_sid,
      sip_status: call.sip_status,
    }
    const series = this.#idOf('series', 'tags', this.#series, JSON.stringify(tags))
    const counted = counts.map(
      (count): Counted => [
        this.#idOf('words', 'text', this.#words, wordOf(count)),
        count.value,
        count.n,
      ],
    )
    const added = this.sql(
      `insert into calls (id, trace, at, series, "from", "to", call_sid, sip_callid)
        values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(id, trace, at, series, from, to, call_sid, sip_callid)
    const call_id = Number(added.lastInsertRowid)
    this.sql('insert into records (id, call, counts) values (?, ?, ?)').run(
      call_id,
      JSON.stringify(call),
      JSON.stringify(counted),
    )
    for (const [word, value] of largest(counted))
      this.sql('insert into counted (word, series, at, call, value) values (?, ?, ?, ?, ?)').run(
        ...[word, series, at, call_id, value],
      )
    this.#spoken.add(call_id, { words, recorded }, this.#speakersOf(tags))
    this.#sum({ tags, at, counted, sign: 1 }, changes)
  }

  /** Removes a call. Returns what was said in it. */
  #take(id: number, changes: Changes): Spoken {
    const stored = this.get<Stored & { tags: string }>(
      `select c.id, c.at, c.series, r.counts, s.tags from calls c join records r on r.id = c.id
        join series s on s.id = c.series where c.id = ?`,
      id,
    )
    if (!stored) throw new DamagedRow('a call is incomplete')
    const { at, series } = stored
    const counted = parsed<Counted[]>(stored.counts)
    this.sql('delete from calls where id = ?').run(id)
    this.sql('delete from records where id = ?').run(id)
    for (const word of largest(counted).keys())
      this.sql('delete from counted where word = ? and series = ? and at = ? and call = ?').run(
        ...[word, series, at, id],
      )
    const tags = parsed<Tags>(stored.tags)
    this.#sum({ tags, at, counted, sign: -1 }, changes)
    return this.#spoken.take(id, this.#speakersOf(tags))
  }

  #tagsOf(id: number): Tags {
    const row = this.get<{ tags: string }>(
      'select s.tags from calls c join series s on s.id = c.series where c.id = ?',
      id,
    )
    if (!row) throw new DamagedRow('a call is incomplete')
    return parsed(row.tags)
  }

  /** The numbers of those whose words these are. */
  #speakersOf({ account_sid, service_provider_sid }: Tags): number[] {
    const numberOf = (owner: Owner) =>
      this.#idOf('words', 'text', this.#words, ownerWord(owner, null))
    return [
      service_provider_sid === null ? NOBODY : numberOf({ service_provider_sid }),
      ...(account_sid === null ? [] : [numberOf({ account_sid })]),
    ]
  }

  /** The number of an owner whose words there are; undefined if there are none. */
  speaker = (owner: Owner) =>
    owner.account_sid === undefined && owner.service_provider_sid === undefined
      ? NOBODY
      : this.wordId(ownerWord(owner, null))

  #sum(
    { tags, at, counted, sign }: { tags: Tags; at: number; counted: Counted[]; sign: 1 | -1 },
    changes: Changes,
  ) {
    const hour = Math.floor(at / HOUR_MS)
    for (const { word: text, isOfApplication } of ownersOf(tags)) {
      const owner = this.#idOf('words', 'text', this.#words, text)
      for (const [word, value, n] of counted) {
        const { by } = this.#word(word)
        if (isOfApplication && by === 'application') continue
        for (const bucket of by === 'all' ? [hour] : [WHOLE_DAY, OTHERS_OF_HOUR + hour]) {
          const key = `${owner} ${bucket} ${word}`
          const values = changes.get(key) ?? new Map<number, number>()
          changes.set(key, values)
          values.set(value, (values.get(value) ?? 0) + sign * n)
        }
      }
    }
  }

  #addToSums(changes: Changes) {
    const KEY = 'owner = ? and bucket = ? and word = ?'
    for (const [key, values] of changes) {
      const at = key.split(' ').map(Number)
      const row = this.get<{ counts: string }>(`select counts from sums where ${KEY}`, ...at)
      const counts = row ? parsed<SumCounts>(row.counts) : {}
      for (const [value, n] of values) {
        const sum = (counts[value] ?? 0) + n
        if (sum === 0) delete counts[value]
        else counts[value] = sum
      }
      if (Object.keys(counts).length === 0) this.sql(`delete from sums where ${KEY}`).run(...at)
      else
        this.sql(
          'insert or replace into sums (owner, bucket, word, counts) values (?, ?, ?, ?)',
        ).run(...at, JSON.stringify(counts))
    }
  }

  #idOf(table: 'words' | 'series', column: string, kept: Map<string, number>, text: string) {
    const known = kept.get(text)
    if (known !== undefined) return known
    this.sql(`insert or ignore into ${table} (${column}) values (?)`).run(text)
    const { id } = this.get<{ id: number }>(`select id from ${table} where ${column} = ?`, text)!
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(text, id)
    return id
  }

  /** The word of a number, which never changes. */
  #word(id: number): Word {
    const known = this.#byId.get(id)
    if (known) return known
    const row = this.get<{ text: string }>('select text from words where id = ?', id)
    if (!row) throw new DamagedRow('a count refers to a word that is missing')
    const [by, key, measure] = parsed<[CountedBy, string, Count['measure']]>(row.text)
    const word = { text: row.text, by, key, measure }
    if (this.#byId.size >= MAX_KEPT) this.#byId.clear()
    this.#byId.set(id, word)
    return word
  }

  /** An owner's sums of some hours, 24 at most. */
  *sums(owner: string, hours: { from: number; to: number }): Generator<SumOfDay> {
    const id = this.wordId(owner)
    if (id === undefined) return
    const isWhole = hours.from === 0 && hours.to === 24
    const others = isWhole
      ? { from: WHOLE_DAY, to: WHOLE_DAY + 1 }
      : { from: OTHERS_OF_HOUR + hours.from, to: OTHERS_OF_HOUR + hours.to }
    for (const { from, to } of [hours, others]) {
      const rows = this.iterate<{ bucket: number; word: number; counts: string }>(
        'select bucket, word, counts from sums where owner = ? and bucket >= ? and bucket < ?',
        id,
        from,
        to,
      )
      for (const { bucket, word, counts } of rows)
        yield {
          word: this.#word(word),
          counts: parsed<SumCounts>(counts),
          at: bucket < WHOLE_DAY ? this.day * DAY_MS + bucket * HOUR_MS : undefined,
        }
    }
  }

  /** What an owner's calls of a part of an hour count for, in milliseconds since the start of the day, as `sums` has it. */
  *counts(owner: string, { from, to }: Span): Generator<SumOfDay> {
    if (from >= to) return
    const found = new Map<string, SumOfDay>()
    const rows = this.iterate<Pick<Stored, 'at' | 'counts'> & { tags: string }>(
      `select c.at, r.counts, s.tags from calls c join records r on r.id = c.id
        join series s on s.id = c.series where c.at >= ? and c.at < ?`,
      from,
      to,
    )
    for (const { at, counts, tags } of rows) {
      const level = ownersOf(parsed<Tags>(tags)).find(({ word }) => word === owner)
      if (!level) continue
      const hour = this.day * DAY_MS + Math.floor(at / HOUR_MS) * HOUR_MS
      for (const [id, value, n] of parsed<Counted[]>(counts)) {
        const word = this.#word(id)
        if (level.isOfApplication && word.by === 'application') continue
        const time = word.by === 'all' ? hour : undefined
        const sum = found.get(`${id} ${time}`) ?? { word, counts: {}, at: time }
        found.set(`${id} ${time}`, sum)
        sum.counts[value] = (sum.counts[value] ?? 0) + n
      }
    }
    yield* found.values()
  }
}

const NOTHING_SAID: Spoken = { words: '', recorded: '' }

/** The largest value by word. */
function largest(counted: readonly Counted[]) {
  const values = new Map<number, number>()
  for (const [word, value] of counted) values.set(word, Math.max(value, values.get(word) ?? value))
  return values
}
