import type { ClickHouse } from '../../clickhouse/client.ts'
import { UNMERGED } from '../../clickhouse/conditions.ts'
import { DAY, planOf, unitOf, unsummed } from '../../clickhouse/hours.ts'
import {
  type FailureCounts,
  isCallOf,
  type Span,
  type TrunkCounts,
  type TrunkFilter,
  type TrunkGrouping,
} from '../store.ts'
import { failureCounts, noTrunkCounts } from '../sums.ts'
import { ALL, CALL, type Counted, countedOf, SUMMED, SUMS, sumsOf } from './sums.ts'

type TrunkRow = Counted & {
  service_provider_sid: string
  account_sid: string
  at: number
  trunk: string
  direction: string
  status: string
}

/** Sums of calls with these carriers by owner. `kind` must have the carrier's name in its key. */
async function ofTrunks(
  db: ClickHouse,
  trunks: readonly TrunkFilter[],
  span: Span,
  { kind, at }: { kind: 'trunk' | 'trunk_status'; at: string },
): Promise<(row: TrunkFilter) => Generator<[row: TrunkRow, sign: 1 | -1]>> {
  const plan = await planOf(db, 'calls', span)
  const names = [...new Set(trunks.map(({ trunk }) => trunk))]
  const [accounts, providers] = [new Set<string>(), new Set<string>()]
  for (const { account_sid, service_provider_sid, except } of trunks) {
    if (account_sid !== undefined) accounts.add(account_sid)
    else providers.add(service_provider_sid ?? ALL)
    for (const sid of except?.account_sids ?? []) accounts.add(sid)
    for (const sid of except?.service_provider_sids ?? []) providers.add(sid)
  }
  const isFailures = kind === 'trunk_status'
  const trunkOf = isFailures ? `splitByChar('\\n', key)[1]` : 'key'
  const statusOf = isFailures ? `splitByChar('\\n', key)[2]` : `''`
  const by = 'service_provider_sid, account_sid, direction, at, trunk, status, answered'
  const ofSums = sumsOf(plan, [kind])
  ofSums.sql.push(
    `${trunkOf} IN ${ofSums.bind('Array(String)', names)}`,
    `((account_sid = '${ALL}' AND service_provider_sid IN ${ofSums.bind('Array(String)', [...providers])})
      OR (service_provider_sid != '${ALL}' AND account_sid IN ${ofSums.bind('Array(String)', [...accounts])}))`,
  )
  const ofCalls = unsummed(plan)
  ofCalls.sql.push(`trunk IN ${ofCalls.bind('Array(String)', names)}`)
  if (isFailures) ofCalls.sql.push(`answered = 'false'`)
  const [sums, calls] = await Promise.all([
    plan.hours.first < plan.hours.end
      ? db.rows<TrunkRow>(
          `SELECT service_provider_sid, account_sid, direction, ${at} AS at, ${trunkOf} AS trunk, ${statusOf} AS status, answered, ${SUMMED}
           FROM call_sums ${ofSums.where()} GROUP BY ${by} ${UNMERGED}`,
          ofSums.params,
        )
      : [],
    plan.raw.length > 0
      ? db.rows<TrunkRow>(
          `SELECT service_provider_sid, account_sid, direction, ${at} AS at, call_trunk AS trunk, ${isFailures ? 'status' : `'' AS status`}, answered, ${SUMS}
           FROM (SELECT ${CALL} FROM calls ${ofCalls.where()}) GROUP BY ${by}`,
          ofCalls.params,
        )
      : [],
  ])
  return function* (trunk) {
    for (const row of calls) if (isCallOf(trunk, row)) yield [row, 1]
    const { direction, except, account_sid, service_provider_sid } = trunk
    for (const row of sums) {
      if (row.trunk !== trunk.trunk || (direction && row.direction !== direction)) continue
      const isAccount = row.account_sid !== ALL
      if (account_sid !== undefined) {
        if (isAccount && isCallOf(trunk, row)) yield [row, 1]
        continue
      }
      if (!isAccount && row.service_provider_sid === (service_provider_sid ?? ALL)) yield [row, 1]
      // calls of others with a carrier of the same name
      const isExcepted = except?.service_provider_sids.includes(row.service_provider_sid)
      const isOwn =
        service_provider_sid === undefined || row.service_provider_sid === service_provider_sid
      if (!isOwn || row.service_provider_sid === ALL) continue
      if (!isAccount && isExcepted) yield [row, -1]
      if (isAccount && !isExcepted && except?.account_sids.includes(row.account_sid))
        yield [row, -1]
    }
  }
}

export async function trunks(
  db: ClickHouse,
  wanted: readonly TrunkFilter[],
  span: Span,
  by: TrunkGrouping,
): Promise<TrunkCounts[][]> {
  if (wanted.length === 0) return []
  const timed = by.unit === 'hour' && by.answer_times
  const at = by.unit === 'hour' ? 'toUnixTimestamp(hour)' : unitOf('hour', DAY)
  const rowsOf = await ofTrunks(db, wanted, span, { kind: 'trunk', at })
  return wanted.map((trunk) => {
    const found = new Map<number, TrunkCounts>()
    for (const [row, sign] of rowsOf(trunk)) {
      const ms = row.at * 1_000
      const counts = found.get(ms) ?? noTrunkCounts(ms)
      found.set(ms, counts)
      const { answered, calls, seconds } = countedOf(row)
      counts.calls += sign * calls
      if (answered === false) counts.not_answered += sign * calls
      if (!answered) continue
      counts.answered += sign * calls
      counts.seconds += sign * seconds
      if (!timed) continue
      counts.timed += sign * Number(row.waits)
      counts.answer_ms += sign * row.wait_ms
    }
    return [...found.values()].filter(({ calls }) => calls > 0)
  })
}

export async function trunkFailures(
  db: ClickHouse,
  trunk: TrunkFilter,
  span: Span,
): Promise<FailureCounts> {
  const rowsOf = await ofTrunks(db, [trunk], span, { kind: 'trunk_status', at: '0' })
  const found = new Map<number | null, number>()
  for (const [{ status, calls }, sign] of rowsOf(trunk)) {
    const key = status === '' ? null : Number(status)
    found.set(key, (found.get(key) ?? 0) + sign * Number(calls))
  }
  for (const [key, calls] of found) if (calls === 0) found.delete(key)
  return failureCounts(found)
}
