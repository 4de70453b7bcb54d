import {
  type FailureCounts,
  isCallOf,
  type Owner,
  type Span,
  type TrunkCounts,
  type TrunkFilter,
  type TrunkGrouping,
} from '../store.ts'
import { failureCounts, HOUR_MS, noTrunkCounts } from '../sums.ts'
import {
  type Conditions,
  conditions,
  type Influx,
  numberIn,
  type Result,
  timeOf,
} from './influx.ts'

/** The most owners per request. */
const TOGETHER = 25
/** Calls per carrier and hour whose time to answer is read. InfluxQL cannot subtract times, so they are summed here. */
const SAMPLE = 25
/** Longer times to answer are errors of a clock. */
const MAX_ANSWER_MS = HOUR_MS

type Group = {
  owner: Owner
  names: Set<string>
  /** The tags that tell the carriers' calls apart. */
  tags: Set<'account_sid' | 'service_provider_sid' | 'direction'>
}

/** The calls of carriers, with a statement per owner. */
export async function trunks(
  db: Influx,
  wanted: readonly TrunkFilter[],
  span: Span,
  by: TrunkGrouping,
): Promise<TrunkCounts[][]> {
  const found = wanted.map(() => new Map<number, TrunkCounts>())
  const groups = groupsOf(wanted)
  for (let i = 0; i < groups.length; i += TOGETHER)
    await addGroups(db, groups.slice(i, i + TOGETHER), wanted, span, by, found)
  return found.map((counts) => [...counts.values()])
}

const keyOf = ({ account_sid, service_provider_sid }: Owner) =>
  JSON.stringify([account_sid, service_provider_sid])

function groupsOf(wanted: readonly TrunkFilter[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { trunk, direction, except, ...owner } of wanted) {
    const group: Group = groups.get(keyOf(owner)) ?? { owner, names: new Set(), tags: new Set() }
    groups.set(keyOf(owner), group)
    group.names.add(trunk)
    if (direction) group.tags.add('direction')
    if ([except?.account_sids, except?.service_provider_sids].some((s) => s?.length))
      group.tags.add('account_sid').add('service_provider_sid')
  }
  return [...groups.values()]
}

async function addGroups(
  db: Influx,
  groups: Group[],
  wanted: readonly TrunkFilter[],
  span: Span,
  by: TrunkGrouping,
  found: Map<number, TrunkCounts>[],
) {
  const { unit } = by
  const timed = unit === 'hour' && by.answer_times
  const values: Conditions['values'] = {}
  const statements = groups.flatMap(({ owner, names, tags }) => {
    const clause = conditions(span, values)
    clause.equals('service_provider_sid', owner.service_provider_sid)
    clause.equals('account_sid', owner.account_sid)
    clause.oneOf('trunk', names)
    const by = ['trunk', ...tags].join(', ')
    const time = unit === 'hour' ? '1h' : '1d'
    const where = clause.where()
    const counted = `SELECT COUNT(sip_callid) AS calls, SUM("duration") AS seconds FROM cdrs ${where}
      GROUP BY time(${time}), ${by}, answered fill(none)`
    // unlike other functions, SAMPLE keeps the time of each point
    const sampled = `SELECT SAMPLE(answered_at, ${SAMPLE}) AS answered_at FROM cdrs ${where}
      AND answered = 'true' GROUP BY time(${time}), ${by} fill(none)`
    return timed ? [counted, sampled] : [counted]
  })
  const results = await db.query('cdrs', statements, values)
  const perGroup = timed ? 2 : 1
  for (const [i, { owner }] of groups.entries()) {
    const carriers = [...wanted.entries()].filter(([, w]) => keyOf(ownerOf(w)) === keyOf(owner))
    const matching = (tags: Record<string, string>) =>
      carriers
        .filter(([, w]) => isCallOf(w, { ...owner, ...tags }))
        .map(([carrier]) => found[carrier]!)
    const at = (counts: Map<number, TrunkCounts>, ms: number) => {
      const start = Math.floor(ms / STEP[unit]) * STEP[unit]
      const one = counts.get(start) ?? noTrunkCounts(start)
      counts.set(start, one)
      return one
    }
    for (const { tags, rows } of results[i * perGroup] ?? [])
      for (const counts of matching(tags))
        for (const row of rows) {
          const calls = numberIn(row.calls) ?? 0
          if (calls === 0) continue
          const one = at(counts, Date.parse(timeOf(row)))
          one.calls += calls
          if (tags.answered === 'true') {
            one.answered += calls
            one.seconds += numberIn(row.seconds) ?? 0
          }
          if (tags.answered === 'false') one.not_answered += calls
        }
    if (!timed) continue
    for (const { tags, rows } of results[i * perGroup + 1] ?? [])
      for (const counts of matching(tags))
        for (const row of rows) {
          const attempted = Date.parse(timeOf(row))
          const ms = (numberIn(row.answered_at) ?? Number.NaN) - attempted
          if (!(ms >= 0 && ms <= MAX_ANSWER_MS)) continue
          const one = at(counts, attempted)
          one.timed++
          one.answer_ms += ms
        }
  }
}

/** Statuses per request. */
const STATUSES = 50

/** The unanswered calls of a carrier by SIP status, which is no tag: a statement per status. */
export async function trunkFailures(
  db: Influx,
  wanted: TrunkFilter,
  span: Span,
): Promise<FailureCounts> {
  const owner = ownerOf(wanted)
  const clause = conditions(span)
  clause.equals('service_provider_sid', owner.service_provider_sid)
  clause.equals('account_sid', owner.account_sid)
  clause.equals('trunk', wanted.trunk)
  clause.equals('direction', wanted.direction)
  clause.equals('answered', 'false')
  const where = clause.where()
  const count = 'SELECT COUNT(sip_callid) AS calls FROM cdrs'
  const owners = 'GROUP BY account_sid, service_provider_sid'
  const callsIn = (result: Result | undefined) => {
    let sum = 0
    for (const { tags, rows } of result ?? [])
      if (isCallOf(wanted, { ...wanted, ...tags })) sum += numberIn(rows[0]?.calls) ?? 0
    return sum
  }
  const [distinct, all] = await db.query(
    'cdrs',
    [`SELECT DISTINCT(sip_status) AS value FROM cdrs ${where}`, `${count} ${where} ${owners}`],
    clause.values,
  )
  const statuses = (distinct?.[0]?.rows ?? []).flatMap((row) => numberIn(row.value) ?? [])
  const sums = new Map<number | null, number>()
  let unknown = callsIn(all)
  for (let i = 0; i < statuses.length; i += STATUSES) {
    const some = statuses.slice(i, i + STATUSES)
    const bound = Object.fromEntries(some.map((status, n) => [`s${n}`, status]))
    const results = await db.query(
      'cdrs',
      some.map((_, n) => `${count} ${where} AND sip_status = $s${n} ${owners}`),
      { ...clause.values, ...bound },
    )
    for (const [n, status] of some.entries()) {
      const calls = callsIn(results[n])
      if (calls > 0) sums.set(status, calls)
      unknown -= calls
    }
  }
  if (unknown > 0) sums.set(null, unknown)
  return failureCounts(sums)
}

const STEP = { hour: HOUR_MS, day: 24 * HOUR_MS }

const ownerOf = ({ account_sid, service_provider_sid }: TrunkFilter): Owner => ({
  ...(account_sid !== undefined && { account_sid }),
  ...(service_provider_sid !== undefined && { service_provider_sid }),
})
