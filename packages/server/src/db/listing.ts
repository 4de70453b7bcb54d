import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageQuery } from '@switchroom/contract'
import {
  AndNode,
  type Compilable,
  type OperationNode,
  ParensNode,
  type RawBuilder,
  RawNode,
  type SelectQueryBuilder,
  type SelectType,
  sql,
  TableNode,
} from 'kysely'
import {
  type Counted,
  isFresh,
  isShown,
  type KeyOf,
  type Keys,
  type Known,
  type ListingMemory,
  MAX_PAGES,
  oneAtATime,
  type Remembered,
  remembered,
  type Span,
  type Way,
  wayTo,
} from './listing-memory.ts'
import { type Db, kindOf, type Tables, timestamp } from './open.ts'
import { platformTables } from './platform.ts'
import { turnToRead } from './turn-to-read.ts'

export type Page<Row> = { data: Row[]; total: number; page: number; page_size: number }

/** A list that is not read yet: one page of it, or all of it in batches. */
export type Listing<Row> = {
  page: (page: number, page_size: number, memory: ListingMemory) => Promise<Page<Row>>
  /** How many rows it has. */
  total: (memory: ListingMemory) => Promise<number>
  all: (memory: ListingMemory) => AsyncIterable<Row[]>
  /** All rows, shared with others who ask at the same time; undefined unless they were few when last read by `all`. */
  few: (memory: ListingMemory) => Promise<Row[] | undefined>
}

/** With more rows than this, MariaDB chooses the index that it counts by: the one with the fewest pages. */
const MAX_SCANNED = 250_000
/** Rows of a whole list that are read at once: few enough to leave memory flat. */
const BATCH = 500
/** Among the reads of pages, which begin at 0. */
const WHOLE = -1
/** The most names that a whole list remembers of each table. */
const MAX_NAMES = 20_000
/** The most rows whose widest column a temporary table gets as well. */
const MAX_WIDE = 1_000
/** Keys that are read at once where finding them means sorting. */
const MAX_KEYS = 10_000

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

/** `name`: the order's own, if it is none of the columns. */
export type SortedAs<Stored> = {
  name?: string
  sql: RawBuilder<unknown>
  of: (row: Stored) => string | number
}

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
  /** What the column is sorted as, where lists show something else: in SQL, and of a row. */
  sortedAs?: SortedAs<Stored> | undefined
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
  /** What a whole list reads in place of `rows`, and how it becomes the same: where joining takes longer than knowing. */
  unjoined?: () => Promise<Unjoined<Stored> | undefined>
  /** Names of other rows, which a page joins and a whole list looks up: joining takes longer than reading the rows. */
  names?: N
  /** The rows as the API shows them, in any order. */
  present: (rows: (Stored & Named<N>)[]) => Row[] | Promise<Row[]>
}

