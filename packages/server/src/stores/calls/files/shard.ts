import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { knownVersion, migrate, transaction, userVersion, VERSIONS } from '../../kit/formats.ts'
import type { NUMBERS, TEXTS } from '../fields.ts'
import { DAY_MS, QUARTER_NS } from '../times.ts'

/** The version of the tables, which is the file's `user_version`. */
const FORMAT = VERSIONS.calls
/** The version of the text index, which changes without the tables. */
const TEXT_FORMAT = 1
/** The bucket of `cube` for the whole day; 0 to 23 are its hours. */
export const WHOLE_DAY = 24
/** The number of consecutive calls per block, whose first and last times are stored. */
export const BLOCK = 4_096

/**
 * `at` is nanoseconds since the start of the day. All filters of a call are in its series (the
 * tags) or in `application` and `sip_status`; `cube` counts by exactly these, per day and hour, so
 * it gives totals and shows where to look, and sums the times from attempt to answer. The time index includes them too. `quarters` counts by
 * quarter of an hour, owner and outcome (a word, see `ownerKey`) for dashboards, whose hours are those of any time zone. `texts` is the text index (see `texts.ts`); `blocks` has
 * the times of runs of calls.
 */
const QUARTERS = `create table quarters (quarter integer not null, owner integer not null, calls integer not null,
  seconds real not null, timed integer not null, primary key (owner, quarter)) without rowid;`
const SCHEMA = `
create table series (id integer primary key, database text not null, key text not null, tags text not null,
  measurement text not null, unique (database, key));
create table names (database text not null, measurement text not null, name text not null,
  primary key (database, measurement, name)) without rowid;
create table words (id integer primary key, text text not null unique);
create table calls (id integer primary key, at integer not null, hour integer not null, series integer not null,
  application integer not null, sip_status integer, duration real, answered_at real, terminated_at real,
  call_sid text, "from" text, "to" text, sip_callid text, sip_parent_callid text, termination_reason text,
  remote_host text, trace_id text, recording_url text, more text,
  call_hash integer, sip_hash integer, trace_hash integer);
create index calls_at on calls (at, series, application, sip_status);
create index calls_call on calls (hour, call_hash);
create index calls_sip on calls (hour, sip_hash);
create index calls_trace on calls (hour, trace_hash);
create table cube (bucket integer not null, series integer not null, application integer not null,
  sip_status integer not null, calls integer not null, seconds real not null, timed integer not null,
  answers integer not null default 0, answer_ms real not null default 0,
  primary key (bucket, series, application, sip_status)) without rowid;
${QUARTERS}
create table points (id integer primary key, series integer not null, kind integer not null, at integer not null,
  fields text not null, unique (series, at));
create index points_at on points (kind, at);
`
const TEXT_INDEX = `
create table blocks (block integer primary key, first integer not null, last integer not null);
create virtual table texts using fts5(words, content='', columnsize=0, detail=none, tokenize='ascii', prefix='1 2');
create table text_index (version integer not null);
insert into text_index (version) values (${TEXT_FORMAT});
`
/** Drops the tables of this text index and its predecessors. */
const NO_TEXT_INDEX = ['chunks', 'grams', 'blocks', 'texts', 'text_index']
  .map((table) => `drop table if exists ${table};`)
  .join('')
/** Files of format 1 may be without these. */
const COUNTER_INDEXES = `
create index if not exists cube_application on cube (application) where bucket = 24;
create index if not exists cube_status on cube (sip_status) where bucket = 24;
`

/** From attempt to answer, of a row of `calls`. */
export const ANSWER_MS = (day: number) => `(answered_at - ${day * DAY_MS} - at / 1000000)`
/** Longer ones are errors of a clock. */
export const MAX_ANSWER_MS = 3_600_000
/** Milliseconds from attempt to answer; undefined without a plausible answer. */
export function answerMs(day: number, at: number, answered_at: number | null): number | undefined {
  if (answered_at === null) return undefined
  const ms = answered_at - day * DAY_MS - Math.floor(at / 1e6)
  return ms >= 0 && ms <= MAX_ANSWER_MS ? ms : undefined
}

