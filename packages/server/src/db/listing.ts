import type { PageQuery } from '@switchroom/contract'
import { type SelectQueryBuilder, type SelectType, sql } from 'kysely'
import { type Db, type Tables, timestamp } from './open.ts'
import { platformTables } from './platform.ts'

export type Page<Row> = { data: Row[]; total: number; page: number; page_size: number }

/** A list that is not read yet: one page of it, or all of it in batches. */
export type Listing<Row> = {
  page: (page: number, page_size: number, memory: ListingMemory) => Promise<Page<Row>>
  all: () => AsyncIterable<Row[]>
}

/** A row's position: its sort value and sid. */
type KeyOf<Sid> = { value: unknown; sid: Sid }
type Known<Row = unknown, Sid = unknown> = {
  total: Promise<number> | undefined
  pages: Map<number, KeyOf<Sid>[]>
  /** Running reads, by page: concurrent requests share one. */
  reading: Map<number, Promise<Row[]>>
  until: number
}

const MAX_AGE_MS = 2_000
const MAX_LISTS = 500
const MAX_PAGES = 400
const BATCH = 1_000

/** The totals and positions that one server knows of its lists. */
export type ListingMemory = {
  get: (key: string) => Known
  /**
   * Called after every write through this server; writes by others are seen within two seconds. A read that
   * started before caches its results with the forgotten list.
   */
  forget: () => void
}

export function listingMemory(): ListingMemory {
  const known = new Map<string, Known>()
  return {
    get(key) {
      const kept = known.get(key)
      if (kept && kept.until > performance.now()) return kept
      if (known.size >= MAX_LISTS) known.delete(known.keys().next().value!)
      const fresh: Known = {
        total: undefined,
        pages: new Map(),
        reading: new Map(),
        until: performance.now() + MAX_AGE_MS,
      }
      known.delete(key)
      known.set(key, fresh)
      return fresh
    },
    forget: () => known.clear(),
  }
}

type StoredSid<T extends keyof Tables, S extends keyof Tables[T]> = SelectType<Tables[T][S]>
/** What the query builder reads for a reference of that type. */
type Sid<T extends keyof Tables, S extends keyof Tables[T]> = SelectType<StoredSid<T, S>>

type Options<T extends keyof Tables, S extends keyof Tables[T] & string, Stored, Row> = {
  db: Db
  table: T
  /** The primary key, as a tie-breaker. */
  sid: S
  /** Columns of `table` that can be sorted by, the default first. They hold no nulls. */
  sortable: readonly [keyof Tables[T] & string, ...(keyof Tables[T] & string)[]]
  query: Pick<PageQuery, 'sort'>
  /** Which rows: the caller's scope and the filters, nothing selected yet. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  matching: SelectQueryBuilder<any, any, object>
  /**
   * What is selected of a row, with what it joins. `table` goes by its own name. It is read `matching` a
   * second time, because a row may have left the caller's scope since its key was cached.
   */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it has joined is its own business
  rows: SelectQueryBuilder<any, any, Stored>
  /** The rows as the API shows them, in any order. */
  present: (rows: Stored[]) => Row[] | Promise<Row[]>
}

/**
 * A list whose pages all cost the same. Counting and finding the n-th row are slow, so totals and page keys
 * are cached for two seconds, and a page is sought from the nearest known one. Rows are always read fresh,
 * and within the caller's scope.
 */
export function listing<
  T extends keyof Tables,
  S extends keyof Tables[T] & string,
  Stored extends object,
  Row extends Record<S, unknown>,
