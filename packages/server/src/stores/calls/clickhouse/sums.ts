import type { CallFigures } from '@switchroom/contract'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { type Conditions, NO_VALUE, UNMERGED } from '../../clickhouse/conditions.ts'
import {
  OF_HOUR,
  type Plan,
  planOf,
  SUMMING,
  summed,
  type Unit,
  unitOf,
  unsummed,
} from '../../clickhouse/hours.ts'
import type { Summing } from '../../clickhouse/keep-sums.ts'
import type { Count } from '../../clickhouse/pages.ts'
import type { Owner, Span } from '../store.ts'
import { add, addWaits, emptySums, figuresOf, QUARTER_MS, unitFor } from '../sums.ts'
import { outcomeOf, tagOf } from './row.ts'

/** Longer times to answer are errors of a clock. */
const MAX_WAIT_MS = 3_600_000
/** In place of a sid: all of them. */
export const ALL = '*'

/**
 * Dimensions that calls are summed by: every call counts once in each kind. `quarter` is that of the hour, for time zones
 * whose hours begin within those of UTC.
 */
export type Kind =
  | 'all'
  | 'quarter'
  | 'trunk'
  | 'application'
  | 'status'
  | 'account'
  | 'trunk_status'

/** Columns of a call for sums. */
export const CALL = `service_provider_sid, account_sid, direction, answered,
  toStartOfHour(toDateTime(at, 'UTC')) AS hour, intDiv(toMinute(toDateTime(at, 'UTC')), 15) AS quarter, trunk AS call_trunk, ifNull(application_sid, '') AS application,
  ifNull(toString(sip_status), '') AS status, duration,
  answered_at - toUnixTimestamp64Milli(at) AS wait`
const PARTS: Record<Kind, string> = {
  all: `('all', '')`,
  quarter: `('quarter', toString(quarter))`,
  trunk: `('trunk', toString(call_trunk))`,
  application: `('application', toString(application))`,
  status: `('status', status)`,
  account: `('account', toString(account_sid))`,
  trunk_status: `('trunk_status', concat(toString(call_trunk), '\\n', status))`,
}
const partsOf = (kinds: readonly Kind[]) =>
  `arrayJoin([${kinds.map((kind) => PARTS[kind]).join()}])`
export const SUMS = `count() AS calls, sum(ifNull(duration, 0)) AS seconds, count(duration) AS timed,
  countIf(ifNull(wait BETWEEN 0 AND ${MAX_WAIT_MS}, 0)) AS waits,
  sumIf(ifNull(wait, 0), ifNull(wait BETWEEN 0 AND ${MAX_WAIT_MS}, 0)) AS wait_ms`
const DIMENSIONS =
  'service_provider_sid, account_sid, direction, answered, hour, call_trunk, application, status'
/** Groups calls that differ only in time and duration into one row: far fewer rows are then summed by kind. */
function sumsOfCalls(where: string, kinds: readonly Kind[]) {
  const by = kinds.includes('quarter') ? `${DIMENSIONS}, quarter` : DIMENSIONS
  return `SELECT ${by}, ${SUMS} FROM (SELECT ${CALL} FROM calls ${where}) GROUP BY ${by}`
}
export const SUMMED = `sum(calls) AS calls, sum(seconds) AS seconds, sum(timed) AS timed, sum(waits) AS waits, sum(wait_ms) AS wait_ms`

export type Counted = {
  answered: string
  calls: string
  seconds: number
  timed: string
  waits: string
  wait_ms: number
}

const SUMMED_KINDS: Kind[] = [
  'all',
  'quarter',
  'trunk',
  'application',
  'status',
  'account',
  'trunk_status',
]
/** Sums the calls of an hour for every account, every provider, and all. */
const SUM_CALLS = `INSERT INTO call_sums
  SELECT level.1, level.2, part.1, hour, part.2, direction, answered, {gen:UInt64}, ${SUMMED}
  FROM (SELECT *, arrayJoin([(service_provider_sid, account_sid), (service_provider_sid, '${ALL}'), ('${ALL}', '${ALL}')]) AS level,
      ${partsOf(SUMMED_KINDS)} AS part
    FROM (${sumsOfCalls(`WHERE ${OF_HOUR}`, SUMMED_KINDS)}))
  WHERE NOT (part.1 = 'account' AND level.2 != '${ALL}') AND NOT (part.1 = 'trunk_status' AND answered != 'false')
  GROUP BY level, part, hour, direction, answered SETTINGS ${SUMMING}`

export const CALL_SUMS: Summing = {
  of: 'calls',
  name: 'Summing calls in ClickHouse',
  insert: SUM_CALLS,
  // sums of an earlier version
  lacking: `SELECT toUnixTimestamp(hour) AS at FROM call_sums
    WHERE service_provider_sid = '${ALL}' AND account_sid = '${ALL}' AND kind IN ('all', 'quarter')
      AND hour >= toDateTime({first:UInt32}, 'UTC') AND hour < toDateTime({end:UInt32}, 'UTC')
    GROUP BY hour HAVING maxIf(gen, kind = 'all') > maxIf(gen, kind = 'quarter') ORDER BY at DESC LIMIT 100`,
}

/** Conditions of `call_sums` for hours whose sums count. */
export function sumsOf(plan: Plan, kinds: readonly Kind[]): Conditions {
  const to = summed(plan)
  to.sql.push(`kind IN ${to.bind('Array(String)', kinds)}`)
  return to
}

