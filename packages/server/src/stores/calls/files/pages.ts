import { NUMBERS, TEXTS } from '../fields.ts'
import { HOUR_NS } from '../times.ts'
import { type Day, type Filter, type Part, where } from './day.ts'
import { type ShownCall, WHOLE_DAY } from './shard.ts'

/** A page of ids, newest first. The counts tell which hours are empty or can be skipped. */
export function page(
  day: Day,
  filter: Filter,
  part: Part,
  offset: number,
  limit: number,
): number[] {
  const { sql, values } = where(filter, 'cube')
  const hours = day.shard.all<{ bucket: number; n: number }>(
    `select bucket, sum(calls) as n from cube where bucket < ${WHOLE_DAY} and bucket >= ? and bucket <= ?${sql}
      group by bucket having n > 0 order by bucket desc`,
    Math.floor(part.from / HOUR_NS),
    Math.floor((part.to - 1) / HOUR_NS),
    ...values,
  )
  const ids: number[] = []
  let skip = offset
  const raw = where(filter)
  for (const { bucket, n } of hours) {
    const from = Math.max(part.from, bucket * HOUR_NS)
    const to = Math.min(part.to, (bucket + 1) * HOUR_NS)
    const full = to - from === HOUR_NS
    if (full && skip >= n) {
      skip -= n
      continue
    }
    // an hour that the span cuts has fewer calls than its count
    const here = full ? n : day.countRaw(filter, { from, to })
    if (skip >= here) {
      skip -= here
      continue
    }
    const rows = day.shard.all<{ id: number }>(
      `select id from calls indexed by calls_at where at >= ? and at < ?${raw.sql}
        order by at desc, series desc limit ? offset ?`,
      from,
      to,
      ...raw.values,
      limit - ids.length,
      skip,
    )
    for (const row of rows) ids.push(row.id)
    skip = 0
    if (ids.length >= limit) break
  }
  return ids
}

/** Without hashes and fields that no list has. */
const SHOWN = ['id', 'at', 'series', 'sip_status', ...NUMBERS, ...TEXTS].map(
  (name) => `c."${name}"`,
)

/** All matches, newest first, in batches of one statement each. */
export function* walk(day: Day, filter: Filter, part: Part, size: number): Generator<ShownCall[]> {
  const { sql, values } = where(filter)
  let [at, series] = [part.to, 0]
  for (;;) {
    const rows = day.shard.all<ShownCall>(
      `select ${SHOWN}, w.text as application_sid from calls c indexed by calls_at
        left join words w on w.id = c.application
        where at >= ? and at <= ? and (at < ? or series < ?)${sql} order by at desc, series desc limit ?`,
      part.from,
      at,
      at,
      series,
      ...values,
      size,
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows
    at = last.at
    series = last.series
  }
}
