import { setImmediate } from 'node:timers/promises'
import type { Talk } from '../../../talk/counts.ts'
import { talkOf } from '../../../talk/talk.ts'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { UNMERGED } from '../../clickhouse/conditions.ts'
import { RowBinary } from '../../clickhouse/row-binary.ts'
import { insertInto } from '../../clickhouse/tables.ts'
import { failureLog } from '../../kit/failure-log.ts'
import type { Arrival, Arrivals } from '../store.ts'
import { tracesOf } from './traces.ts'

/** How far back it is looked, for longer than inserts take. */
const MINUTES = 10
/** The same now and then: for what a process has left that ended, and for what could not be dealt with. */
const THOROUGH = { days: 3, hours: 1 } as const
const THOROUGH_EVERY_MS = 600_000
const THOROUGH_AGAIN_MS = 60_000
const THOROUGH_SECONDS = 60
/** What came through another process is left to that one for so long. */
const OTHERS_MS = 60_000

/** `process` says which arrivals came through this process, which deals with them first. */
export function clickHouseArrivals(db: ClickHouse, process: number): Arrivals {
  let nextThorough = Number.NEGATIVE_INFINITY
  const trouble = failureLog('Reading what was said in a call')

  async function look(before: number, limit: number, isThorough: boolean) {
    const recent = `at >= now64(3) - INTERVAL ${MINUTES} MINUTE`
    const [roots, others] = isThorough
      ? [
          `at >= now64(3) - INTERVAL ${THOROUGH.days} DAY`,
          `at >= now64(3) - INTERVAL ${THOROUGH.hours} HOUR`,
        ]
      : [recent, recent]
    const cameOf = (has_root: 0 | 1, when: string) =>
      `SELECT trace_id, toUnixTimestamp64Milli(at) AS came, has_root, process, toInt64(0) AS dealt
       FROM arrivals WHERE has_root = ${has_root} AND ${when}`
    // without its root, a trace only matters if it was dealt with before, which tells that the root has come
    const rows = await db.rows<{ id: string; ms: string }>(
      `SELECT lower(hex(trace_id)) AS id, max(came) AS ms FROM
        (${cameOf(1, roots)} UNION ALL ${cameOf(0, others)} UNION ALL
         SELECT trace_id, toInt64(0) AS came, 0 AS has_root, 0 AS process, toUnixTimestamp64Milli(at) AS dealt
         FROM arrivals_done WHERE ${roots})
       GROUP BY trace_id
       HAVING ms > max(dealt) AND (max(has_root) = 1 OR max(dealt) > 0)
         AND ms < {before:Int64} - if(argMax(process, came) = {process:UInt32}, 0, ${OTHERS_MS})
       ORDER BY ms, id LIMIT ${limit} ${UNMERGED}`,
      { before: String(Math.floor(before)), process },
      ...(isThorough ? [THOROUGH_SECONDS] : []),
    )
    return rows.map(({ id, ms }): Arrival => ({ trace_id: id, at: Number(ms), has_root: true }))
  }

  return {
    async due(before, limit, except) {
      const now = performance.now()
      const isThorough = now >= nextThorough
      if (isThorough) nextThorough = now + THOROUGH_AGAIN_MS
      const left = new Set(except)
      const found = await look(before, limit + left.size, isThorough)
      const due = found.filter(({ trace_id }) => !left.has(trace_id)).slice(0, limit)
      // until all of it is found
      if (isThorough) nextThorough = due.length < limit ? now + THOROUGH_EVERY_MS : now
      return due
    },
    async talks(trace_ids) {
      const talks: Record<string, Talk> = {}
      let failures = 0
      for await (const [trace_id, trace] of tracesOf(db, trace_ids)) {
        try {
          const talk = trace && talkOf(trace)
          if (talk) talks[trace_id] = talk
        } catch (e) {
          failures++
          trouble.failed(e)
        }
        // spans come meanwhile
        await setImmediate()
      }
      if (failures === 0) trouble.worked()
      return talks
    },
    async done(arrivals) {
      const rows = new RowBinary(24 * arrivals.length)
      for (const { at, trace_id } of arrivals) {
        rows.int64(BigInt(at))
        rows.raw(Buffer.from(trace_id, 'hex'))
      }
      if (arrivals.length > 0) await db.insert(insertInto('arrivals_done'), rows.view())
    },
  }
}
