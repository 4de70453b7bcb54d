import type { CompiledQuery } from 'kysely'
import type { Db } from './open.ts'
import { platformTables } from './platform.ts'
import type { SlowRead } from './slow-reads.ts'
import type { Write, WriteListener } from './writes.ts'

/** A row's position: its sort value and sid. */
export type KeyOf<Sid> = { value: unknown; sid: Sid }

/** Something read from the database that is shown until it is read again. */
export type Remembered<V> = {
  value: Promise<V>
  /** The value and how many milliseconds reading it took, once it is read. */
  got: { value: V; took: number } | undefined
  /** From when on the writes of other processes may be missing. Milliseconds. */
  asOf: number
}

export function remembered<V>(
  value: Promise<V>,
  asOf = performance.now(),
  began = performance.now(),
): Remembered<V> {
  const it: Remembered<V> = { value, got: undefined, asOf }
  value.then(
    (v) => {
      it.got = { value: v, took: performance.now() - began }
    },
    // the caller gets the error
    () => undefined,
  )
  return it
}

/** A read that runs once at a time. */
type Read<V> = {
  result: Promise<V>
  askedAt: number
  /** Number of writes at its begin; undefined while it waits for the one before. */
  begunAt: () => number | undefined
}

/** The latest reads in progress. They outlive the remembered results. */
type Reads<V> = Map<number, Read<V>>

/** The keys of a page. */
export type Keys<Sid> = Remembered<KeyOf<Sid>[]> & {
  /** Number of the list's `added` rows that are in the page, or known to come after it. */
  seen: number
}

/** Number of rows that a statement finds, in whatever order and pages they are shown. */
export type Counted = {
  /** The words of the statement. Tables and columns that are not among them do not concern it. */
  words: ReadonlySet<string>
  /** The table that its rows are of, if a row that is added to it does not change which others there are. */
  table: string | undefined
  total: Remembered<number> | undefined
  /** The sids of rows that were added to the table after a total that took long to read. */
  added: string[]
  /** The last total and the reads in progress outlive the remembered results. */
  reads: { last: number | undefined; running: Reads<number> }
}

export type Known<Row = unknown, Sid = unknown> = {
  /** The words of the statement, and the column that it is sorted by. */
  words: ReadonlySet<string>
  /** The sids of rows that were added to the table, whether they are of this list or not. */
  added: string[]
  counted: Counted
  pages: Map<number, Keys<Sid>>
  /** Number of rows on the pages. */
  positions: number
  /** By page. */
  reads: Reads<Row[]>
  isRenewing: boolean
  /** True if the list fitted into one batch when it was last read in full. */
  isShort: boolean
}

/** Older results are renewed in the background when somebody asks for them. */
const FRESH_MS = 1_000
/** Slow reads are renewed less often, so that they take at most a twentieth of the time. */
const SHARE = 20
/** Older results are read again before they are shown, if that is quick. */
const MAX_AGE_MS = 2_000
const QUICK_MS = 25
/** Slow results may be shown up to this age to the first caller after a pause. */
const MAX_SLOW_AGE_MS = 60_000
/** A way over more rows than these is taken from an older key, if that is nearer. */
const FAR = 1_000
/** Skipping more rows than these takes long. */
const SLOW_SKIP = 5_000
/** A search for a text, which no index covers. */
const LIKE = /\blike\b/
/** Most statements whose duration is remembered. */
const MAX_STATEMENTS = 1_000
const MAX_LISTS = 500
export const MAX_PAGES = 400
/** The most added rows that a list remembers. With more it is forgotten. */
const MAX_ADDED = 1_000
/** Rows whose position is remembered, of all lists together. Each takes some hundred bytes. */
const MAX_POSITIONS = 100_000
/** Lists renewed at once. */
const MAX_RENEWALS = 2

