import type { CallCounts } from '@switchroom/contract'
import type { WantedTags } from '../query.ts'
import { add, addTally, addWaits, type Counted, emptySums, type Sums } from '../sums.ts'
import { tag } from '../tags.ts'
import { DAY_MS, DAY_NS, HOUR_NS, QUARTER_NS } from '../times.ts'
import type { Day, Part } from './day.ts'
import { answeredOf } from './shapes.ts'
import { ANSWER_MS, MAX_ANSWER_MS, WHOLE_DAY } from './shard.ts'

/** Adds a day or a part of it, by hours or quarters of an hour (`unit`). The figures of whole days are cached. */
export function addUp(day: Day, tags: WantedTags, part: Part, unit: number, sums: Sums) {
  const series = day.having('cdrs', 'cdrs', tags)
  if (series?.length === 0) return
  const owners = series && [...new Set(series.map((id) => day.owner(id)))]
  if (day.whole(part)) {
    const sumDay = () => {
      const own = emptySums()
      addTimesOf(day, owners, { from: 0, to: DAY_NS }, unit, own)
      addCube(day, series, WHOLE_DAY, WHOLE_DAY + 1, own)
      return own
    }
    merge(day.memo(`figures ${unit} ${JSON.stringify(tags)}`, sumDay), sums)
  } else addPart(day, series, owners, part, unit, sums)
}

const inList = (ids: number[] | undefined, name: string) =>
  ids ? `and ${name} in (select value from json_each(?))` : ''
const list = (ids: number[] | undefined) => (ids ? [JSON.stringify(ids)] : [])
const COUNTED = 'sum(calls), sum(seconds), sum(timed)'

/** Adds calls by time, of a part in full hours. A file that nothing has upgraded yet has hours only. */
function addTimesOf(
  day: Day,
  owners: number[] | undefined,
  { from, to }: Part,
  unit: number,
  sums: Sums,
) {
  const [table, column, own] = day.shard.hasQuarters()
    ? ['quarters', 'quarter', QUARTER_NS]
    : ['hours', 'hour', HOUR_NS]
  const ns = Math.max(own, unit * 1e6)
  const rows = day.shard.tuples<Cell>(
    `select ${column} / ${ns / own} as time, owner, ${COUNTED} from ${table}
      where ${column} >= ? and ${column} < ? and calls > 0 ${inList(owners, 'owner')} group by time, owner`,
    from / own,
    to / own,
    ...list(owners),
  )
  for (const [time, owner, calls, seconds, timed] of rows) {
    const parsed: unknown = JSON.parse(day.word(owner))
    const answered: unknown = Array.isArray(parsed) ? parsed[3] : undefined
    add(sums.hours, timeOf(day, time, ns), counted(outcome(answered), calls, seconds, timed))
  }
}

/** Uses the counts for full hours, and single calls for the rest at both ends. */
function addPart(
  day: Day,
  series: number[] | undefined,
  owners: number[] | undefined,
  { from, to }: Part,
  unit: number,
  sums: Sums,
) {
  const first = Math.min(Math.ceil(from / HOUR_NS), Math.ceil(to / HOUR_NS))
  const end = Math.max(first, Math.floor(to / HOUR_NS))
  addTimesOf(day, owners, { from: first * HOUR_NS, to: end * HOUR_NS }, unit, sums)
  addCube(day, series, first, end, sums)
  const ends = [
    [from, Math.min(to, first * HOUR_NS)],
    [end * HOUR_NS, to],
  ] as const
  for (const [a, b] of ends) if (a < b) addRaw(day, series, { from: a, to: b }, unit, sums)
}

function addCube(day: Day, series: number[] | undefined, from: number, to: number, sums: Sums) {
  const where = `from cube where bucket >= ? and bucket < ? and calls > 0 ${inList(series, 'series')}`
  addParts(
    day,
    day.shard.tuples<Cell>(
      `select series, application, ${COUNTED} ${where} group by series, application`,
      from,
      to,
      ...list(series),
    ),
    sums,
  )
  if (day.shard.hasAnswerTimes())
    addTimes(
      day,
      day.shard.tuples<Times>(
        `select series, sum(answers), sum(answer_ms) ${where} group by series having sum(answers) > 0`,
        from,
        to,
        ...list(series),
      ),
      sums,
    )
  const failed = (series ?? day.series().map((s) => s.id)).filter(
    (id) => answeredOf(day.seriesOf(id).tags) === false,
  )
  const statuses = `select sip_status, sum(calls) from cube
    where bucket >= ? and bucket < ? and calls > 0 ${inList(failed, 'series')} group by sip_status`
  for (const [status, calls] of day.shard.tuples<[status: number, calls: number]>(
    statuses,
    from,
    to,
    ...list(failed),
  ))
    addFailure(sums, status, calls)
}

