import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageQuery } from '@switchroom/contract'
import {
  AndNode,
  type Compilable,
  type CompiledQuery,
  type OperationNode,
  ParensNode,
  RawNode,
  type SelectQueryBuilder,
  type SelectType,
  sql,
  TableNode,
} from 'kysely'
import { type Db, kindOf, type Tables, timestamp } from './open.ts'
import { platformTables } from './platform.ts'
import type { SlowRead } from './slow-reads.ts'
import type { Write, WriteListener } from './writes.ts'

export type Page<Row> = { data: Row[]; total: number; page: number; page_size: number }

/** A list that is not read yet: one page of it, or all of it in batches. */
export type Listing<Row> = {
  page: (page: number, page_size: number, memory: ListingMemory) => Promise<Page<Row>>
  /** How many rows it has. */
  total: (memory: ListingMemory) => Promise<number>
  all: () => AsyncIterable<Row[]>
}

/** A row's position: its sort value and sid. */
type KeyOf<Sid> = { value: unknown; sid: Sid }

/** Something read from the database that is shown until it is read again. */
type Remembered<V> = {
  value: Promise<V>
  /** The value and how many milliseconds reading it took, once it is read. */
  got: { value: V; took: number } | undefined
  /** From when on the writes of other processes may be missing. Milliseconds. */
  asOf: number
}

function remembered<V>(
  value: Promise<V>,
  asOf = performance.now(),
  began = performance.now(),
): Remembered<V> {
  const it: Remembered<V> = { value, got: undefined, asOf }
  value.then(
    (v) => {
      it.got = { value: v, took: performance.now() - began }
    },
    // whoever asked for it is told
    () => undefined,
  )
  return it
}

/** A read of which there is one at a time. */
type Read<V> = {
  result: Promise<V>
  askedAt: number
  /** How often something had been written when it began; undefined while it waits for the one before. */
  begunAt: () => number | undefined
}

/** The latest reads that have not ended. They outlive what is remembered. */
type Reads<V> = Map<number, Read<V>>

/** The keys of a page. */
type Keys<Sid> = Remembered<KeyOf<Sid>[]> & {
  /** How many of the list's `added` rows are in the page, or are known to come after it. */
  seen: number
}

/** How many rows a statement finds, in whatever order and pages they are shown. */
type Counted = {
  /** The words of the statement. Tables and columns that are not among them do not concern it. */
  words: ReadonlySet<string>
  /** The table that its rows are of, if a row that is added to it does not change which others there are. */
  table: string | undefined
  total: Remembered<number> | undefined
  /** The sids of rows that were added to the table after a total that took long to read. */
  added: string[]
  /** The last total and what is being read outlive what is remembered. */
  reads: { last: number | undefined; running: Reads<number> }
}

type Known<Row = unknown, Sid = unknown> = {
  /** The words of the statement, and the column that it is sorted by. */
  words: ReadonlySet<string>
  /** The sids of rows that were added to the table, whether they are of this list or not. */
  added: string[]
  counted: Counted
  pages: Map<number, Keys<Sid>>
  /** How many rows the pages have. */
  positions: number
  /** By page. */
  reads: Reads<Row[]>
  isRenewing: boolean
}

/** What is older is renewed in the background, once somebody asks for it. */
const FRESH_MS = 1_000
/** What takes long to read is renewed less often, so that reading it takes a twentieth of the time. */
const SHARE = 20
/** What is older is read before it is shown, if that is quick. */
const MAX_AGE_MS = 2_000
const QUICK_MS = 25
/** What takes longer to read is shown up to this age, to the first who asks after a while. */
const MAX_SLOW_AGE_MS = 60_000
/** A way over more rows than these is taken from an older key, if that is nearer. */
const FAR = 1_000
/** Skipping more rows than these takes long. */
const SLOW_SKIP = 5_000
/** The most statements of which is known how long they take. */
const MAX_STATEMENTS = 1_000
const MAX_LISTS = 500
const MAX_PAGES = 400
/** The most added rows that a list remembers. With more it is forgotten. */
const MAX_ADDED = 1_000
/** With more rows than this, MariaDB chooses the index that it counts by: the one with the fewest pages. */
const MAX_SCANNED = 250_000
/** Rows whose position is remembered, of all lists together. Each takes some hundred bytes. */
const MAX_POSITIONS = 100_000
/** How long a turn of the event loop goes on beginning to read. */
const TURN_MS = 1
/** How many lists are renewed at once. */
const MAX_RENEWALS = 2
/** Rows of a whole list that are read at once: few enough to leave memory flat. */
const BATCH = 500
/** The most names that a whole list remembers of each table. */
const MAX_NAMES = 20_000
/** The most rows whose widest column a temporary table gets as well. */
const MAX_WIDE = 1_000
/** Keys that are read at once where finding them means sorting. */
const MAX_KEYS = 10_000