type Row = Record<string, string | number | null | Uint8Array>
/** A stored call. */
export type CallRow = {
  id: number
  at: number
  hour: number
  series: number
  application: number
  sip_status: number | null
  more: string | null
} & Record<(typeof TEXTS)[number], string | null> &
  Record<(typeof NUMBERS)[number], number | null>
/** With the application's sid from the words. */
export type NamedCall = CallRow & { application_sid: string | null }
/** Columns of a call that lists and exports show. */
export type ShownCall = Omit<NamedCall, 'hour' | 'application' | 'more'>

/** The address of a file that is opened only if it exists: the writer may have just renamed it. */
function existing(file: string) {
  const url = pathToFileURL(file)
  url.searchParams.set('mode', 'rw')
  return url
}

/** A day's file with cached statements. A reader throws if there is none. */
export class Shard {
  db: DatabaseSync
  day: number
  #file: string
  #statements = new Map<string, StatementSync>()

  constructor(file: string, day: number, use: 'write' | 'read', busy_ms = 5_000) {
    this.day = day
    this.#file = file
    this.db = new DatabaseSync(use === 'read' ? existing(file) : file, { timeout: busy_ms })
    try {
      this.#prepare(use)
    } catch (e) {
      this.db.close()
      throw e
    }
  }

  #prepare(use: 'write' | 'read') {
    if (use === 'read') {
      this.db.exec('pragma query_only = 1; pragma cache_size = -2000')
      return
    }
    // an acknowledged write is in the OS page cache: it survives a crash of this process
    this.db.exec('pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = normal')
    this.db.exec('pragma cache_size = -8000; pragma wal_autocheckpoint = 4000')
    this.db.exec('pragma journal_size_limit = 67108864; pragma temp_store = memory')
    transaction(this.db, () => {
      if (this.formatVersion() === 0)
        this.db.exec(`${SCHEMA} ${COUNTER_INDEXES} ${TEXT_INDEX} pragma user_version = ${FORMAT}`)
    })
  }

  statement(sql: string): StatementSync {
    let kept = this.#statements.get(sql)
    if (!kept) {
      kept = this.db.prepare(sql)
      this.#statements.set(sql, kept)
    }
    return kept
  }

  // the caller that writes the statement names the type of its rows

  /** All rows. */
  all = <R = Row>(sql: string, ...values: SQLInputValue[]) =>
    this.statement(sql).all(...values) as R[]
  /** The same as arrays, for many rows. */
  tuples<R extends number[]>(sql: string, ...values: SQLInputValue[]) {
    const key = `tuples ${sql}`
    let kept = this.#statements.get(key)
    if (!kept) {
      kept = this.db.prepare(sql)
      kept.setReturnArrays(true)
      this.#statements.set(key, kept)
    }
    const rows: unknown[] = kept.all(...values)
    return rows as R[]
  }
  /** The first row. */
  get = <R = Row>(sql: string, ...values: SQLInputValue[]) =>
    this.statement(sql).get(...values) as R | undefined
  run = (sql: string, ...values: SQLInputValue[]) => this.statement(sql).run(...values)

  /** Changes when another connection writes. */
  version = () => this.get<{ data_version: number }>('pragma data_version')!.data_version

  /** False until its tables are there. */
  isReadable = () => this.formatVersion() > 0
  /** True if the file has the current format; `upgrade` brings it there. */
  isCurrent = () => this.formatVersion() === FORMAT && this.hasTextIndex()
  hasTextIndex = () => this.textVersion() === TEXT_FORMAT
  /** True if `cube` has answer times. False for a file of an earlier format that has not been written to since. */
  hasAnswerTimes = () => this.formatVersion() >= 3
  /** True if calls are counted by quarters of an hour. A file of an earlier format counts them by `hours`. */
  hasQuarters = () => this.formatVersion() >= 4

  /** Throws `NewerFile`. */
  formatVersion(): number {
    const version = knownVersion(this.#file, userVersion(this.db), FORMAT)
    // a version before said so of files without the times to answer
    return version === 3 && !this.#columns('cube').includes('answers') ? 2 : version
  }

  /** 0 for one that is older than all with a version. Throws `NewerFile`. */
  textVersion(): number {
    if (this.#columns('text_index').length === 0) return this.#columns('texts').length > 0 ? 1 : 0
    const { version } = this.get<{ version: number }>('select version from text_index')!
    return knownVersion(this.#file, version, TEXT_FORMAT)
  }

  /** The columns of a table; none if there is no such table. */
  #columns = (table: string) =>
    this.all<{ name: string }>('select name from pragma_table_info(?)', table).map(
      ({ name }) => name,
    )

  /**
   * Brings the file to the present format, step by step. `fillTextIndex` adds all calls to an empty text index, `ownerOf`
   * is the word of a series' owner and outcome. All is `within` transactions.
   */
  upgrade({
    fillTextIndex,
    ownerOf,
    within,
  }: {
    fillTextIndex: () => void
    ownerOf: (series: number) => number
    within: (work: () => void) => void
  }) {
    const renewTextIndex = () => {
      this.db.exec(NO_TEXT_INDEX + TEXT_INDEX)
      fillTextIndex()
    }
    migrate(
      this.db,
      {
        1: () => {
          this.db.exec(COUNTER_INDEXES)
          renewTextIndex()
        },
        2: () => this.#addAnswerTimes(),
        3: () => this.#countByQuarter(ownerOf),
      },
      { version: () => this.formatVersion(), within },
    )
    if (this.textVersion() !== TEXT_FORMAT)
      within(() => {
        if (this.textVersion() !== TEXT_FORMAT) renewTextIndex()
      })
  }

  /** Adds the times to answer to a file of an earlier format. */
  #addAnswerTimes() {
    this.db.exec(`alter table cube add column answers integer not null default 0;
      alter table cube add column answer_ms real not null default 0;
      create temp table answered as select hour, series, application, coalesce(sip_status, -1) as sip_status,
        count(*) as answers, sum(${ANSWER_MS(this.day)}) as answer_ms
        from calls where ${ANSWER_MS(this.day)} between 0 and ${MAX_ANSWER_MS} group by 1, 2, 3, 4;
      create index temp.answered_of on answered (series, application, sip_status);
      update cube set (answers, answer_ms) = (select coalesce(sum(a.answers), 0), coalesce(sum(a.answer_ms), 0)
        from temp.answered a where a.series = cube.series and a.application = cube.application
        and a.sip_status = cube.sip_status and cube.bucket in (a.hour, ${WHOLE_DAY}));
      drop table temp.answered`)
  }

  /** Counts calls by quarters of an hour in a file of an earlier format. */
  #countByQuarter(ownerOf: (series: number) => number) {
    this.db.exec(`${QUARTERS} create temp table owners (series integer primary key, owner integer)`)
    for (const { series } of this.all<{ series: number }>('select distinct series from calls'))
      this.db
        .prepare('insert into temp.owners (series, owner) values (?, ?)')
        .run(series, ownerOf(series))
    this.db.exec(`insert into quarters (quarter, owner, calls, seconds, timed)
      select at / ${QUARTER_NS}, owner, count(*), coalesce(sum(duration), 0), count(duration)
      from calls join temp.owners using (series) group by 1, 2;
      drop table temp.owners; drop table hours`)
  }

  close = () => this.db.close()
}

/** The owner and outcome of calls: provider, account, answered. */
export const ownerKey = (tags: Record<string, string>) =>
  JSON.stringify([
    'owner',
    tags.service_provider_sid ?? null,
    tags.account_sid ?? null,
    tags.answered ?? null,
  ])

/** A 32-bit hash for lookups by id. Matches are compared with the full text afterwards. */
export function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h
}
