import type { CompiledQuery } from 'kysely'

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
export type Read<V> = {
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
  /** Counts those of some rows that are of this list; undefined until somebody asks for the total. */
  among?: (sids: readonly string[]) => CompiledQuery
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

export const QUICK_MS = 25
