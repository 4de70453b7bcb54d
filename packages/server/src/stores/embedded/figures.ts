import type { CallFigures, Tally } from '@switchroom/contract'
import type { Span } from '../calls.ts'
import type { Day, Part } from './day.ts'
import { answeredOf } from './shapes.ts'
import { DAY_MS, HOUR_NS, WHOLE_DAY } from './shard.ts'

/** Longer spans are told by day. */
const HOURLY_UP_TO = 3 * DAY_MS
const HOUR_MS = 3_600_000

export type Sums = {
  /** By the hour's beginning, in milliseconds. */
  hours: Map<number, Tally>
  failures: Map<number | null, number>
  trunks: Map<string | null, Tally>
  applications: Map<string | null, Tally>
}

export const emptySums = (): Sums => ({
  hours: new Map(),
  failures: new Map(),
  trunks: new Map(),
  applications: new Map(),
})

export const noCalls = (): Tally => ({
  calls: 0,
  answered: 0,
  not_answered: 0,
  seconds: 0,
  timed: 0,
})

/** What was counted together: by whether it was answered, and how long. */
export type Counted = { answered: boolean | null; calls: number; seconds: number; timed: number }

export function add<K>(to: Map<K, Tally>, key: K, counted: Counted) {
  let tally = to.get(key)
  if (!tally) to.set(key, (tally = noCalls()))
  tally.calls += counted.calls
  if (counted.answered === false) tally.not_answered += counted.calls
  if (!counted.answered) return
  tally.answered += counted.calls
  tally.seconds += counted.seconds
  tally.timed += counted.timed
}

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

function addTally(to: Tally, from: Tally) {
  for (const name of Object.keys(from) as (keyof Tally)[]) to[name] += from[name]
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

const most = (a: { calls: number }, b: { calls: number }) => b.calls - a.calls

export function figuresOf(sums: Sums, span: Span): CallFigures {
  const total = noCalls()
  const hours: number[] = Array(168).fill(0)
  const times = new Map<number, Tally>()
  const unit = span.to - span.from <= HOURLY_UP_TO ? HOUR_MS : DAY_MS
  for (const [ms, tally] of sums.hours) {
    const time = Math.floor(ms / unit) * unit
    let slot = times.get(time)
    if (!slot) times.set(time, (slot = noCalls()))
    addTally(slot, tally)
    addTally(total, tally)
    const date = new Date(ms)
    hours[((date.getUTCDay() + 6) % 7) * 24 + date.getUTCHours()]! += tally.calls
  }
  return {
    ...total,
    times: [...times]
      .sort(([a], [b]) => a - b)
      .map(([ms, tally]) => ({ time: new Date(ms).toISOString(), ...tally })),
    hours,
    failures: [...sums.failures].map(([sip_status, calls]) => ({ sip_status, calls })).sort(most),
    trunks: [...sums.trunks].map(([trunk, tally]) => ({ trunk, ...tally })).sort(most),
    applications: [...sums.applications]
      .map(([application_sid, tally]) => ({ application_sid, ...tally }))
      .sort(most),
  }
}
