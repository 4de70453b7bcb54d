import { setImmediate as nextTurn } from 'node:timers/promises'
import { isIndexed } from './listing-indexes.ts'
import type { ListingMemory } from './listing-memory.ts'
import { lookingUp, type Names } from './listing-names.ts'
import type { Key, List, queriesOf } from './listing-query.ts'
import { kindOf } from './open.ts'

/** Rows of a whole list that are read at once: few enough to leave memory flat. */
export const BATCH = 500
/** Keys that are read at once where finding them means sorting. */
const MAX_KEYS = 10_000

/** All rows of a list, in batches. One that was short when last read (`wasShort`) joins all: that is one statement. */
export function readWhole<Stored extends object, N extends Names, Row extends object>(
  o: List<Stored, N, Row>,
  queries: ReturnType<typeof queriesOf<Stored, N, Row>>,
  memory: ListingMemory,
  wasShort: boolean,
): AsyncGenerator<Row[]> {
  const { here, readBy, inSpan, keysOf, rowsIn, rowsAt, keyOf, sidOf, presented } = queries
  const { isEverything, table, sortName } = queries
  const withNames = lookingUp(o.db, o.names ?? {})

  const unjoinedRows = async () => (wasShort ? undefined : await o.unjoined?.())

  /** All rows, where an index has them in order. */
  async function* byIndex(): AsyncGenerator<Row[]> {
    const unjoined = await unjoinedRows()
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
  async function* byKeys(): AsyncGenerator<Row[]> {
    const unjoined = await unjoinedRows()
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

  // of a part, MariaDB knows whether it is quicker to find in order or to sort; SQLite would sort it every time
  const isInOrder = isEverything || (table !== undefined && kindOf(o.db) === 'mysql')
  return readAhead(isInOrder && isIndexed(o.table, sortName, o.sid) ? byIndex() : byKeys())
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