export type Unjoined<Stored> = {
  // biome-ignore lint/suspicious/noExplicitAny: it lacks what `complete` adds
  rows: SelectQueryBuilder<any, any, any>
  complete: (rows: Stored[]) => void
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
  type FoundKey = { list_value: unknown; list_sid: Sid<T, S> }
  const descending = o.query.sort?.startsWith('-') ?? false
  const requestedSort = o.query.sort?.replace(/^-/, '')
  const sort = o.sortable.find((column) => column === requestedSort) ?? o.sortable[0]
  const sortName = o.sortedAs?.name ?? sort
  const column = o.sortedAs?.sql ?? sql.ref(`${o.table}.${sort}`)
  // read as ISO text, compared in the stored format
  const isTime = typeOf(o.table, sortName).startsWith('date')
  const sid = sql.ref<StoredSid<T, S>>(`${o.table}.${o.sid}`)

  const { where, from, joins } = o.matching.toOperationNode()
  const isTable = from?.froms.length === 1 && TableNode.is(from.froms[0]!) && !joins
  const isEverything = isTable && isAlways(where?.where)
  // counting is faster without a condition
  const matching = isEverything ? o.matching.clearWhere() : o.matching

  /** What a column is compared with. */
  const compared = ({ value }: Key) => (isTime ? timestamp(new Date(String(value))) : value)

  // makes MariaDB sort where rows are, not copies of them: two thirds of the time for a page of 10,000 rows
  const isSorted = isTable && kindOf(o.db) === 'mysql' && !isInIndex(o.table, sortName)
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

  const keyOf = (row: Stored): Key => ({
    value: o.sortedAs?.of(row) ?? row[sort] ?? '',
    sid: row[o.sid] as Sid<T, S>,
  })

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
  /** Where a replica may be asked: it says which rows and how many, but not what is in them. */
  const findBy =
    (memory: ListingMemory): Read =>
    async (query, skip = 0) =>
      (await memory.readReplica(query.compile())) ?? readBy(memory)(query, skip)

  async function keysOf(read: Read, span: Span<Key>): Promise<Key[]> {
    const found: FoundKey[] = await read(selectKeys(span), span.skip)
    return inListOrder(found, span)
  }

  const inListOrder = (found: FoundKey[], { backwards }: Span<Key>): Key[] =>
    (backwards ? found.reverse() : found).map(({ list_value, list_sid }) => ({
      value: list_value,
      sid: list_sid,
    }))

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

  /** A list that was short when last read joins all: that is one statement. */
  const unjoinedIn = (memory: ListingMemory) => (whole(memory).isShort ? undefined : o.unjoined?.())

  /** All rows, where an index has them in order. */
  async function* byIndex(memory: ListingMemory): AsyncGenerator<Row[]> {
    const withNames = lookingUp(o.db, names)
    const unjoined = await unjoinedIn(memory)
    const rows: typeof o.rows = unjoined?.rows ?? o.rows
    async function read(last: Stored | undefined) {
      const span = { count: BATCH, skip: 0, backwards: false, from: last && keyOf(last) }
      const stored = isEverything
        ? await inSpan(rows, span).execute()
        : await rowsIn(here, rows, span)
      unjoined?.complete(stored)
      return stored
    }
    let reading = read(undefined)
    while (true) {
      const stored = await reading
      const isLast = stored.length < BATCH
      if (!isLast) reading = meanwhile(read(stored.at(-1)))
      yield await presented(await withNames<N, Stored>(stored), stored.map(sidOf))
      if (isLast) return
    }
  }

  /** All rows, where finding the next ones means sorting, or reading much. */
  async function* byKeys(memory: ListingMemory): AsyncGenerator<Row[]> {
    const withNames = lookingUp(o.db, names)
    const unjoined = await unjoinedIn(memory)
    const rows: typeof o.rows = unjoined?.rows ?? o.rows
    let last: Key | undefined
    while (true) {
      const keys: Key[] = await keysOf(readBy(memory), {
        count: MAX_KEYS,
        skip: 0,
        backwards: false,
        from: last,
      })
      const read = (i: number) => rowsAt(rows, sidsFrom(i))
      const sidsFrom = (i: number) => keys.slice(i, i + BATCH).map((k) => k.sid)
      let reading = read(0)
      for (let i = 0; i < keys.length; i += BATCH) {
        const stored = await reading
        if (i + BATCH < keys.length) reading = meanwhile(read(i + BATCH))
        unjoined?.complete(stored)
        yield await presented(await withNames<N, Stored>(stored), sidsFrom(i))
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
    if (isEverything) return rows.execute()
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

  /** A whole list is remembered as one page. */
  const whole = (memory: ListingMemory) =>
    memory.get(statement(), { table, column: sortName, descending, page_size: BATCH }) as List

  /** Remembers whether these were few. */
  async function* noting(memory: ListingMemory, all: AsyncGenerator<Row[]>) {
    let length = 0
    for await (const rows of all) {
      length += rows.length
      yield rows
    }
    whole(memory).isShort = length < BATCH
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
      reads.last = await count(findBy(memory), reads.last)
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

  /** The keys of a page, and its rows: read within the caller's scope where a replica said which they are. */
  async function readPage(memory: ListingMemory, span: Span<Key>) {
    const found = await memory.readReplica<FoundKey>(selectKeys(span).compile())
    if (found) {
      const keys = inListOrder(found, span)
      return { keys, rows: () => inOrder(keys) }
    }
    const stored = await rowsIn(readBy(memory), named(), span)
    return { keys: stored.map(keyOf), rows: () => presented(stored, stored.map(sidOf)) }
  }

  /** The rows of a page that is not remembered. Remembers its keys. */
  function firstRead(
    memory: ListingMemory,
    list: List,
    start: number,
    { span, asOf }: Way<Key>,
  ): Promise<Row[]> {
    const read = readPage(memory, span)
    const page = keys(
      list,
      read.then(({ keys }) => keys),
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
    return read.then(({ rows }) => rows())
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
    const renewed = keys(list, keysOf(findBy(memory), span), asOf)
    await renewed.value
    if (list.pages.get(start) === page) list.pages.set(start, renewed)
  }

  return {
    async page(page, page_size, memory) {
      const catchingUp = memory.catchUp()
      if (catchingUp) await catchingUp
      const of = statement()
      // the same statement is only ever read by the same list
      const view = { table, column: sortName, descending, page_size }
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
    async total(memory) {
      const catchingUp = memory.catchUp()
      if (catchingUp) await catchingUp
      return totalOf(memory, memory.count(statement(), table)).value
    },
    all(memory) {
      // of a part, MariaDB knows whether it is quicker to find in order or to sort; SQLite would sort it every time
      const isInOrder = isEverything || (isTable && kindOf(o.db) === 'mysql')
      const all =
        isInOrder && isIndexed(o.table, sortName, o.sid) ? byIndex(memory) : byKeys(memory)
      return noting(memory, readAhead(all))
    },
    async few(memory) {
      const catchingUp = memory.catchUp()
      if (catchingUp) await catchingUp
      const list = whole(memory)
      if (!list.isShort) return undefined
      const span = { count: BATCH, skip: 0, backwards: false }
      const readAll = async () => {
        const stored = await rowsIn(readBy(memory), named(), span)
        return presented(stored, stored.map(sidOf))
      }
      const rows = await oneAtATime(list.reads, WHOLE, memory.writes, readAll, turnToRead).result
      list.isShort = rows.length < BATCH
      return list.isShort ? rows : undefined
    },
  }
}

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

/** Begun before it is awaited, if anybody awaits it: whoever does is told if it fails. */
function meanwhile<T>(work: Promise<T>) {
  work.catch(() => undefined)
  return work
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

const typeOf = (table: string, column: string) =>
  platformTables[table]?.columns[column]?.is.type ?? ''