function addRaw(
  day: Day,
  series: number[] | undefined,
  { from, to }: Part,
  unit: number,
  sums: Sums,
) {
  const rows = day.shard.tuples<
    [
      time: number,
      series: number,
      application: number,
      status: number,
      calls: number,
      seconds: number,
      timed: number,
    ]
  >(
    `select at / ${unit * 1e6}, series, application, coalesce(sip_status, -1), count(*), coalesce(sum(duration), 0),
      count(duration) from calls where at >= ? and at < ? ${inList(series, 'series')} group by 1, 2, 3, 4`,
    from,
    to,
    ...list(series),
  )
  for (const [time, id, , status, calls, seconds, timed] of rows) {
    const answered = answeredOf(day.seriesOf(id).tags)
    add(sums.hours, timeOf(day, time, unit * 1e6), counted(answered, calls, seconds, timed))
    if (answered === false) addFailure(sums, status, calls)
  }
  addParts(
    day,
    rows.map(([, id, application, , ...rest]) => [id, application, ...rest]),
    sums,
  )
  const wait = ANSWER_MS(day.shard.day)
  const times = `select series, count(*), sum(${wait}) from calls indexed by calls_at
    where at >= ? and at < ? and ${wait} between 0 and ${MAX_ANSWER_MS} ${inList(series, 'series')} group by series`
  addTimes(day, day.shard.tuples<Times>(times, from, to, ...list(series)), sums)
}

type Times = [series: number, known: number, ms: number]

function addTimes(day: Day, rows: Times[], sums: Sums) {
  for (const [id, known, ms] of rows) {
    const { tags } = day.seriesOf(id)
    if (answeredOf(tags)) addWaits(sums.waits, tag(tags, 'trunk'), { known, ms })
  }
}

function merge(from: Sums, to: Sums) {
  mergeTallies(from.hours, to.hours)
  mergeTallies(from.trunks, to.trunks)
  mergeTallies(from.applications, to.applications)
  mergeTallies(from.accounts, to.accounts)
  for (const [trunk, waits] of from.waits) addWaits(to.waits, trunk, waits)
  for (const [status, calls] of from.failures)
    to.failures.set(status, (to.failures.get(status) ?? 0) + calls)
}

function mergeTallies<K>(from: Map<K, CallCounts>, to: Map<K, CallCounts>) {
  for (const [key, tally] of from) {
    const kept = to.get(key)
    if (kept) addTally(kept, tally)
    else to.set(key, { ...tally })
  }
}

/** The beginning of a unit of a day, in milliseconds since 1970. */
const timeOf = (day: Day, n: number, ns: number) => day.shard.day * DAY_MS + (n * ns) / 1e6
const counted = (
  answered: boolean | null,
  calls: number,
  seconds: number,
  timed: number,
): Counted => ({
  answered,
  calls,
  seconds,
  timed,
})

function addFailure(sums: Sums, status: number, calls: number) {
  const sipStatus = status < 0 ? null : status
  sums.failures.set(sipStatus, (sums.failures.get(sipStatus) ?? 0) + calls)
}

/** Counters per time and owner, or per series and application. */
type Cell = [of: number, and: number, calls: number, seconds: number, timed: number]

const outcome = (answered: unknown) => answeredOf(typeof answered === 'string' ? { answered } : {})

/** Per series and application. */
function addParts(day: Day, cells: Cell[], sums: Sums) {
  for (const [id, application, calls, seconds, timed] of cells) {
    const { tags } = day.seriesOf(id)
    const one = counted(answeredOf(tags), calls, seconds, timed)
    add(sums.trunks, tag(tags, 'trunk'), one)
    add(sums.accounts, tag(tags, 'account_sid'), one)
    add(sums.applications, application === 0 ? null : day.word(application), one)
  }
}
