import { isCallOf, type TrunkCounts, type TrunkFilter, type TrunkGrouping } from '../store.ts'
import { HOUR_MS, noTrunkCounts } from '../sums.ts'
import { DAY_MS, HOUR_NS } from '../times.ts'
import type { Day, Part } from './day.ts'
import { answeredOf } from './shapes.ts'
import { WHOLE_DAY } from './shard.ts'

type Cell = [
  bucket: number,
  series: number,
  calls: number,
  seconds: number,
  answers: number,
  answer_ms: number,
]

/** The calls of carriers on a day, from its counters: the cost does not grow with the calls. */
export function countTrunks(
  day: Day,
  trunks: readonly TrunkFilter[],
  part: Part,
  by: TrunkGrouping,
): TrunkCounts[][] {
  const found = trunks.map(() => new Map<number, TrunkCounts>())
  const carriersOf = carriersBySeries(day, trunks)
  const buckets = by.unit === 'day' ? [WHOLE_DAY] : hoursOf(part)
  const timed = by.unit === 'hour' && by.answer_times && day.shard.hasAnswerTimes()
  const times = timed ? 'sum(answers), sum(answer_ms)' : '0, 0'
  // both keys as lists, so that SQLite seeks each pair
  const cells = day.shard.tuples<Cell>(
    `select bucket, series, sum(calls), sum(seconds), ${times} from cube
      where bucket in (select value from json_each(?)) and series in (select value from json_each(?))
      group by bucket, series having sum(calls) > 0`,
    JSON.stringify(buckets),
    JSON.stringify([...carriersOf.keys()]),
  )
  for (const [bucket, series, calls, seconds, answers, answer_ms] of cells) {
    const at = day.shard.day * DAY_MS + (bucket === WHOLE_DAY ? 0 : bucket * HOUR_MS)
    const answered = answeredOf(day.seriesOf(series).tags)
    for (const carrier of carriersOf.get(series)!) {
      const counts = found[carrier]!.get(at) ?? noTrunkCounts(at)
      found[carrier]!.set(at, counts)
      counts.calls += calls
      if (answered === false) counts.not_answered += calls
      if (!answered) continue
      counts.answered += calls
      counts.seconds += seconds
      counts.timed += answers
      counts.answer_ms += answer_ms
    }
  }
  return found.map((counts) => [...counts.values()])
}

function hoursOf({ from, to }: Part) {
  const first = Math.ceil(from / HOUR_NS)
  return Array.from({ length: Math.ceil(to / HOUR_NS) - first }, (_, i) => first + i)
}

/** Adds a carrier's unanswered calls on a day, or a part of it in full hours. The cost does not grow with the calls. */
export function countFailures(
  day: Day,
  trunk: TrunkFilter,
  part: Part,
  sums: Map<number | null, number>,
) {
  const failed = [...carriersBySeries(day, [trunk]).keys()].filter(
    (id) => answeredOf(day.seriesOf(id).tags) === false,
  )
  const buckets = day.whole(part) ? [WHOLE_DAY] : hoursOf(part)
  const rows = day.shard.tuples<[status: number, calls: number]>(
    `select sip_status, sum(calls) from cube
      where bucket in (select value from json_each(?)) and series in (select value from json_each(?))
      group by sip_status having sum(calls) > 0`,
    JSON.stringify(buckets),
    JSON.stringify(failed),
  )
  for (const [stored, calls] of rows) {
    const status = stored < 0 ? null : stored
    sums.set(status, (sums.get(status) ?? 0) + calls)
  }
}

/** The indexes of the carriers whose calls a series has. */
function carriersBySeries(day: Day, trunks: readonly TrunkFilter[]) {
  const byName = Map.groupBy(trunks.entries(), ([, { trunk }]) => trunk)
  const found = new Map<number, number[]>()
  for (const series of day.series()) {
    if (series.database !== 'cdrs' || series.measurement !== 'cdrs') continue
    const named = byName.get(Object.hasOwn(series.tags, 'trunk') ? series.tags.trunk! : '')
    const matching = named?.filter(([, trunk]) => isCallOf(trunk, series.tags))
    if (matching?.length)
      found.set(
        series.id,
        matching.map(([i]) => i),
      )
  }
  return found
}
