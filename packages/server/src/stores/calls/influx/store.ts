import type { Alert, Call } from '@switchroom/contract'
import { singleFlight } from '../../../live/single-flight.ts'
import { attemptSums } from '../attempts.ts'
import {
  type AlertFilter,
  type AlertStore,
  type CallFilter,
  type CallStore,
  type CallStores,
  DialedSums,
  lineOf,
  type Owner,
  storedAlertType,
} from '../store.ts'
import { figures } from './figures.ts'
import { conditions, influx, numberIn, type Row, timeOf } from './influx.ts'
import { pageOf } from './page.ts'
import { trunkFailures, trunks } from './trunks.ts'

const BATCH = 1_000
/** So that a query stays small. A call has a leg or two. */
const TRACES_AT_ONCE = 50
/** Batch size for rows with few columns. */
const NARROW_BATCH = 20_000

/** Call records and alerts in the operator's InfluxDB 1.x, as the platform's components write them there. */
export function influxStores(url: string, seconds?: number): CallStores {
  const db = influx(url, seconds)
  /** InfluxDB reads all calls of a period to count them: callers who want the same at once share it. */
  const sharedPages = singleFlight<Awaited<ReturnType<typeof pageOf>>>()

  /** Rows of calls in batches. A batch begins where the last one ended, by time. */
  async function* newestFirst(
    columns: string,
    batch: number,
    clauseOf: () => ReturnType<typeof conditions>,
  ): AsyncGenerator<Row> {
    // the time of the last returned call, and how many had that time
    let last: string | undefined
    let given = 0
    for (;;) {
      const clause = clauseOf()
      if (last !== undefined) clause.sql.push(`time <= '${last}'`)
      const select = `SELECT ${columns} FROM cdrs ${clause.where()} ORDER BY time DESC LIMIT ${batch} OFFSET ${given}`
      const [page] = await db.query('cdrs', [select], clause.values)
      const rows = page?.[0]?.rows ?? []
      for (const row of rows) {
        given = row.time === last ? given + 1 : 1
        last = timeOf(row)
        yield row
      }
      if (rows.length < batch) return
    }
  }

  const calls: CallStore = {
    async list(filter, { limit, offset }) {
      if (!isSearchable(filter)) return { data: [], total: 0 }
      const clauseOf = () => callConditions(filter)
      const { rows, total } = await sharedPages(JSON.stringify([filter, limit, offset]), () =>
        pageOf(db, clauseOf, readsFields(filter), { limit, offset }),
      )
      return { data: rows.map(callOf), total }
    },
    async *each(filter) {
      if (!isSearchable(filter)) return
      for await (const row of newestFirst('*', BATCH, () => callConditions(filter)))
        yield callOf(row)
    },
    async dialed(owner, span, limit) {
      const sums = new DialedSums()
      let left = limit
      const columns = '"from", "to", account_sid, trunk, sip_parent_callid'
      const clause = () => callConditions({ ...owner, ...span, direction: 'outbound' })
      for await (const row of newestFirst(columns, NARROW_BATCH, clause)) {
        if (left === 0) break
        left--
        const to = field(row.to)
        if (!to) continue
        sums.add({
          account_sid: text(row.account_sid),
          from: field(row.from),
          to,
          trunk: text(row.trunk),
          parent: field(row.sip_parent_callid),
          calls: 1,
        })
      }
      return { numbers: sums.all(), capped: left === 0 }
    },
    async find(owner, by) {
      const clause = conditions()
      addOwner(clause, owner)
      for (const [name, value] of Object.entries(by)) clause.equals(name, value)
      const select = `SELECT * FROM cdrs ${clause.where()} ORDER BY time DESC LIMIT 1`
      const [found] = await db.query('cdrs', [select], clause.values)
      const row = found?.[0]?.rows[0]
      return row && callOf(row)
    },
    async ofTraces(trace_ids, span) {
      const found: Call[] = []
      for (let i = 0; i < trace_ids.length; i += TRACES_AT_ONCE) {
        const clause = conditions(span)
        clause.oneOf('trace_id', trace_ids.slice(i, i + TRACES_AT_ONCE))
        const [page] = await db.query(
          'cdrs',
          [`SELECT * FROM cdrs ${clause.where()} LIMIT ${BATCH}`],
          clause.values,
        )
        for (const row of page?.[0]?.rows ?? []) found.push(callOf(row))
      }
      return found
    },
    async attempts(owner, span, step_ms) {
      const sums = attemptSums(step_ms)
      const columns =
        'account_sid, trunk, application_sid, direction, "to", answered, answered_at, terminated_at'
      for await (const row of newestFirst(columns, NARROW_BATCH, () =>
        callConditions({ ...owner, ...span }),
      ))
        sums.add({
          at: Math.floor(Date.parse(timeOf(row))),
          account_sid: text(row.account_sid),
          trunk: text(row.trunk),
          application_sid: field(row.application_sid),
          direction: text(row.direction),
          to: field(row.to),
          answered: outcomeOf(row),
          answered_at: numberIn(row.answered_at),
          terminated_at: numberIn(row.terminated_at),
        })
      return sums.all()
    },
    figures: (owner, span, time_zone) => figures(db, owner, span, time_zone),
    trunks: (wanted, span, by) => trunks(db, wanted, span, by),
    trunkFailures: (wanted, span) => trunkFailures(db, wanted, span),
  }

  const alerts: AlertStore = {
    async list(filter, { limit, offset }) {
      const clause = alertConditions(filter)
      const [count, page] = await db.query(
        'alerts',
        [
          `SELECT COUNT(message) FROM alerts ${clause.where()}`,
          `SELECT * FROM alerts ${clause.where()} ORDER BY time DESC LIMIT ${Math.max(1, limit)} OFFSET ${offset}`,
        ],
        clause.values,
      )
      const total = numberIn(count?.[0]?.rows[0]?.count) ?? 0
      return { data: (page?.[0]?.rows ?? []).slice(0, limit).map(alertOf), total }
    },
    write: (alert) => db.write('alerts', lineOf(alert)),
  }
  return {
    calls,
    alerts,
    ingested: async () => undefined,
    ping: async () => {
      await db.query('cdrs', ['SHOW MEASUREMENTS LIMIT 1'])
    },
    close: async () => undefined,
  }
}

