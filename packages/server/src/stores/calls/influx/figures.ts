import type { CallFigures } from '@switchroom/contract'
import type { Owner, Span } from '../store.ts'
import { add, addWaits, emptySums, figuresOf, HOUR_MS, type Sums, unitFor } from '../sums.ts'
import { conditions, type Influx, numberIn, type Result, type Row, timeOf } from './influx.ts'

const TOGETHER = 50
/** Calls per carrier whose time to answer is read. InfluxQL cannot subtract times. */
const SAMPLE = 500
/** Longer times to answer are errors of a clock. */
const MAX_WAIT_MS = HOUR_MS
const COUNTED = 'COUNT(sip_callid) AS calls, SUM("duration") AS seconds, COUNT("duration") AS timed'

/** The dashboard's figures. Groups by tags; fields need a query per value. */
export async function figures(
  db: Influx,
  owner: Owner,
  span: Span,
  time_zone?: string,
): Promise<CallFigures> {
  const clause = conditions(span)
  clause.equals('service_provider_sid', owner.service_provider_sid)
  clause.equals('account_sid', owner.account_sid)
  const where = clause.where()
  const sums = emptySums()
  const [hours, trunks, statuses, applications, accounts, answers] = await db.query(
    'cdrs',
    [
      `SELECT ${COUNTED} FROM cdrs ${where} GROUP BY time(${unitFor(span, time_zone) / 60_000}m), answered fill(none)`,
      `SELECT ${COUNTED} FROM cdrs ${where} GROUP BY trunk, answered`,
      `SELECT DISTINCT(sip_status) AS value FROM cdrs ${where} AND answered = 'false'`,
      `SELECT DISTINCT(application_sid) AS value FROM cdrs ${where}`,
      `SELECT ${COUNTED} FROM cdrs ${where} GROUP BY account_sid, answered`,
      // unlike other functions, SAMPLE keeps the time of each point
      `SELECT SAMPLE(answered_at, ${SAMPLE}) AS answered_at FROM cdrs ${where} AND answered = 'true' GROUP BY trunk`,
    ],
    clause.values,
  )
  for (const { tags, rows } of hours!)
    for (const row of rows) add(sums.hours, Date.parse(timeOf(row)), countsOf(row, tags))
  const total = { true: noCounts(), false: noCounts(), '': noCounts() }
  for (const { tags, rows } of trunks!)
    for (const row of rows) {
      const one = countsOf(row, tags)
      add(sums.trunks, knownTag(tags.trunk), one)
      const rest = total[outcome(one)]
      for (const name of ['calls', 'seconds', 'timed'] as const) rest[name] += one[name]
    }

  for (const { tags, rows } of accounts!)
    for (const row of rows) add(sums.accounts, knownTag(tags.account_sid), countsOf(row, tags))
  for (const { tags, rows } of answers!) addSample(sums, knownTag(tags.trunk), rows)

  const values = (result: Result | undefined) => result?.[0]?.rows.map((row) => row.value!) ?? []
  const queryEach = async <V extends string | number>(
    field: string,
    all: V[],
    take: (value: V, result: Result) => void,
  ) => {
    for (let i = 0; i < all.length; i += TOGETHER) {
      const some = all.slice(i, i + TOGETHER)
      const bound = Object.fromEntries(some.map((value, n) => [`v${n}`, value]))
      const results = await db.query(
        'cdrs',
        some.map(
          (_, n) =>
            `SELECT ${COUNTED} FROM cdrs ${where} AND "${field}" = $v${n} GROUP BY answered`,
        ),
        { ...clause.values, ...bound },
      )
      for (const [n, value] of some.entries()) {
        const result = results[n]
        if (result) take(value, result)
      }
    }
  }
  let unknown = total.false.calls
  const numbers = values(statuses).filter((value) => typeof value === 'number')
  await queryEach('sip_status', numbers, (status, result) => {
    for (const { tags, rows } of result) {
      if (tags.answered !== 'false') continue
      const { calls } = countsOf(rows[0]!, tags)
      unknown -= calls
      sums.failures.set(status, calls)
    }
  })
  if (unknown > 0) sums.failures.set(null, unknown)
  const sids = values(applications).filter((value) => typeof value === 'string')
  await queryEach('application_sid', sids, (sid, result) => {
    for (const { tags, rows } of result) {
      const one = countsOf(rows[0]!, tags)
      add(sums.applications, sid, one)
      const rest = total[outcome(one)]
      for (const name of ['calls', 'seconds', 'timed'] as const) rest[name] -= one[name]
    }
  })
  addRest(sums, total)
  return figuresOf(sums, span, time_zone)
}

/** A carrier counts by its answered calls, not by the size of its sample. */
function addSample(sums: Sums, trunk: string | null, rows: Row[]) {
  const waits = rows
    .map((row) => (numberIn(row.answered_at) ?? Number.NaN) - Math.floor(Date.parse(timeOf(row))))
    .filter((ms) => ms >= 0 && ms <= MAX_WAIT_MS)
  const ms = waits.reduce((a, b) => a + b, 0)
  const weight = rows.length < SAMPLE ? 1 : (sums.trunks.get(trunk)?.answered ?? 0) / rows.length
  addWaits(sums.waits, trunk, { known: waits.length * weight, ms: ms * weight })
}

const outcome = ({ answered }: { answered: boolean | null }) =>
  answered === null ? '' : answered ? 'true' : 'false'
const noCounts = () => ({ calls: 0, seconds: 0, timed: 0 })

/** Calls without an application. */
function addRest(sums: Sums, total: Record<'true' | 'false' | '', ReturnType<typeof noCounts>>) {
  for (const [answered, rest] of Object.entries(total))
    if (rest.calls > 0)
      add(sums.applications, null, {
        ...rest,
        answered: answered === '' ? null : answered === 'true',
      })
}

const knownTag = (tag: string | undefined) =>
  tag === undefined || tag === '' || tag === 'undefined' ? null : tag

function countsOf(row: Row, tags: Record<string, string>) {
  const { answered } = tags
  return {
    answered: answered === 'true' ? true : answered === 'false' ? false : null,
    calls: numberIn(row.calls) ?? 0,
    seconds: numberIn(row.seconds) ?? 0,
    timed: numberIn(row.timed) ?? 0,
  }
}
