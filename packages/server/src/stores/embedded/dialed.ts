import type { DialedNumber } from '../calls.ts'
import type { Day, Part, Want } from './day.ts'
import { HOUR_NS } from './shard.ts'
import { tag } from './tags.ts'

export type DialedSums = Map<string, DialedNumber>

/** The hours of a part of a day, newest first. */
export function* hoursOf({ from, to }: Part): Generator<Part> {
  for (let end = to; end > from; ) {
    const begin = Math.max(from, Math.floor((end - 1) / HOUR_NS) * HOUR_NS)
    yield { from: begin, to: end }
    end = begin
  }
}

/** Adds the newest calls of a part by series and number. Returns how many there were, at most `limit`. */
export function dialedIn(day: Day, want: Want, part: Part, limit: number, sums: DialedSums) {
  const series = day.having('cdrs', 'cdrs', want.tags)
  if (!series || series.length === 0) return 0
  const rows = day.shard.all<{ series: number; to: string | null; calls: number }>(
    `select series, "to", count(*) as calls from (
      select series, "to" from calls indexed by calls_at
      where at >= ? and at < ? and series in (select value from json_each(?)) order by at desc limit ?)
    group by 1, 2`,
    part.from,
    part.to,
    JSON.stringify(series),
    limit,
  )
  let all = 0
  for (const { series: id, to, calls } of rows) {
    all += calls
    if (!to) continue
    const { tags } = day.seriesOf(id)
    const [account_sid, trunk] = [tag(tags, 'account_sid'), tag(tags, 'trunk')]
    const key = JSON.stringify([account_sid, trunk, to])
    const sum = sums.get(key)
    if (sum) sum.calls += calls
    else sums.set(key, { account_sid, to, trunk, calls })
  }
  return all
}