/** Lone surrogates are in no record and cannot be queried. */
const isSearchable = ({ text }: CallFilter) => text === undefined || text.isWellFormed()

function addOwner(clause: ReturnType<typeof conditions>, owner: Owner) {
  clause.equals('service_provider_sid', owner.service_provider_sid)
  clause.equals('account_sid', owner.account_sid)
}

/** InfluxQL cannot ask whether a field is missing, but a comparison with nothing is false. */
const IS_MISSING = {
  trunk: `(trunk = '' OR trunk = 'undefined')`,
  account_sid: `(account_sid = '' OR account_sid = 'undefined')`,
  application_sid: '(application_sid =~ /.*/) = false',
  sip_status: '(sip_status >= 0) = false',
}

/** True if a condition compares more than tags. */
const readsFields = ({ text, numbers, prefix, application_sid, sip_status }: CallFilter) =>
  [text, numbers, prefix, application_sid, sip_status].some((value) => value !== undefined)

function callConditions(filter: CallFilter) {
  const clause = conditions(filter)
  addOwner(clause, filter)
  clause.equals('direction', filter.direction)
  const { answered, missing = [], prefix } = filter
  if (answered === 'known') clause.sql.push(`(answered = 'true' OR answered = 'false')`)
  else if (answered === 'unknown') clause.sql.push(`answered != 'true' AND answered != 'false'`)
  else clause.equals('answered', answered === undefined ? undefined : String(answered))
  // digits only
  if (prefix !== undefined) clause.sql.push(`"to" =~ /^\\+?${prefix}/`)
  for (const name of missing) clause.sql.push(IS_MISSING[name])
  clause.equals('trunk', filter.trunk)
  clause.equals('application_sid', filter.application_sid)
  clause.equals('sip_status', filter.sip_status)
  // digits only
  if (filter.numbers) {
    const has = filter.numbers.map(({ digits, begins }) => (begins ? `^\\+?${digits}` : digits))
    const pattern = `/${has.join('|')}/`
    clause.sql.push(`("from" =~ ${pattern} OR "to" =~ ${pattern})`)
  }
  clause.has(filter.text, filter.id)
  return clause
}

function alertConditions(filter: AlertFilter) {
  const clause = conditions(filter)
  addOwner(clause, filter)
  clause.equals('alert_type', storedAlertType(filter.alert_type))
  clause.equals('target_sid', filter.target_sid)
  return clause
}

/** The client writes this word for a tag without a value. */
const text = (value: Row[string] | undefined) =>
  typeof value === 'string' && value !== 'undefined' && value !== '' ? value : null
const field = (value: Row[string] | undefined) => (typeof value === 'string' ? value : null)
const outcomeOf = ({ answered }: Row) =>
  answered === 'true' ? true : answered === 'false' ? false : null
const time = (ms: Row[string] | undefined) =>
  typeof ms === 'number' && ms > 0 && ms <= 8.64e15 ? new Date(ms).toISOString() : null

function callOf(row: Row): Call {
  return {
    account_sid: text(row.account_sid),
    service_provider_sid: text(row.service_provider_sid),
    call_sid: field(row.call_sid),
    application_sid: field(row.application_sid),
    from: field(row.from),
    to: field(row.to),
    sip_callid: field(row.sip_callid),
    sip_parent_callid: field(row.sip_parent_callid),
    answered: outcomeOf(row),
    sip_status: numberIn(row.sip_status),
    duration: numberIn(row.duration),
    attempted_at: new Date(timeOf(row)).toISOString(),
    answered_at: time(row.answered_at),
    terminated_at: time(row.terminated_at),
    termination_reason: field(row.termination_reason),
    host: text(row.host),
    remote_host: field(row.remote_host),
    direction: text(row.direction),
    trunk: text(row.trunk),
    trace_id: field(row.trace_id),
    recording_url: field(row.recording_url),
  }
}

const alertOf = (row: Row): Alert => ({
  time: timeOf(row),
  account_sid: text(row.account_sid),
  service_provider_sid: text(row.service_provider_sid),
  alert_type: text(row.alert_type),
  message: field(row.message),
  detail: field(row.detail),
  target_sid: text(row.target_sid),
  vendor: text(row.vendor),
})
