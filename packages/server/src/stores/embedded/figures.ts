import type { Tally } from '@switchroom/contract'
import { add, addTally, type Counted, emptySums, HOUR_MS, type Sums } from '../sums.ts'
import type { Day, Part } from './day.ts'
import { answeredOf } from './shapes.ts'
import { DAY_MS, HOUR_NS, WHOLE_DAY } from './shard.ts'

/** A line of the counts: of an hour, or of one series, application and status. */
type Cell = Omit<Counted, 'answered'> & { series: number; hour: number; application: number; sip_status: number }

/** Adds a day, or a part of one. What a whole day comes to is remembered. */
export function addUp(day: Day, tags: Record<string, string>, part: Part, sums: Sums) {
  const series = day.having('cdrs', 'cdrs', tags)
  if (series?.length === 0) return
  if (day.whole(part)) {
    const key = `figures ${JSON.stringify(tags)}`
    merge(
      day.memo(key, () => {
        const own = emptySums()
        addWhole(day, series, own)
        return own
      }),
      sums,
    )
  } else addPart(day, series, part, sums)
}

const mine = (series: number[] | undefined) =>
  series ? 'and series in (select value from json_each(?))' : ''

function cells(day: Day, series: number[] | undefined, sql: string, ...values: number[]): Cell[] {
  const more = series ? [JSON.stringify(series)] : []
  return day.shard.all(sql, ...values, ...more) as unknown as Cell[]
}

function addWhole(day: Day, series: number[] | undefined, sums: Sums) {
  const which = `calls > 0 ${mine(series)}`
  const hours = cells(day, series, `select * from hours where ${which}`)
  const cube = cells(day, series, `select * from cube where bucket = ${WHOLE_DAY} and ${which}`)
  addHours(day, hours, sums)
  addParts(day, cube, sums)
}

/** Its full hours from the counts, what is cut off at either end from the calls themselves. */
function addPart(day: Day, series: number[] | undefined, { from, to }: Part, sums: Sums) {
  const first = Math.min(Math.ceil(from / HOUR_NS), Math.ceil(to / HOUR_NS))
  const end = Math.max(first, Math.floor(to / HOUR_NS))
  const hours = `select * from hours where hour >= ? and hour < ? and calls > 0 ${mine(series)}`
  addHours(day, cells(day, series, hours, first, end), sums)
  const cube = `select series, application, sip_status, sum(calls) as calls, sum(seconds) as seconds,
    sum(timed) as timed from cube where bucket >= ? and bucket < ? ${mine(series)} group by 1, 2, 3`
  addParts(day, cells(day, series, cube, first, end), sums)
  const raw = `select hour, series, application, coalesce(sip_status, -1) as sip_status,
    count(*) as calls, coalesce(sum(duration), 0) as seconds, count(duration) as timed
    from calls where at >= ? and at < ? ${mine(series)} group by 1, 2, 3, 4`
  const ends = [
    [from, Math.min(to, first * HOUR_NS)],
    [end * HOUR_NS, to],
  ] as const
  for (const [a, b] of ends) {
    if (a >= b) continue
    const rest = cells(day, series, raw, a, b)
    addHours(day, rest, sums)
    addParts(day, rest, sums)
  }
}

function merge(from: Sums, to: Sums) {
  for (const name of ['hours', 'trunks', 'applications'] as const)
    for (const [key, tally] of from[name] as Map<never, Tally>) {
      const kept = (to[name] as Map<never, Tally>).get(key)
      if (kept) addTally(kept, tally)
      else (to[name] as Map<never, Tally>).set(key, { ...tally })
    }
  for (const [status, calls] of from.failures)
    to.failures.set(status, (to.failures.get(status) ?? 0) + calls)
}

function addHours(day: Day, cells: Cell[], sums: Sums) {
  for (const cell of cells)
    add(sums.hours, day.shard.day * DAY_MS + cell.hour * HOUR_MS, {
      ...cell,
      answered: answeredOf(day.seriesOf(cell.series).tags),
    })
}

function addParts(day: Day, cells: Cell[], sums: Sums) {
  const trunks = new Map<number, string | null>()
  const byTrunk = new Map<number, Counted>()
  const byApplication = new Map<string, Counted>()
  const put = <K>(to: Map<K, Counted>, key: K, cell: Counted) => {
    const kept = to.get(key)
    if (!kept) to.set(key, { ...cell })
    else {
      kept.calls += cell.calls
      kept.seconds += cell.seconds
      kept.timed += cell.timed
    }
  }
  for (const { series, application, sip_status, calls, seconds, timed } of cells) {
    const { tags } = day.seriesOf(series)
    const answered = answeredOf(tags)
    const counted = { answered, calls, seconds, timed }
    trunks.set(series, tags.trunk === undefined || tags.trunk === 'undefined' ? null : tags.trunk)
    put(byTrunk, series, counted)
    put(byApplication, `${application} ${answered}`, counted)
    if (answered !== false) continue
    const status = sip_status < 0 ? null : sip_status
    sums.failures.set(status, (sums.failures.get(status) ?? 0) + calls)
  }
  for (const [series, counted] of byTrunk) add(sums.trunks, trunks.get(series)!, counted)
  for (const [key, counted] of byApplication) {
    const id = Number(key.split(' ')[0])
    const sid = id === 0 ? null : (day.shard.get('select text from words where id = ?', id)!.text as string)
    add(sums.applications, sid, counted)
  }
}