/** The totals and positions that one server knows of its lists. */
export type ListingMemory = {
  /** `statement` finds the list's rows. */
  get: (statement: CompiledQuery, view: View) => Known
  count: (statement: CompiledQuery, table: string | undefined) => Counted
  /** Reads from this database, which on SQLite keeps everybody waiting unless it is known to take long. */
  read: <R>(db: Db, query: CompiledQuery<R>, skip: number) => Promise<R[]>
  /**
   * Resolves once the writes of other processes are known here, or everything remembered was forgotten. Undefined if no
   * other process shares its writes.
   */
  catchUp: () => Promise<void> | undefined
  /** Reads from the replica. Undefined without one, or if it cannot be asked now. */
  readReplica: ReadReplica
  /** Forgets the pages that were read longest ago, where there are too many with this list's. */
  trim: (list: Pick<Known, 'pages' | 'positions'>) => void
  /** Listener for this process's writes: forgets the lists whose rows or order may change. */
  wrote: WriteListener
  /** Number of writes so far. */
  writes: () => number
  /** Runs a renewal in the background, unless this list's or too many others are running. */
  renew: (list: Pick<Known, 'isRenewing'>, work: () => Promise<void>) => void
  /** Forgets all lists. */
  forget: () => void
}

const unknown = ({ words, counted, reads }: Pick<Known, 'words' | 'counted' | 'reads'>): Known => ({
  words,
  added: [],
  counted,
  pages: new Map(),
  positions: 0,
  reads,
  isRenewing: false,
  isShort: false,
})

/** In which order and pages a list is shown, and the table that it is of, if it is of one alone. */
type View = { table: string | undefined; column: string; descending: boolean; page_size: number }

/**
 * The rows of a statement from a replica of the database. Undefined if the replica does not answer, or lacks anything
 * that Switchroom's processes have written to the statement's tables.
 */
export type ReadReplica = <R>(query: CompiledQuery<R>) => Promise<R[] | undefined> | undefined

type MemoryOptions = {
  max_positions?: number
  /** On SQLite: reads in a thread. */
  slowRead?: SlowRead | undefined
  readReplica?: ReadReplica | undefined
  /** Resolves once earlier writes of other processes are known here. */
  heard?: (() => Promise<void>) | undefined
  /** True for a large database: searches are slow, and other reads may be until they have been timed. */
  isLarge?: (() => boolean) | undefined
  quick_ms?: number
}