>(o: Options<T, S, Stored, Row>): Listing<Row> {
  type Key = KeyOf<Sid<T, S>>
  const descending = o.query.sort?.startsWith('-') ?? false
  const requestedSort = o.query.sort?.replace(/^-/, '')
  const sort = o.sortable.find((column) => column === requestedSort) ?? o.sortable[0]
  const column = sql.ref(`${o.table}.${sort}`)
  // read as ISO text, compared in the stored format
  const isTime = typeOf(o.table, sort).startsWith('date')
  const sid = sql.ref<StoredSid<T, S>>(`${o.table}.${o.sid}`)

  /** `count` keys in list order, `skip` rows after (or before) a key, or from the start (or end). */
  async function keys(count: number, skip: number, backwards: boolean, from?: Key): Promise<Key[]> {
    const down = descending !== backwards
    const order = sql.raw(down ? 'desc' : 'asc')
    const beyond = sql.raw(down ? '<' : '>')
    const inclusive = sql.raw(down ? '<=' : '>=')
    let query = o.matching.select([column.as('value'), sid.as('sid')])
    if (from) {
      const value = isTime ? timestamp(new Date(String(from.value))) : from.value
      query = query.where(
        sql<boolean>`${column} ${inclusive} ${value} and (${column} ${beyond} ${value} or ${sid} ${beyond} ${from.sid})`,
      )
    }
    const rows: Key[] = await query
      .orderBy(sql`${column} ${order}, ${sid} ${order}`)
      .limit(count)
      .offset(skip)
      .execute()
    return backwards ? rows.reverse() : rows
  }

  async function inOrder(page: Key[]): Promise<Row[]> {
    if (page.length === 0) return []
    const sids = page.map((k) => k.sid)
    const matching = o.matching
      .select(sid.as('sid'))
      .where(sql<boolean>`${sid} in (${sql.join(sids)})`)
    const stored = await o.rows.where(sql<boolean>`${sid} in ${matching}`).execute()
    if (stored.length === 0) return []
    const rows = await o.present(stored)
    const bySid = new Map<unknown, Row>(rows.map((r) => [r[o.sid], r]))
    return page.flatMap((k) => bySid.get(k.sid) ?? [])
  }

  return {
    async page(page, page_size, memory) {
      const { sql: text, parameters } = o.matching.select(column.as('value')).compile()
      const list = memory.get(
        `${text}\0${JSON.stringify(parameters)}\0${descending}\0${page_size}`,
        // the same query text is only ever read by the same list
      ) as Known<Row, Sid<T, S>>
      list.total ??= o.matching
        .select(sql<number>`count(*)`.as('total'))
        .executeTakeFirstOrThrow()
        .then(({ total }) => Number(total))
        .catch((e) => {
          list.total = undefined
          throw e
        })
      const total = await list.total
      const start = (page - 1) * page_size
      if (start >= total) return { data: [], total, page, page_size }
      let found = list.pages.get(start)
      if (!found) {
        found = await seekPage(list.pages, start, page_size, total, keys)
        if (list.pages.size < MAX_PAGES) list.pages.set(start, found)
      }
      let data = list.reading.get(start)
      if (!data) {
        data = inOrder(found).finally(() => list.reading.delete(start))
        list.reading.set(start, data)
      }
      return { data: await data, total, page, page_size }
    },
    async *all() {
      let last: Key | undefined
      while (true) {
        const batch: Key[] = await keys(BATCH, 0, false, last)
        if (batch.length > 0) yield await inOrder(batch)
        if (batch.length < BATCH) return
        last = batch.at(-1)
      }
    },
  }
}

const typeOf = (table: string, column: string) =>
  platformTables[table]?.columns[column]?.is.type ?? ''

/** The keys of a page, by the shortest way. */
async function seekPage<Key>(
  pages: Map<number, Key[]>,
  start: number,
  size: number,
  total: number,
  keys: (count: number, skip: number, backwards: boolean, from?: Key) => Promise<Key[]>,
) {
  const count = Math.min(size, total - start)
  const ways: { skip: number; backwards: boolean; from: Key | undefined }[] = [
    { skip: start, backwards: false, from: undefined },
    { skip: total - start - count, backwards: true, from: undefined },
  ]
  for (const [at, page] of pages) {
    const end = at + page.length
    if (page.length === 0) continue
    if (end <= start) ways.push({ skip: start - end, backwards: false, from: page.at(-1) })
    else if (at >= start + count)
      ways.push({ skip: at - start - count, backwards: true, from: page[0] })
  }
  const { skip, backwards, from } = ways.reduce((best, way) => (way.skip < best.skip ? way : best))
  return keys(count, skip, backwards, from)
}