/** The totals and positions that one server knows of its lists. */
export type ListingMemory = {
  /** `statement` finds the list's rows. */
  get: (statement: CompiledQuery, view: View) => Known
  count: (statement: CompiledQuery, table: string | undefined) => Counted
  /** Reads from this database, which on SQLite keeps everybody waiting unless it is known to take long. */
  read: <R>(db: Db, query: CompiledQuery<R>, skip: number) => Promise<R[]>
  /** Forgets the pages that were read longest ago, where there are too many with this list's. */
  trim: (list: Pick<Known, 'pages' | 'positions'>) => void
  /** Told what this process writes: forgets the lists whose rows or order that may change. */
  wrote: WriteListener
  /** How often something was written. */
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
})

/** In which order and pages a list is shown, and the table that it is of, if it is of one alone. */
type View = { table: string | undefined; column: string; descending: boolean; page_size: number }

type MemoryOptions = {
  max_positions?: number
  /** On SQLite: reads in a thread. */
  slowRead?: SlowRead | undefined
  /** Whether reads may take long of which nothing is known yet. */
  isLarge?: boolean
  quick_ms?: number
}

export function listingMemory({
  max_positions = MAX_POSITIONS,
  slowRead,
  isLarge = false,
  quick_ms = QUICK_MS,
}: MemoryOptions = {}): ListingMemory {
  const known = new Map<string, Known>()
  const counts = new Map<string, Counted>()
  /** Whether a statement took long when it was last read. */
  const slow = new Map<string, boolean>()
  let writes = 0
  let renewals = 0

  /** What was asked for longest ago is forgotten first. */
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
      const isSlow = isFar || (slow.get(query.sql) ?? isLarge)
      const began = performance.now()
      const rows = slowRead && isSlow ? await slowRead(query) : (await db.executeQuery(query)).rows
      if (slowRead && !isFar) {
        if (slow.size >= MAX_STATEMENTS) slow.clear()
        slow.set(query.sql, performance.now() - began > quick_ms)
      }
      return rows
    },
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
      // who still reads a forgotten list remembers it in vain
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
      // after what is due now: on SQLite the request that found it old would wait
      setImmediate(async () => {
        try {
          await work()
        } catch {
          // it goes on ageing, until somebody waits for it and is told
        } finally {
          list.isRenewing = false
          renewals--
        }
      })
    },
    forget() {
      writes++
      known.clear()
      counts.clear()
    },
  }
}

/** Whether a write may change which rows a statement with these words finds, or their order. */
function concerns({ table, change, columns }: Write, words: ReadonlySet<string>) {
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
  // what is being read of these is remembered in vain
  for (const start of list.pages.keys()) if (start > 0) list.pages.delete(start)
  return true
}

/** The same for a total that took long to read: the added rows are counted, not all others anew. */
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

/** Whether a statement reads a table only once: a row that is added adds itself, or nothing. */
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

type StoredSid<T extends keyof Tables, S extends keyof Tables[T]> = SelectType<Tables[T][S]>
/** What the query builder reads for a reference of that type. */
type Sid<T extends keyof Tables, S extends keyof Tables[T]> = SelectType<StoredSid<T, S>>

/** The primary keys of what rows refer to. A column that refers to it has the same name. */
const NAMED = {
  accounts: 'account_sid',
  applications: 'application_sid',
  service_providers: 'service_provider_sid',
  voip_carriers: 'voip_carrier_sid',
} as const satisfies Partial<Record<keyof Tables, string>>

/** What a list calls the names of the rows that its own refer to, and whose names these are. */
type Names = Record<string, keyof typeof NAMED>
type Named<N extends Names> = { [K in keyof N]: string | null }