export function listingMemory({
  max_positions = MAX_POSITIONS,
  slowRead,
  readReplica = () => undefined,
  heard,
  isLarge = () => false,
  quick_ms = QUICK_MS,
}: MemoryOptions = {}): ListingMemory {
  const known = new Map<string, Known>()
  const counts = new Map<string, Counted>()
  /** By statement: true if its last read was slow. */
  const slow = new Map<string, boolean>()
  let writes = 0
  let renewals = 0

  /** The value of a key, made if missing. The least recently used one is dropped first. */
  function kept<V>(all: Map<string, V>, key: string, make: () => V): V {
    const value = all.get(key)
    all.delete(key)
    if (value === undefined && all.size >= MAX_LISTS) all.delete(all.keys().next().value!)
    const present = value ?? make()
    all.set(key, present)
    return present
  }
  const counted = (key: string, text: string, table: string | undefined) =>
    kept(counts, key, () => ({
      words: new Set(text.match(/\w+/g)),
      table: table !== undefined && occursOnce(text, table) ? table : undefined,
      total: undefined,
      added: [],
      reads: { last: undefined, running: new Map() },
    }))
  const forget = () => {
    writes++
    known.clear()
    counts.clear()
  }
  const keyOf = ({ sql, parameters }: CompiledQuery) => `${sql}\0${JSON.stringify(parameters)}`

  return {
    get(statement, { table, column, descending, page_size }) {
      const of = keyOf(statement)
      const now = counted(of, statement.sql, table)
      const list = kept(known, `${of}\0${column}\0${descending}\0${page_size}`, () =>
        unknown({
          words: new Set([...now.words, column]),
          counted: now,
          reads: new Map(),
        }),
      )
      // it may have been forgotten to make room for others
      list.counted = now
      return list
    },
    count: (statement, table) => counted(keyOf(statement), statement.sql, table),
    async read(db, query, skip) {
      const isFar = skip > SLOW_SKIP
      const known = slow.get(query.sql)
      // how long a search takes depends on the text: one is found at once, and the next nowhere
      const isSlow = isFar || known || ((known === undefined || LIKE.test(query.sql)) && isLarge())
      const began = performance.now()
      const rows = slowRead && isSlow ? await slowRead(query) : (await db.executeQuery(query)).rows
      if (slowRead && !isFar) {
        if (slow.size >= MAX_STATEMENTS) slow.clear()
        slow.set(query.sql, performance.now() - began > quick_ms)
      }
      return rows
    },
    catchUp: () => heard?.().catch(forget),
    readReplica,
    trim(list) {
      list.positions = 0
      for (const { got } of list.pages.values()) list.positions += got?.value.length ?? 0
      let excess = -max_positions
      for (const { positions } of known.values()) excess += positions
      // the list that was asked for longest ago comes first, as does a list's oldest page
      for (const other of known.values())
        for (const [start, { got }] of other.pages) {
          if (excess <= 0) return
          const count = got?.value.length ?? 0
          other.pages.delete(start)
          other.positions -= count
          excess -= count
        }
    },
    wrote(all) {
      writes++
      // a reader of a forgotten list remembers it in vain
      for (const [key, it] of counts) {
        const concerning = all.filter((write) => concerns(write, it.words))
        if (concerning.length > 0 && !addToTotal(it, concerning))
          counts.set(key, { ...it, total: undefined, added: [] })
      }
      for (const [key, list] of known) {
        const concerning = all.filter((write) => concerns(write, list.words))
        if (concerning.length > 0 && !addRows(list, concerning)) known.set(key, unknown(list))
      }
    },
    writes: () => writes,
    renew(list, work) {
      if (list.isRenewing || renewals >= MAX_RENEWALS) return
      list.isRenewing = true
      renewals++
      // after the work that is due now: on SQLite the request that found it old would wait
      setImmediate(async () => {
        try {
          await work()
        } catch {
          // it keeps ageing, until somebody waits for it and gets the error
        } finally {
          list.isRenewing = false
          renewals--
        }
      })
    },
    forget,
  }
}

/** True if a write may change which rows a statement with these words finds, or their order. */
export function concerns({ table, change, columns }: Write, words: ReadonlySet<string>) {
  if (table === undefined) return true
  if (change === 'delete') return [...emptiedWith(table)].some((name) => words.has(name))
  return words.has(table) && (!columns || columns.some((name) => words.has(name)))
}

/**
 * Takes note of rows that were added to a list's table: most come after its first page, which is not found again then.
 * False if something else was written, or too much.
 */
function addRows(list: Known, writes: readonly Write[]): boolean {
  if (!add(list.added, list.counted.table, writes)) return false
  // reads of these in progress are remembered in vain
  for (const start of list.pages.keys()) if (start > 0) list.pages.delete(start)
  return true
}

/** The same for a total that took long to read: only the added rows are counted. */
const addToTotal = ({ total, table, added }: Counted, writes: readonly Write[]): boolean =>
  total?.got !== undefined && total.got.took > QUICK_MS && add(added, table, writes)

/** Adds the sids of rows that were added to this table. False if something else was written, or too much. */
function add(added: string[], of: string | undefined, writes: readonly Write[]): boolean {
  const sids: string[] = []
  for (const { table, change, sids: its } of writes) {
    if (change !== 'insert' || table !== of || !its) return false
    sids.push(...its)
  }
  if (added.length + sids.length > MAX_ADDED) return false
  added.push(...sids)
  return true
}

/** True if a statement reads a table only once: an added row then adds itself, or nothing. */
const occursOnce = (text: string, table: string) =>
  text.match(new RegExp(`\\b(?:from|join) [\`"]?${table}\\b`, 'g'))?.length === 1

