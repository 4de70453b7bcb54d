import type { CompiledQuery } from 'kysely'
import { type Counted, type Known, QUICK_MS, type Read, type Remembered } from './listing-known.ts'
import {
  addRows,
  addToTotal,
  concerns,
  countsBeforeDelete,
  occursOnce,
  withoutDeleted,
} from './listing-writes.ts'
import type { Db } from './open.ts'
import type { SlowRead } from './slow-reads.ts'
import type { Write, WriteListener } from './writes.ts'

/** Older results are renewed in the background when somebody asks for them. */
export const FRESH_MS = 1_000
/** Slow reads are renewed less often, so that they take at most a twentieth of the time. */
const SHARE = 20
/** Older results are read again before they are shown, if that is quick. */
const MAX_AGE_MS = 2_000
/** Slow results may be shown up to this age to the first caller after a pause. */
export const MAX_SLOW_AGE_MS = 60_000
/** A way over more rows than these is taken from an older key, if that is nearer. */
export const FAR = 1_000
/** Skipping more rows than these takes long. */
const SLOW_SKIP = 5_000
/** A search for a text, which no index covers. */
const LIKE = /\blike\b/
/** Most statements whose duration is remembered. */
const MAX_STATEMENTS = 1_000
const MAX_LISTS = 500
export const MAX_PAGES = 400
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

export const unknown = ({
  words,
  counted,
  reads,
}: Pick<Known, 'words' | 'counted' | 'reads'>): Known => ({
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
  /** Forgets the lists whose rows or order may change. */
  function wrote(all: readonly Write[]) {
    writes++
    // a reader of a forgotten list remembers it in vain
    for (const [key, it] of counts) {
      const concerning = all.filter((write) => concerns(write, it.words))
      if (concerning.length === 0 || addToTotal(it, concerning)) continue
      const total = withoutDeleted(it, concerning)
      counts.set(key, { ...it, total, added: total ? it.added : [] })
    }
    for (const [key, list] of known) {
      const concerning = all.filter((write) => concerns(write, list.words))
      if (concerning.length > 0 && !addRows(list, concerning)) known.set(key, unknown(list))
    }
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
    wrote: Object.assign(wrote, {
      beforeDelete: (table: string, sids: readonly string[]) =>
        countsBeforeDelete(counts.values(), table, sids),
    }),
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
