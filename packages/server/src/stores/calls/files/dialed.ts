import type { CallQuery } from '../query.ts'
import type { DialedSums } from '../store.ts'
import { tag } from '../tags.ts'
import { HOUR_NS } from '../times.ts'
import type { Day, Part } from './day.ts'

/** The hours of a part of a day, newest first. */
export function* hoursOf({ from, to }: Part): Generator<Part> {
  for (let end = to; end > from; ) {
    const begin = Math.max(from, Math.floor((end - 1) / HOUR_NS) * HOUR_NS)
    yield { from: begin, to: end }
    end = begin
  }
}

/** Adds the newest calls of a part by series and numbers. Returns how many there were, at most `limit`. */
export function dialedIn(day: Day, want: CallQuery, part: Part, limit: number, sums: DialedSums) {
  const series = day.having('cdrs', 'cdrs', want.tags)
  if (!series || series.length === 0) return 0
  const rows = day.shard.all<{
    series: number
    from: string | null
    to: string | null
    parent: string | null
    calls: number
  }>(
    `select series, "from", "to", max(sip_parent_callid) as parent, count(*) as calls from (
      select series, "from", "to", sip_parent_callid from calls indexed by calls_at
      where at >= ? and at < ? and series in (select value from json_each(?)) order by at desc limit ?)
    group by 1, 2, 3, sip_parent_callid is null`,
    part.from,
    part.to,
    JSON.stringify(series),
    limit,
  )
  let all = 0
  for (const { series: id, to, ...row } of rows) {
    all += row.calls
    if (!to) continue
    const { tags } = day.seriesOf(id)
    const { from, parent, calls } = row
    sums.add({
      account_sid: tag(tags, 'account_sid'),
      from: from || null,
      to,
      trunk: tag(tags, 'trunk'),
      parent: parent || null,
      calls,
    })
  }
  return all
}
