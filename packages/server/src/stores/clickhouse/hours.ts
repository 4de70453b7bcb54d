import type { Span } from '../calls/store.ts'
import { HOUR_MS } from '../calls/sums.ts'
import { type ClickHouse, MAX_DELAY_S } from './client.ts'
import { type Conditions, conditions, UNMERGED } from './conditions.ts'
import { SETTLED_MS } from './tables.ts'

/** In seconds. */
export const [HOUR, DAY] = [3_600, 86_400] as const
export type Unit = typeof HOUR | typeof DAY
export const unitOf = (column: string, unit: Unit) =>
  `toUInt32(intDiv(toUnixTimestamp(${column}), ${unit}) * ${unit})`

/** What is summed by hour, and where it is known which hours are. */
const TABLES_OF = {
  calls: { touched: 'touched_hours', summed: 'summed_hours' },
  voice: { touched: 'touched_voice_hours', summed: 'summed_voice_hours' },
} as const
export type Summed = keyof typeof TABLES_OF

/** No replica may be further behind than rows have been there for. */
export const SUMMING = `final = 1, do_not_merge_across_partitions_select_final = 1, max_replica_delay_for_distributed_queries = ${MAX_DELAY_S},
  fallback_to_stale_replicas_for_distributed_queries = 0`

/**
 * Makes the sums of an hour, which begins at `hour` in seconds since 1970, and says that they count. `insert` has the
 * parameters `hour` and `gen`. Two processes that do so at the same time are harmless: one of them counts.
 */
export async function sumHour(db: ClickHouse, of: Summed, insert: string, hour: number) {
  const [now] = await db.rows<{ gen: string }>('SELECT toUnixTimestamp64Nano(now64(9)) AS gen')
  const params = { hour, gen: now!.gen }
  await db.command(insert, params)
  await db.command(
    `INSERT INTO ${TABLES_OF[of].summed} VALUES (toDateTime({hour:UInt32}, 'UTC'), {gen:UInt64})`,
    params,
  )
}

/** Rows of an hour, by the parameter `hour`. */
export const OF_HOUR = `at >= toDateTime64({hour:UInt32}, 9, 'UTC') AND at < toDateTime64({hour:UInt32} + 3600, 9, 'UTC')`

/** Hours whose sums do not have everything, or may not. In seconds since 1970. */
const staleIn = ({ touched, summed }: (typeof TABLES_OF)[Summed]) =>
  `SELECT toUnixTimestamp(hour) AS at, max(touched) AS last FROM (
    SELECT hour, max(touched) AS touched, toUInt64(0) AS gen FROM ${touched} WHERE hour >= toDateTime({first:UInt32}, 'UTC') AND hour < toDateTime({end:UInt32}, 'UTC') GROUP BY hour
    UNION ALL
    SELECT hour, toUInt64(0) AS touched, max(gen) AS gen FROM ${summed} WHERE hour >= toDateTime({first:UInt32}, 'UTC') AND hour < toDateTime({end:UInt32}, 'UTC') GROUP BY hour)
  GROUP BY hour HAVING max(gen) < max(touched) + ${SETTLED_MS * 1_000_000}`
type Hours = { first: number; end: number }
const within = ({ first, end }: Hours) => ({ first, end })

/** Hours that can be summed now, for nothing has been added to them for a while. */
export async function unsummedHours(db: ClickHouse, of: Summed, hours: Hours): Promise<number[]> {
  const rows = await db.rows<{ at: number }>(
    `SELECT at FROM (${staleIn(TABLES_OF[of])}) WHERE last + ${SETTLED_MS * 1_000_000} < toUInt64(toUnixTimestamp64Nano(now64(9))) ORDER BY at DESC LIMIT 100 ${UNMERGED}`,
    within(hours),
  )
  return rows.map(({ at }) => at)
}

/** How many hours are read without sums. */
export async function staleHours(db: ClickHouse, of: Summed, hours: Hours): Promise<number> {
  const [row] = await db.rows<{ n: string }>(
    `SELECT count() AS n FROM (${staleIn(TABLES_OF[of])}) ${UNMERGED}`,
    within(hours),
  )
  return Number(row?.n ?? 0)
}

/** Which hours of a span are read from their sums, and of which times everything is read one by one. */
export type Plan = { of: Summed; hours: Hours; stale: number[]; raw: Span[] }

/** The times of ClickHouse's hours. */
const LATEST_MS = 4_102_444_800_000

export async function planOf(db: ClickHouse, of: Summed, span: Span): Promise<Plan> {
  const [from, to] = [Math.max(0, span.from), Math.min(LATEST_MS, span.to)]
  if (from >= to) return { of, hours: { first: 0, end: 0 }, stale: [], raw: [] }
  const first = Math.ceil(from / HOUR_MS) * HOUR
  const end = Math.floor(to / HOUR_MS) * HOUR
  if (first >= end) return { of, hours: { first, end: first }, stale: [], raw: [{ from, to }] }
  const rows = await db.rows<{ at: number }>(
    `SELECT at FROM (${staleIn(TABLES_OF[of])}) ORDER BY at ${UNMERGED}`,
    { first, end },
  )
  const stale = rows.map(({ at }) => at)
  const raw: Span[] = []
  const addRaw = (begin: number, until: number) => {
    const last = raw.at(-1)
    if (last?.to === begin) last.to = until
    else if (begin < until) raw.push({ from: begin, to: until })
  }
  addRaw(from, first * 1_000)
  for (const at of stale) addRaw(at * 1_000, at * 1_000 + HOUR_MS)
  addRaw(end * 1_000, to)
  return { of, hours: { first, end }, stale, raw }
}

/** Conditions of sums for hours whose sums count. */
export function summed({ of, hours, stale }: Plan): Conditions {
  const to = conditions()
  const range = `hour >= toDateTime(${to.bind('UInt32', hours.first)}, 'UTC') AND hour < toDateTime(${to.bind('UInt32', hours.end)}, 'UTC')`
  to.sql.push(
    range,
    `(hour, gen) IN (SELECT hour, max(gen) FROM ${TABLES_OF[of].summed} WHERE ${range} GROUP BY hour)`,
  )
  if (stale.length > 0)
    to.sql.push(`toUnixTimestamp(hour) NOT IN ${to.bind('Array(UInt32)', stale)}`)
  return to
}

/** Conditions of what has no sums, by its time `at`. */
export function unsummed({ raw }: Plan): Conditions {
  const to = conditions()
  const spans = raw.map(({ from, to: until }) => {
    const moment = (ms: number) =>
      `fromUnixTimestamp64Milli(${to.bind('Int64', String(Math.ceil(ms)))}, 'UTC')`
    return `(at >= ${moment(from)} AND at < ${moment(until)})`
  })
  to.sql.push(`(${spans.join(' OR ')})`)
  return to
}
