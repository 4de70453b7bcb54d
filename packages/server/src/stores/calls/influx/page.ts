import { type conditions, type Influx, numberIn, type Row, timeOf } from './influx.ts'

type Clause = ReturnType<typeof conditions>
type Span = { limit: number; offset: number }

/** Calls whose times are read to count them. Of more, InfluxDB counts. */
const COUNTED_HERE = 10_000

/**
 * A page of calls, newest first, and how many there are. InfluxDB reads every field of every call that it compares, even
 * to return 25 of them: so the times of the page are found by one field, then the calls between these.
 */
export async function pageOf(
  db: Influx,
  clauseOf: () => Clause,
  /** True if the condition reads fields, which costs more than the answer. */
  readsFields: boolean,
  { limit, offset }: Span,
): Promise<{ rows: Row[]; total: number }> {
  const clause = clauseOf()
  const count = `SELECT COUNT(sip_callid) FROM cdrs ${clause.where()}`
  const counted = async () => {
    const [found] = await db.query('cdrs', [count], clause.values)
    return numberIn(found?.[0]?.rows[0]?.count) ?? 0
  }
  if (limit === 0) return { rows: [], total: await counted() }

  const isSearch = readsFields && offset + limit <= COUNTED_HERE
  const times = `SELECT sip_callid FROM cdrs ${clause.where()} ORDER BY time DESC LIMIT ${isSearch ? COUNTED_HERE : limit}`
  const [found, total] = isSearch
    ? await db.query('cdrs', [times], clause.values)
    : await db.query('cdrs', [`${times} OFFSET ${offset}`, count], clause.values)
  const all = found?.[0]?.rows.map(timeOf) ?? []
  const wanted = isSearch ? all.slice(offset, offset + limit) : all
  const isAll = isSearch && all.length < COUNTED_HERE
  const [rows, length] = await Promise.all([
    between(db, clauseOf, wanted, { limit, offset }),
    isAll ? all.length : isSearch ? counted() : (numberIn(total?.[0]?.rows[0]?.count) ?? 0),
  ])
  return { rows, total: length }
}

/** The calls of these times, newest first. */
async function between(
  db: Influx,
  clauseOf: () => Clause,
  times: readonly string[],
  { limit, offset }: Span,
): Promise<Row[]> {
  const read = async (sql: readonly string[], part: string) => {
    const clause = clauseOf()
    clause.sql.push(...sql)
    const select = `SELECT * FROM cdrs ${clause.where()} ORDER BY time DESC ${part}`
    const [page] = await db.query('cdrs', [select], clause.values)
    return page?.[0]?.rows ?? []
  }
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return []
  const bounds = [`time >= '${last}'`, `time <= '${first}'`]
  // calls of the same time may be on the pages before and after
  const rows = first === last ? [] : await read(bounds, `LIMIT ${2 * limit}`)
  const firsts = (all: readonly string[]) => all.filter((time) => time === first).length
  const before = firsts(rows.map(timeOf)) - firsts(times)
  const page = rows.slice(Math.max(0, before), Math.max(0, before) + times.length)
  const isWhole = page.length === times.length && page.every((row, i) => timeOf(row) === times[i])
  // another call came in meanwhile, or all are of one time
  return isWhole ? page : read([], `LIMIT ${limit} OFFSET ${offset}`)
}