type Options<
  T extends keyof Tables,
  S extends keyof Tables[T] & string,
  C extends keyof Tables[T] & string,
  Stored,
  N extends Names,
  Row,
> = {
  db: Db
  table: T
  /** The primary key, as a tie-breaker. */
  sid: S
  /** Columns of `table` that can be sorted by, the default first. In `matching` an empty text stands for a null. */
  sortable: readonly [C, ...C[]]
  query: Pick<PageQuery, 'sort'>
  /** Which rows: the caller's scope and the filters, nothing selected yet. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  matching: SelectQueryBuilder<any, any, object>
  /**
   * What is selected of a row, with what it joins. `table` goes by its own name, which qualifies all that is selected.
   * It is read `matching` a second time, because a row may have left the caller's scope since its key was cached.
   */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  rows: SelectQueryBuilder<any, any, Stored>
  /** Names of other rows, which a page joins and a whole list looks up: joining takes longer than reading the rows. */
  names?: N
  /** The rows as the API shows them, in any order. */
  present: (rows: (Stored & Named<N>)[]) => Row[] | Promise<Row[]>
}

/**
 * A list whose pages all cost the same. Counting and finding the n-th row are slow, so totals and page keys
 * are remembered, and renewed in the background while somebody asks for them. Rows are always read fresh, and
 * within the caller's scope.
 */
export function listing<
  T extends keyof Tables,
  S extends keyof Tables[T] & string,
  C extends keyof Tables[T] & string,
  Stored extends Record<S | C, unknown>,
  Row extends Record<S, unknown>,
  const N extends Names = Record<never, never>,
