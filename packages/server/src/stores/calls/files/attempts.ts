import type { attemptSums } from '../attempts.ts'
import type { WantedTags } from '../query.ts'
import { tag } from '../tags.ts'
import { DAY_MS } from '../times.ts'
import type { Day, Part } from './day.ts'
import { answeredOf } from './shapes.ts'

type Row = {
  at: number
  series: number
  application: number
  to: string | null
  answered_at: number | null
  terminated_at: number | null
}

/** Adds the calls of a part of a day, which is read call by call. */
export function addAttempts(
  day: Day,
  tags: WantedTags,
  part: Part,
  sums: ReturnType<typeof attemptSums>,
) {
  const series = day.having('cdrs', 'cdrs', tags)
  if (series?.length === 0) return
  const rows = day.shard.all<Row>(
    `select at, series, application, "to", answered_at, terminated_at from calls indexed by calls_at
      where at >= ? and at < ? ${series ? 'and series in (select value from json_each(?))' : ''}`,
    part.from,
    part.to,
    ...(series ? [JSON.stringify(series)] : []),
  )
  for (const { at, series: id, application, to, answered_at, terminated_at } of rows) {
    const { tags } = day.seriesOf(id)
    sums.add({
      at: day.shard.day * DAY_MS + Math.floor(at / 1e6),
      account_sid: tag(tags, 'account_sid'),
      trunk: tag(tags, 'trunk'),
      application_sid: application === 0 ? null : day.word(application),
      direction: tag(tags, 'direction'),
      to,
      answered: answeredOf(tags),
      answered_at,
      terminated_at,
    })
  }
}
