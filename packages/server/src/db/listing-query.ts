import type { PageQuery } from '@switchroom/contract'
import {
  AndNode,
  type Compilable,
  type OperationNode,
  ParensNode,
  type RawBuilder,
  RawNode,
  type SelectQueryBuilder,
  sql,
  TableNode,
} from 'kysely'
import { isInIndex, typeOf, wideColumn } from './listing-indexes.ts'
import type { KeyOf } from './listing-known.ts'
import type { ListingMemory } from './listing-memory.ts'
import { joinedWith, type Named, type Names } from './listing-names.ts'
import type { Span } from './listing-way.ts'
import { type Db, kindOf, type Tables, timestamp } from './open.ts'

/** With more rows than this, MariaDB chooses the index that it counts by: the one with the fewest pages. */
const MAX_SCANNED = 250_000
/** The most rows whose widest column a temporary table gets as well. */
const MAX_WIDE = 1_000

/** `name`: the order's own, if it is none of the columns. */
export type SortedAs<Stored> = {
  name?: string
  sql: RawBuilder<unknown>
  of: (row: Stored) => string | number
}

export type Options<
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
  /** Sort value of a column whose displayed value differs: in SQL, and for a row. */
  sortedAs?: SortedAs<Stored> | undefined
  query: Pick<PageQuery, 'sort'>
  /** Which rows: the caller's scope and the filters, nothing selected yet. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  matching: SelectQueryBuilder<any, any, object>
  /**
   * The selected columns and joins of a row. `table` keeps its own name, which qualifies every selected column.
   * It is read `matching` a second time, because a row may have left the caller's scope since its key was cached.
   */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  rows: SelectQueryBuilder<any, any, Stored>
  /** Query of a whole list in place of `rows`, and how its rows become the same: for joins that cost more than a look-up in memory. */
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

/** The same of any list: what it is made of is checked where it is made. */
export type List<Stored, N extends Names, Row> = Omit<
  Options<keyof Tables, never, never, Stored, N, Row>,
  'sid' | 'sortable'
> & { sid: string; sortable: readonly [string, ...string[]] }

/** The value that a row is sorted by, and its primary key. */
export type Key = KeyOf<unknown>
type FoundKey = { list_value: unknown; list_sid: unknown }
/** How rows are read: `skip` are passed over first. */
export type Read = <O>(query: Compilable<O>, skip?: number) => Promise<O[]>

/** Queries of a list. */
export function queriesOf<Stored extends object, N extends Names, Row extends object>(
  o: List<Stored, N, Row>,
) {
  type Shown = Stored & Named<N>
  const descending = o.query.sort?.startsWith('-') ?? false
  const requestedSort = o.query.sort?.replace(/^-/, '')
  const sort = o.sortable.find((column) => column === requestedSort) ?? o.sortable[0]
  const sortName = o.sortedAs?.name ?? sort
  const column = o.sortedAs?.sql ?? sql.ref(`${o.table}.${sort}`)
  // read as ISO text, compared in the stored format
  const isTime = typeOf(o.table, sortName).startsWith('date')
  const sid = sql.ref<unknown>(`${o.table}.${o.sid}`)

  const { where, from, joins } = o.matching.toOperationNode()
  const isTable = from?.froms.length === 1 && TableNode.is(from.froms[0]!) && !joins
  const isEverything = isTable && isAlways(where?.where)
  // counting is faster without a condition
  const matching = isEverything ? o.matching.clearWhere() : o.matching

  /** Value that a column is compared with. */
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

  const named = () =>
    joinedWith(o.table, o.names ?? {}, o.rows) as SelectQueryBuilder<
      // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
      any,
      // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
      any,
      Shown
    >

  const memberOf = (row: object, name: string) => (row as Record<string, unknown>)[name]
  const sidOf = (row: object) => memberOf(row, o.sid)
  const keyOf = (row: Stored): Key => ({
    value: o.sortedAs?.of(row) ?? memberOf(row, sort) ?? '',
    sid: sidOf(row),
  })

  /** Selects the keys of a span. */
  const selectKeys = (span: Span<Key>) =>
    inSpan(matching, span).select([column.as('list_value'), sid.as('list_sid')])

  const here: Read = async (query) => (await o.db.executeQuery(query.compile())).rows
  const readBy =
    ({ read }: ListingMemory): Read =>
    (query, skip = 0) =>
      read(o.db, query.compile(), skip)
  /** Query that a replica may answer: it finds and counts rows, but never supplies their contents. */
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

  /** The rows as the API shows them, in the order of these sids. */
  async function presented(stored: Shown[], sids: unknown[]): Promise<Row[]> {
    if (stored.length === 0) return []
    const rows = await o.present(stored)
    if (rows.length === sids.length && rows.every((row, i) => sidOf(row) === sids[i])) return rows
    const bySid = new Map<unknown, Row>(rows.map((row) => [sidOf(row), row]))
    return sids.flatMap((sid) => bySid.get(sid) ?? [])
  }

  async function inOrder(page: Key[]): Promise<Row[]> {
    const sids = page.map((k) => k.sid)
    return presented(await rowsAt(named(), sids), sids)
  }

  /** The rows with these sids, in any order. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  async function rowsAt<O>(all: SelectQueryBuilder<any, any, O>, sids: unknown[]): Promise<O[]> {
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

  async function count(read: Read, last: number | undefined) {
    const all = matching.select(sql<number>`count(*)`.as('total'))
    // by any other index, MariaDB looks up each row that another transaction has not committed: that takes 15 times as long
    const isScanned = isEverything && kindOf(o.db) === 'mysql' && (last ?? Infinity) <= MAX_SCANNED
    const [found] = await read<{ total: number }>(
      isScanned ? all.modifyEnd(sql`force index (primary)`) : all,
    )
    return Number(found!.total)
  }

  /** The number of rows with these sids that are of the list. */
  const among = (sids: readonly string[]) =>
    matching
      .select(sql<number>`count(*)`.as('total'))
      .where(sql<boolean>`${sid} in (${sql.join(sids)})`)

  async function countAmong(sids: string[]) {
    const [found] = await here<{ total: number }>(among(sids))
    return Number(found!.total)
  }

  /** Condition for rows after a key. */
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

  return {
    /** All rows that somebody may see, without a condition. */
    isEverything,
    table: isTable ? o.table : undefined,
    sortName,
    descending,
    /** The statement that the list is remembered by. */
    statement: () => o.matching.select(sql`1`.as('one')).compile(),
    ...{ here, readBy, findBy, inSpan, keysOf, rowsIn, rowsAt, readPage },
    ...{ named, keyOf, sidOf, presented, inOrder, beside, count, among, countAmong },
  }
}

/** True if every row meets a condition, such as an administrator's `1 = 1`. */
function isAlways(condition: OperationNode | undefined): boolean {
  if (!condition) return true
  if (ParensNode.is(condition)) return isAlways(condition.node)
  if (AndNode.is(condition)) return isAlways(condition.left) && isAlways(condition.right)
  return RawNode.is(condition) && condition.sqlFragments.join('') === '1 = 1'
}