>(o: Options<T, S, C, Stored, N, Row>): Listing<Row> {
  type Key = KeyOf<Sid<T, S>>
  type List = Known<Row, Sid<T, S>>
  const descending = o.query.sort?.startsWith('-') ?? false
  const requestedSort = o.query.sort?.replace(/^-/, '')
  const sort = o.sortable.find((column) => column === requestedSort) ?? o.sortable[0]
  const column = sql.ref(`${o.table}.${sort}`)
  // read as ISO text, compared in the stored format
  const isTime = typeOf(o.table, sort).startsWith('date')
  const sid = sql.ref<StoredSid<T, S>>(`${o.table}.${o.sid}`)

  const { where, from, joins } = o.matching.toOperationNode()
  const isTable = from?.froms.length === 1 && TableNode.is(from.froms[0]!) && !joins
  const isEverything = isTable && isAlways(where?.where)
  // counting is faster without a condition
  const matching = isEverything ? o.matching.clearWhere() : o.matching

  /** What a column is compared with. */
  const compared = ({ value }: Key) => (isTime ? timestamp(new Date(String(value))) : value)

  // makes MariaDB sort where rows are, not copies of them: two thirds of the time for a page of 10,000 rows
  const isSorted = isTable && kindOf(o.db) === 'mysql' && !isInIndex(o.table, sort)
  const wide = isSorted ? wideColumn(o.table) : undefined

  /** A query of the rows in a span. */
  function inSpan<O>(
    // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
    all: SelectQueryBuilder<any, any, O>,
    { count, skip, backwards, from }: Span<Key>,
  ) {
    const down = descending !== backwards
    const order = sql.raw(down ? 'desc' : 'asc')
    const beyond = sql.raw(down ? '<' : '>')
    const inclusive = sql.raw(down ? '<=' : '>=')
    let query = all
    if (from) {
      const value = compared(from)
      query = all.where(
        sql<boolean>`${column} ${inclusive} ${value} and (${column} ${beyond} ${value} or ${sid} ${beyond} ${from.sid})`,
      )
    }
    return query.orderBy(sql`${column} ${order}, ${sid} ${order}`).limit(count).offset(skip)
  }

  type Shown = Stored & Named<N>
  const names = Object.entries(o.names ?? {})
  /** The rows with the names that they refer to. */
  const named = () =>
    names.reduce(
      (query, [as, table]) =>
        query
          .leftJoin(`${table} as ${as}`, `${as}.${NAMED[table]}`, `${o.table}.${NAMED[table]}`)
          .select(`${as}.name as ${as}`),
      o.rows,
      // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
    ) as SelectQueryBuilder<any, any, Shown>

  const keyOf = (row: Stored): Key => ({ value: row[sort] ?? '', sid: row[o.sid] as Sid<T, S> })

  /** Selects the keys of a span. */
  const selectKeys = (span: Span<Key>) =>
    inSpan(matching, span).select([column.as('list_value'), sid.as('list_sid')])

  /** How rows are read: `skip` are passed over first. */
  type Read = <O>(query: Compilable<O>, skip?: number) => Promise<O[]>
  const here: Read = async (query) => (await o.db.executeQuery(query.compile())).rows
  const readBy =
    ({ read }: ListingMemory): Read =>
    (query, skip = 0) =>
      read(o.db, query.compile(), skip)

  async function keysOf(read: Read, span: Span<Key>): Promise<Key[]> {
    const found: { list_value: unknown; list_sid: Sid<T, S> }[] = await read(
      selectKeys(span),
      span.skip,
    )
    return (span.backwards ? found.reverse() : found).map(({ list_value, list_sid }) => ({
      value: list_value,
      sid: list_sid,
    }))
  }

  /** The rows of a span in list order. One statement, so that all of them match. */
  async function rowsIn<O>(
    read: Read,
    // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
    all: SelectQueryBuilder<any, any, O>,
    span: Span<Key>,
  ): Promise<O[]> {
    const order = sql.raw(descending ? 'desc' : 'asc')
    const keys = selectKeys(span)
    const sortable = wide && span.count <= MAX_WIDE ? keys.select(wide.as('list_wide')) : keys
    const rows = all
      .innerJoin(sortable.as('list_keys'), 'list_keys.list_sid', `${o.table}.${o.sid}`)
      .orderBy(sql`list_keys.list_value ${order}, list_keys.list_sid ${order}`)
    return read(rows, span.skip)
  }

  /** All rows, where an index has them in order. */
  async function* byIndex(): AsyncGenerator<Row[]> {
    const withNames = lookingUp(o.db, names)
    let last: Stored | undefined
    while (true) {
      const from = last && keyOf(last)
      const span = { count: BATCH, skip: 0, backwards: false, from }
      const stored = isEverything
        ? await inSpan(o.rows, span).execute()
        : await rowsIn(here, o.rows, span)
      yield await presented(await withNames<N, Stored>(stored), stored.map(sidOf))
      if (stored.length < BATCH) return
      last = stored.at(-1)
    }
  }

  /** All rows, where finding the next ones means sorting, or reading much. */
  async function* byKeys(): AsyncGenerator<Row[]> {
    const withNames = lookingUp(o.db, names)
    let last: Key | undefined
    while (true) {
      const keys: Key[] = await keysOf(here, {
        count: MAX_KEYS,
        skip: 0,
        backwards: false,
        from: last,
      })
      for (let i = 0; i < keys.length; i += BATCH) {
        const sids = keys.slice(i, i + BATCH).map((k) => k.sid)
        yield await presented(await withNames<N, Stored>(await rowsAt(o.rows, sids)), sids)
      }
      if (keys.length < MAX_KEYS) return
      last = keys.at(-1)
    }
  }

  const sidOf = (row: Stored) => row[o.sid] as Sid<T, S>

  /** The rows as the API shows them, in the order of these sids. */
  async function presented(stored: Shown[], sids: Sid<T, S>[]): Promise<Row[]> {
    if (stored.length === 0) return []
    const rows = await o.present(stored)
    if (rows.length === sids.length && rows.every((row, i) => row[o.sid] === sids[i])) return rows
    const bySid = new Map<unknown, Row>(rows.map((r) => [r[o.sid], r]))
    return sids.flatMap((sid) => bySid.get(sid) ?? [])
  }

  async function inOrder(page: Key[]): Promise<Row[]> {
    const sids = page.map((k) => k.sid)
    return presented(await rowsAt(named(), sids), sids)
  }

  /** The rows with these sids, in any order. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  async function rowsAt<O>(all: SelectQueryBuilder<any, any, O>, sids: Sid<T, S>[]): Promise<O[]> {
    if (sids.length === 0) return []
    const rows = all.where(sql<boolean>`${sid} in (${sql.join(sids)})`)
    // row by row, which SQLite would not do of itself: it reads an account's whole table for a page
    const matches = o.matching
      .select(sql`1`.as('matches'))
      .where(sql<boolean>`${sid} = ${sql.ref(`list_rows.${o.sid}`)}`)
    const stored = await o.db
      .selectFrom(rows.as('list_rows'))
      .selectAll()
      .where(sql<boolean>`exists ${matches}`)
      .execute()
    return stored as O[]
  }

  const statement = () => o.matching.select(sql`1`.as('one')).compile()

  const table = isTable ? o.table : undefined

  async function count(read: Read, last: number | undefined) {
    const all = matching.select(sql<number>`count(*)`.as('total'))
    // by any other index, MariaDB looks up each row that another transaction has not committed: that takes 15 times as long
    const isScanned = isEverything && kindOf(o.db) === 'mysql' && (last ?? Infinity) <= MAX_SCANNED
    const [found] = await read<{ total: number }>(
      isScanned ? all.modifyEnd(sql`force index (primary)`) : all,
    )
    return Number(found!.total)
  }

  function counting(memory: ListingMemory, { reads }: Counted): Remembered<number> {
    const read = oneAtATime(reads.running, 0, memory.writes, async () => {
      reads.last = await count(readBy(memory), reads.last)
      return reads.last
    })
    return remembered(read.result, read.askedAt, read.askedAt)
  }

  /** The total, which is read now unless it is remembered. */
  function totalOf(memory: ListingMemory, counted: Counted): Remembered<number> {
    const known = counted.total && isShown(counted.total) ? counted.total : undefined
    if (known && counted.added.length === 0) return known
    const total = known?.got
      ? withAdded(known, known.got, counted.added)
      : counting(memory, counted)
    counted.total = total
    counted.added = []
    total.value.catch(() => {
      if (counted.total === total) counted.total = undefined
    })
    return total
  }

  /** A total that took long to read, and those of the rows added since that are of this list. */
  function withAdded(
    { asOf }: Remembered<number>,
    { value, took }: { value: number; took: number },
    added: string[],
  ): Remembered<number> {
    const among = matching
      .select(sql<number>`count(*)`.as('total'))
      .where(sql<boolean>`${sid} in (${sql.join(added)})`)
    const sum = here<{ total: number }>(among).then(([more]) => value + Number(more!.total))
    const total: Remembered<number> = { value: sum, got: undefined, asOf }
    sum.then(
      (value) => {
        total.got = { value, took }
      },
      // whoever asked for it is told
      () => undefined,
    )
    return total
  }

  /** Keys that begin to be read now. */
  const keys = ({ added }: List, value: Promise<Key[]>, asOf: number): Keys<Sid<T, S>> =>
    Object.assign(remembered(value, asOf), { seen: added.length })

  /** The rows of a remembered page; undefined if rows that were added since are among them, or may be. */
  async function rowsOf(list: List, page: Keys<Sid<T, S>>, size: number) {
    const known = await page.value
    const { length } = list.added
    const added = list.added.slice(page.seen) as Sid<T, S>[]
    if (added.length === 0) return inOrder(known)
    const last = known.at(-1)
    if (!last || known.length < size) return undefined
    const [rows, others] = await Promise.all([inOrder(known), rowsAt(beside(last), added)])
    const sids = new Set<unknown>(known.map(({ sid }) => sid))
    if (others.some((row) => !sids.has(row.added_sid) && Number(row.is_after) !== 1))
      return undefined
    page.seen = length
    return rows
  }

  /** Whether rows come after a key. */
  const beside = (key: Key) => {
    const beyond = sql.raw(descending ? '<' : '>')
    const value = compared(key)
    const isAfter = sql<number>`${column} ${beyond} ${value} or (${column} = ${value} and ${sid} ${beyond} ${key.sid})`
    return o.rows
      .clearSelect()
      .select([sid.as(o.sid), sid.as('added_sid'), isAfter.as('is_after')])
      .$castTo<{ added_sid: unknown; is_after: number | null }>()
  }

  /** The rows of a page that is not remembered. Remembers its keys. */
  function firstRead(
    memory: ListingMemory,
    list: List,
    start: number,
    { span, asOf }: Way<Key>,
  ): Promise<Row[]> {
    const read = rowsIn(readBy(memory), named(), span)
    const page = keys(
      list,
      read.then((stored) => stored.map(keyOf)),
      asOf,
    )
    if (list.pages.size >= MAX_PAGES) list.pages.delete(list.pages.keys().next().value!)
    list.pages.set(start, page)
    page.value.then(
      () => memory.trim(list),
      () => {
        if (list.pages.get(start) === page) list.pages.delete(start)
      },
    )
    return read.then((stored) => presented(stored, stored.map(sidOf)))
  }

  /** Reads a total and the keys of a page again if they are no longer fresh. */
  async function renew(memory: ListingMemory, list: List, start: number, size: number) {
    const { counted } = list
    const old = counted.total
    if (old?.got && !isFresh(old)) {
      const total = counting(memory, counted)
      await total.value
      // a row that was added meanwhile may be in it or not
      if (counted.total === old && counted.added.length === 0) counted.total = total
    }
    const total = counted.total?.got?.value
    const page = list.pages.get(start)
    if (total === undefined || !page?.got || isFresh(page)) return
    if (start > 0 && start >= total) return void list.pages.delete(start)
    const { span, asOf } = wayTo(list, start, size)
    const renewed = keys(list, keysOf(readBy(memory), span), asOf)
    await renewed.value
    if (list.pages.get(start) === page) list.pages.set(start, renewed)
  }

  return {
    async page(page, page_size, memory) {
      const of = statement()
      // the same statement is only ever read by the same list
      const view = { table, column: sort, descending, page_size }
      const current = () => memory.get(of, view) as List
      const list = current()
      const start = (page - 1) * page_size
      const count = totalOf(memory, list.counted)
      // the first page is found without knowing how many there are
      if (start > 0 && start >= (await count.value))
        return { data: [], total: await count.value, page, page_size }
      const known = list.pages.get(start)
      const readRows = async () => {
        // what was known when it was asked for may be forgotten since
        const list = current()
        // so that a page near the end is found from there
        if (start > 0) await totalOf(memory, list.counted).value
        const known = list.pages.get(start)
        const rows = known && isShown(known) && (await rowsOf(list, known, page_size))
        return rows || firstRead(memory, list, start, wayTo(list, start, page_size))
      }
      const read = oneAtATime(list.reads, start, memory.writes, readRows, turnToRead)
      const [data, total] = await Promise.all([read.result, count.value])
      // what was found from the end is as old as the total, so only a newer total makes it newer
      if (!isFresh(count) || (known && !isFresh(known) && known.asOf !== count.asOf))
        memory.renew(list, () => renew(memory, list, start, page_size))
      return { data, total, page, page_size }
    },
    total: (memory) => totalOf(memory, memory.count(statement(), table)).value,
    all() {
      // of a part, MariaDB knows whether it is quicker to find in order or to sort; SQLite would sort it every time
      const isInOrder = isEverything || (isTable && kindOf(o.db) === 'mysql')
      return readAhead(isInOrder && isIndexed(o.table, sort, o.sid) ? byIndex() : byKeys())
    },
  }
}

