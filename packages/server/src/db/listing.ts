import {
  type Counted,
  type Keys,
  type Known,
  type Remembered,
  remembered,
} from './listing-known.ts'
import { isFresh, isShown, type ListingMemory, MAX_PAGES, oneAtATime } from './listing-memory.ts'
import type { Names } from './listing-names.ts'
import { type List as AnyList, type Key, type Options, queriesOf } from './listing-query.ts'
import { type Way, wayTo } from './listing-way.ts'
import { BATCH, readWhole } from './listing-whole.ts'
import type { Tables } from './open.ts'
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

/** Among the reads of pages, which begin at 0. */
const WHOLE = -1

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
  type List = Known<Row>
  // which columns it names matters only to its caller
  const list = o as unknown as AnyList<Stored, N, Row>
  const queries = queriesOf(list)
  const { table, sortName, descending, statement, findBy, readBy, named, sidOf } = queries
  const { keysOf, rowsIn, rowsAt, readPage, presented, inOrder, beside, countAmong } = queries

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

  function counting(memory: ListingMemory, { reads }: Counted): Remembered<number> {
    const read = oneAtATime(reads.running, 0, memory.writes, async () => {
      reads.last = await queries.count(findBy(memory), reads.last)
      return reads.last
    })
    return remembered(read.result, read.askedAt, read.askedAt)
  }

  /** The total, which is read now unless it is remembered. */
  function totalOf(memory: ListingMemory, counted: Counted): Remembered<number> {
    counted.among ??= (sids) => queries.among(sids).compile()
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
    const sum = countAmong(added).then((more) => value + more)
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
  const keys = ({ added }: List, value: Promise<Key[]>, asOf: number): Keys<unknown> =>
    Object.assign(remembered(value, asOf), { seen: added.length })

  /** The rows of a remembered page; undefined if rows that were added since are among them, or may be. */
  async function rowsOf(list: List, page: Keys<unknown>, size: number) {
    const known = await page.value
    const { length } = list.added
    const added = list.added.slice(page.seen)
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
    all: (memory) => noting(memory, readWhole(list, queries, memory, whole(memory).isShort)),
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