/** The sums of an owner. */
function addLevel(to: Conditions, { service_provider_sid, account_sid }: Owner) {
  const is = (column: string, sid: string | undefined) =>
    to.sql.push(`${column} = ${to.bind('String', sid ?? ALL)}`)
  if (account_sid === undefined || service_provider_sid !== undefined)
    is('service_provider_sid', service_provider_sid)
  else to.sql.push(`service_provider_sid != '${ALL}'`)
  is('account_sid', account_sid)
}

export function addOwner(to: Conditions, owner: Owner) {
  for (const name of ['service_provider_sid', 'account_sid'] as const)
    if (owner[name] !== undefined) to.sql.push(`${name} = ${to.bind('String', owner[name])}`)
}

type FigureRow = Counted & { kind: Kind; at: number; key: string }

/** The dashboard's figures. */
export async function figures(
  db: ClickHouse,
  owner: Owner,
  span: Span,
  time_zone?: string,
): Promise<CallFigures> {
  const byQuarter = unitFor(span, time_zone) === QUARTER_MS
  const kinds: Kind[] = ['all', 'trunk', 'application', 'status', 'account']
  if (byQuarter) kinds.push('quarter')
  const plan = await planOf(db, 'calls', span)
  const ofSums = sumsOf(plan, kinds)
  addLevel(ofSums, owner)
  const ofCalls = unsummed(plan)
  addOwner(ofCalls, owner)
  const at = `if(kind IN ('all', 'quarter'), toUnixTimestamp(hour), 0) AS at`
  const by = `kind, ${at}, key, answered`
  const [sums, calls] = await Promise.all([
    plan.hours.first < plan.hours.end
      ? db.rows<FigureRow>(
          `SELECT ${by}, ${SUMMED} FROM call_sums ${ofSums.where()} GROUP BY kind, at, key, answered ${UNMERGED}`,
          ofSums.params,
        )
      : [],
    plan.raw.length > 0
      ? db.rows<FigureRow>(
          `SELECT part.1 AS kind, ${at}, part.2 AS key, answered, ${SUMMED}
           FROM (SELECT *, ${partsOf(kinds)} AS part FROM (${sumsOfCalls(ofCalls.where(), kinds)}))
           GROUP BY kind, at, key, answered`,
          ofCalls.params,
        )
      : [],
  ])
  const found = emptySums()
  const rows = [...sums, ...calls]
  // an hour that an earlier version summed counts as a whole until it is summed again
  const divided = new Set(rows.filter(({ kind }) => kind === 'quarter').map((row) => row.at))
  for (const { kind, at, key, ...row } of rows) {
    const counted = countedOf(row)
    if (kind === 'quarter') add(found.hours, at * 1_000 + Number(key) * QUARTER_MS, counted)
    else if (kind === 'all') {
      if (!divided.has(at)) add(found.hours, at * 1_000, counted)
      // an account's own sums are not kept by account
      if (owner.account_sid !== undefined) add(found.accounts, owner.account_sid, counted)
    } else if (kind === 'trunk') {
      add(found.trunks, tagOf(key), counted)
      const waits = { known: Number(row.waits), ms: row.wait_ms }
      if (counted.answered && waits.known > 0) addWaits(found.waits, tagOf(key), waits)
    } else if (kind === 'application') add(found.applications, key === '' ? null : key, counted)
    else if (kind === 'account' && owner.account_sid === undefined)
      add(found.accounts, tagOf(key), counted)
    else if (kind === 'status' && counted.answered === false) {
      const status = key === '' ? null : Number(key)
      found.failures.set(status, (found.failures.get(status) ?? 0) + counted.calls)
    }
  }
  return figuresOf(found, span, time_zone)
}

export const countedOf = ({ answered, calls, seconds, timed }: Counted) => ({
  answered: outcomeOf(answered),
  calls: Number(calls),
  seconds,
  timed: Number(timed),
})

/** A list's filters besides its owner, for lists whose totals the sums can tell. */
export type SummedFilter = {
  kind: Kind
  /** The keys of the kind; undefined for all. */
  keys: readonly string[] | undefined
  direction: readonly string[] | undefined
  answered: readonly string[] | undefined
}

/** Number of calls in each unit, newest first. `addFilter` adds the same conditions for calls. */
export async function countsBy(
  unit: Unit,
  db: ClickHouse,
  owner: Owner,
  span: Span,
  { kind, keys, direction, answered }: SummedFilter,
  addFilter: (to: Conditions) => void,
): Promise<Count[]> {
  const plan = await planOf(db, 'calls', span)
  const ofSums = sumsOf(plan, [kind])
  addLevel(ofSums, owner)
  for (const [column, values] of Object.entries({ key: keys, direction, answered }))
    if (values) ofSums.sql.push(`${column} IN ${ofSums.bind('Array(String)', values)}`)
  const ofCalls = unsummed(plan)
  addFilter(ofCalls)
  type Row = { unit: number; calls: string }
  const [sums, calls] = await Promise.all([
    plan.hours.first < plan.hours.end
      ? db.rows<Row>(
          `SELECT ${unitOf('hour', unit)} AS unit, sum(calls) AS calls FROM call_sums ${ofSums.where()} GROUP BY unit ${UNMERGED}`,
          ofSums.params,
        )
      : [],
    plan.raw.length > 0
      ? db.rows<Row>(
          `SELECT ${unitOf("toDateTime(at, 'UTC')", unit)} AS unit, count() AS calls FROM calls ${ofCalls.where()} GROUP BY unit`,
          ofCalls.params,
        )
      : [],
  ])
  const found = new Map<number, number>()
  for (const row of [...sums, ...calls])
    found.set(row.unit, (found.get(row.unit) ?? 0) + Number(row.calls))
  return [...found]
    .map(([at, calls]) => ({ at, calls }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.at - a.at)
}

/** The words for a tag without a value. */
export const MISSING = ['', NO_VALUE]