/**
 * Reads something, and never twice at the same time: a read that walks over another transaction's rows takes long, and
 * several at once even longer. Who asks while one runs shares it if nothing was written since it began, else the next
 * one. So every read begins after it was asked for, or might as well have.
 */
function oneAtATime<K, V>(
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
    // who asked for that one is told if it fails
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

/** When reads began in this turn of the event loop. */
let turn: number | undefined

/**
 * A later turn of the event loop, with few others in it: SQLite blocks, and new connections, of which Node accepts
 * one in a turn, would wait for all of them.
 */
const turnToRead = () =>
  new Promise<void>((resolve) => {
    function begin() {
      if (turn === undefined) {
        turn = performance.now()
        setImmediate(() => {
          turn = undefined
        })
      }
      if (performance.now() - turn > TURN_MS) setImmediate(begin)
      else resolve()
    }
    setImmediate(begin)
  })

/**
 * Adds the names of what rows refer to. Each is asked for once, because many rows refer to the same. As in a join, the
 * database says which sids are equal: their case may differ.
 */
function lookingUp(db: Db, names: [as: string, table: keyof typeof NAMED][]) {
  const known = names.map(() => new Map<string, string | null>())
  async function lookUp(table: keyof typeof NAMED, of: Map<string, string | null>, sids: string[]) {
    const column = sql.ref(NAMED[table])
    const { rows } = await sql<{ sid: string; name: string }>`
      select ${column} as sid, name from ${sql.table(table)}
      where ${column} in (${sql.join(sids)})`.execute(db)
    const found = new Map(rows.map(({ sid, name }) => [sid.toLowerCase(), name]))
    for (const sid of sids) of.set(sid, found.get(sid.toLowerCase()) ?? null)
  }
  return async <N extends Names, Stored extends object>(
    stored: Stored[],
  ): Promise<(Stored & Named<N>)[]> => {
    const rows = stored as Record<string, string | null>[]
    for (const [i, [as, table]] of names.entries()) {
      const column = NAMED[table]
      const of = known[i]!
      if (of.size > MAX_NAMES) of.clear()
      const unknown = new Set<string>()
      for (const row of rows) {
        const sid = row[column]
        const name = sid ? of.get(sid) : null
        if (name === undefined) unknown.add(sid!)
        row[as] = name ?? null
      }
      if (unknown.size === 0) continue
      await lookUp(table, of, [...unknown])
      for (const row of rows) {
        const sid = row[column]
        if (sid && unknown.has(sid)) row[as] = of.get(sid) ?? null
      }
    }
    return stored as (Stored & Named<N>)[]
  }
}

/** Reads the next rows while these are written. Others get their turn in between. */
async function* readAhead<R>(all: AsyncGenerator<R[]>): AsyncGenerator<R[]> {
  let next = all.next()
  try {
    while (true) {
      const { value: rows, done } = await next
      if (done) return
      next = all.next()
      // whoever awaits it is told, if anybody does
      next.catch(() => undefined)
      // the database is asked before these are made text
      await nextTurn()
      if (rows.length > 0) yield rows
    }
  } finally {
    await all.return(undefined)
  }
}

/** Whether the platform has an index that begins with this column. Of our own tables, the keys have one. */
function isIndexed(table: string, column: string, sid: string) {
  const { index, unique } = platformTables[table]?.keys ?? {}
  return (
    column === sid || Object.values({ ...index, ...unique }).some(([first]) => first === column)
  )
}

/** Whether the platform has an index with this column, which may have all that is read of a row. */
function isInIndex(table: string, column: string) {
  const { primary, index, unique } = platformTables[table]?.keys ?? {}
  return [[primary], ...Object.values({ ...index, ...unique })].some((key) => key.includes(column))
}

/** A column that, with a sid, has more bytes than MariaDB copies of a row to sort it (`max_length_for_sort_data`). */
function wideColumn(table: string) {
  const wide = Object.entries(platformTables[table]?.columns ?? {}).flatMap(([name, { is }]) => {
    const length = Number(/^varchar\((\d+)\)/.exec(is.type)?.[1] ?? 0)
    return length < 255 || is.optional ? [] : { name, length }
  })
  const [narrowest] = wide.sort((a, b) => a.length - b.length)
  return narrowest && sql.ref(`${table}.${narrowest.name}`)
}

/** Whether every row meets a condition: those of administrators are `1 = 1`. */
function isAlways(condition: OperationNode | undefined): boolean {
  if (!condition) return true
  if (ParensNode.is(condition)) return isAlways(condition.node)
  if (AndNode.is(condition)) return isAlways(condition.left) && isAlways(condition.right)
  return RawNode.is(condition) && condition.sqlFragments.join('') === '1 = 1'
}

const age = ({ asOf }: Remembered<unknown>) => performance.now() - asOf
const isFresh = (it: Remembered<unknown>) =>
  age(it) <= Math.max(FRESH_MS, Math.min(SHARE * (it.got?.took ?? 0), MAX_SLOW_AGE_MS / 2))
/** Whether it may be shown, or is being read. */
const isShown = (it: Remembered<unknown>) =>
  !it.got || age(it) <= (it.got.took <= QUICK_MS ? MAX_AGE_MS : MAX_SLOW_AGE_MS)

const typeOf = (table: string, column: string) =>
  platformTables[table]?.columns[column]?.is.type ?? ''

/** `count` rows in list order, `skip` rows after (or before) a key, or from the start (or end). */
type Span<Key> = { count: number; skip: number; backwards: boolean; from?: Key | undefined }
/** A span, and how old the key is that it begins at. */
type Way<Key> = { span: Span<Key>; asOf: number }

/** The shortest way to a page. What begins at a key, or at the end, misses what the key or the total misses. */
function wayTo<Key>(
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