const cascades = Object.entries(platformTables).flatMap(([from, { keys }]) =>
  Object.values(keys.foreign ?? {}).flatMap(([, to, onDelete]) => (onDelete ? { from, to } : [])),
)

/** The tables from which rows go when some of this table are deleted. */
function emptiedWith(table: string, found = new Set<string>()): ReadonlySet<string> {
  if (!found.has(table)) {
    found.add(table)
    for (const { from, to } of cascades) if (to === table) emptiedWith(from, found)
  }
  return found
}

/**
 * Reads something, and never twice at the same time: a read that walks over another transaction's rows takes long, and
 * several at once even longer. Who asks while one runs shares it if nothing was written since it began, else the next
 * one. So every read begins after it was asked for, or might as well have.
 */
export function oneAtATime<K, V>(
  reads: Map<K, Read<V>>,
  key: K,
  writes: () => number,
  read: () => Promise<V>,
  turn?: () => Promise<void>,
): Read<V> {
  const latest = reads.get(key)
  const begunAt = latest?.begunAt()
  if (latest && (begunAt === undefined || begunAt === writes())) return latest
  const askedAt = performance.now()
  let at: number | undefined
  const begun = async () => {
    // the caller of that one gets its error
    if (latest) await latest.result.catch(() => undefined)
    if (turn) await turn()
    at = writes()
    return read()
  }
  const result = begun().finally(() => {
    if (reads.get(key) === own) reads.delete(key)
  })
  const own: Read<V> = { result, askedAt, begunAt: () => at }
  reads.set(key, own)
  return own
}

const age = ({ asOf }: Remembered<unknown>) => performance.now() - asOf
export const isFresh = (it: Remembered<unknown>) =>
  age(it) <= Math.max(FRESH_MS, Math.min(SHARE * (it.got?.took ?? 0), MAX_SLOW_AGE_MS / 2))
/** True if the result is fresh enough to show, or being read. */
export const isShown = (it: Remembered<unknown>) =>
  !it.got || age(it) <= (it.got.took <= QUICK_MS ? MAX_AGE_MS : MAX_SLOW_AGE_MS)

/** `count` rows in list order, `skip` rows after (or before) a key, or from the start (or end). */
export type Span<Key> = { count: number; skip: number; backwards: boolean; from?: Key | undefined }
/** A span, and how old the key is that it begins at. */
export type Way<Key> = { span: Span<Key>; asOf: number }

/** The shortest way to a page. A way from a key, or from the end, is as outdated as the key or the total. */
export function wayTo<Key>(
  {
    counted: { total },
    pages,
    added,
  }: {
    counted: Pick<Counted, 'total'>
    pages: Map<number, Remembered<Key[]> & { seen: number }>
    added: string[]
  },
  start: number,
  size: number,
): Way<Key> {
  const now = performance.now()
  const fromStart = { span: { count: size, skip: start, backwards: false }, asOf: now }
  if (start === 0 || !total?.got) return fromStart
  const count = Math.min(size, total.got.value - start)
  const fromEnd = {
    span: { count, skip: total.got.value - start - count, backwards: true },
    asOf: total.asOf,
  }
  const [fresh, older]: [Way<Key>[], Way<Key>[]] = [[fromStart, fromEnd], []]
  for (const [at, { got, asOf, seen }] of pages) {
    const keys = got?.value
    if (seen < added.length) continue
    if (!keys || keys.length === 0 || asOf < now - MAX_SLOW_AGE_MS / 2) continue
    const ways = asOf < now - FRESH_MS ? older : fresh
    const end = at + keys.length
    if (end <= start)
      ways.push({ span: { count, skip: start - end, backwards: false, from: keys.at(-1) }, asOf })
    else if (at >= start + count)
      ways.push({
        span: { count, skip: at - start - count, backwards: true, from: keys[0] },
        asOf,
      })
  }
  const shortest = (ways: Way<Key>[]) =>
    ways.reduce((best, way) => (way.span.skip < best.span.skip ? way : best))
  const best = shortest(fresh)
  return best.span.skip > FAR ? shortest([best, ...older]) : best
}
