import { entriesOf } from '@switchroom/contract'
import type { ClickHouse } from '../../clickhouse/client.ts'
import {
  addClause,
  CALL_KEY,
  callConditions,
  type Found,
  KEY_COLUMNS,
  type Key,
  SEARCH_SECONDS,
  UNMERGED,
  withKeys,
  withText,
} from '../../clickhouse/conditions.ts'
import { DAY, type Unit, unitOf } from '../../clickhouse/hours.ts'
import {
  type Count,
  larger,
  msAt,
  pagingUnit,
  partsOf,
  placeOf,
  smaller,
  within,
} from '../../clickhouse/pages.ts'
import { attemptSums } from '../attempts.ts'
import { type CallQuery, queryOf } from '../query.ts'
import {
  type CallFilter,
  type CallStore,
  DialedSums,
  type Owner,
  type Page,
  type Span,
} from '../store.ts'
import { CALL_COLUMNS, type CallRow, callOf, msOf, outcomeOf, tagOf } from './row.ts'
import { countsBy, figures, MISSING, type SummedFilter } from './sums.ts'
import { trunkFailures, trunks } from './trunk-sums.ts'

const DAY_MS = 86_400_000
const SECOND_NS = 1_000_000_000n
/** The seconds in which the newest calls are looked for first. The fewer an owner has, the more. */
const NEWEST = { all: 60, provider: 600, account: DAY }
const ORDER = 'ORDER BY at DESC, series DESC'
/** Most records of a trace. A call and its legs have one trace, but a sender may give it to any number of records. */
const MAX_OF_TRACE = 100

/** Call records in ClickHouse, of the last `days`. */
export function clickHouseCalls(db: ClickHouse, days: number): CallStore & CallRows {
  // calls and their sums are deleted at different times: older ones are not read
  const earliest = () => Date.now() - days * DAY_MS
  const kept = <S extends Span>(span: S): S => ({
    ...span,
    from: Math.max(span.from, earliest()),
  })
  const wantOf = (filter: CallFilter) => queryOf(kept(filter))

  /** Rows with these keys. A list of keys is found in few columns, and only its page is read whole. */
  const rowsOf = (want: Found, { limit, offset }: Page) => {
    const { where, times, params } = callConditions(want)
    return db.rows<CallRow>(
      `SELECT ${CALL_COLUMNS} FROM calls WHERE ${times} AND (${CALL_KEY}) IN
        (SELECT ${CALL_KEY} FROM calls ${where()} ${ORDER} LIMIT ${limit} OFFSET ${offset}) ${ORDER}`,
      params,
      SEARCH_SECONDS,
    )
  }

  async function countsOf(want: Found, unit: Unit): Promise<Count[]> {
    const filter = summedFilter(want)
    if (filter) {
      const { service_provider_sid, account_sid } = want.tags as Owner
      const span = { from: msAt(want.from), to: msAt(want.to) }
      return countsBy(
        unit,
        db,
        { ...owned({ service_provider_sid, account_sid }) },
        span,
        filter,
        (to) => addClause(to, callConditions(want)),
      )
    }
    const clause = callConditions(want)
    const rows = await db.rows<{ unit: number; calls: string }>(
      `SELECT ${unitOf("toDateTime(at, 'UTC')", unit)} AS unit, count() AS calls FROM calls ${clause.where()} GROUP BY unit ORDER BY unit DESC`,
      clause.params,
      SEARCH_SECONDS,
    )
    return rows.map(({ unit: at, calls }) => ({ at, calls: Number(calls) }))
  }

  /** The newest rows, if a short time has enough of them: these are found while all are counted. */
  async function newestOf(want: Found, { limit, offset }: Page): Promise<CallRow[] | undefined> {
    if (offset > 0 || limit === 0 || want.text !== undefined || want.numbers) return undefined
    const { service_provider_sid: provider, account_sid: account } = want.tags
    const owner = account !== undefined ? 'account' : provider !== undefined ? 'provider' : 'all'
    // nothing is newer than now but calls of nodes whose clock is ahead
    const newest = smaller(want.to, BigInt(Date.now()) * 1_000_000n)
    const from = larger(want.from, newest - BigInt(NEWEST[owner]) * SECOND_NS)
    const rows = await rowsOf({ ...want, from }, { limit, offset })
    return rows.length === limit ? rows : undefined
  }

  async function pageOf(all: CallQuery, page: Page): Promise<{ rows: CallRow[]; total: number }> {
    const want = await withText(db, all)
    if (want.from >= want.to) return { rows: [], total: 0 }
    if (want.keys) return pageOfKeys(want, page)
    const unit = pagingUnit(want)
    const [counts, first] = await Promise.all([countsOf(want, unit), newestOf(want, page)])
    const total = counts.reduce((sum, { calls }) => sum + calls, 0)
    if (first) return { rows: first, total }
    const place = placeOf(counts, unit, page)
    if (!place) return { rows: [], total }
    const { skip, ...span } = place
    return { rows: await rowsOf(within(want, span), { limit: page.limit, offset: skip }), total }
  }

  async function pageOfKeys(want: Found, { limit, offset }: Page) {
    const { where, params } = callConditions(want)
    const query = `SELECT ${KEY_COLUMNS} FROM calls ${where()} ${ORDER}`
    const keys = await db.rows<Key>(query, params, SEARCH_SECONDS)
    const ofPage = keys.slice(offset, offset + limit)
    if (ofPage.length === 0) return { rows: [], total: keys.length }
    const rows = await rowsOf(withKeys(want, ofPage), { limit, offset: 0 })
    return { rows, total: keys.length }
  }

  return {
    rows: (want, page) =>
      pageOf({ ...want, from: larger(want.from, BigInt(earliest()) * 1_000_000n) }, page),
    async list(filter, page) {
      if (!isSearchable(filter)) return { data: [], total: 0 }
      const found = await pageOf(wantOf(filter), page)
      return { data: found.rows.map(callOf), total: found.total }
    },
    async *each(filter) {
      if (!isSearchable(filter)) return
      const want = await withText(db, wantOf(filter))
      if (want.from >= want.to) return
      for (const count of await countsOf(want, DAY))
        for (const span of partsOf(count)) {
          const part = within(want, span)
          if (part.from >= part.to) continue
          const clause = callConditions(part)
          const query = `SELECT ${CALL_COLUMNS} FROM calls ${clause.where()} ${ORDER}`
          for await (const row of db.stream<CallRow>(query, clause.params)) yield callOf(row)
        }
    },
    async find(owner, by) {
      const [[name, id] = []] = entriesOf(
        by as Partial<Record<'call_sid' | 'sip_callid' | 'trace_id', string>>,
      )
      if (!name || id === undefined) return undefined
      const clause = callConditions(wantOf({ ...owner, from: -8.64e15, to: 8.64e15 }))
      clause.sql.push(
        `(${CALL_KEY}) IN (SELECT ${CALL_KEY} FROM call_ids WHERE hash = cityHash64('${name}', ${clause.bind('String', id)}) ${UNMERGED})`,
        `${name} = ${clause.bind('String', id)}`,
      )
      const [row] = await db.rows<CallRow>(
        `SELECT ${CALL_COLUMNS} FROM calls ${clause.where()} ${ORDER} LIMIT 1`,
        clause.params,
      )
      return row && callOf(row)
    },
    async ofTraces(trace_ids, span) {
      if (trace_ids.length === 0) return []
      // in the statement: the URL, where bound values are, has little room
      const ids = trace_ids.map((id) => `unhex('${Buffer.from(id).toString('hex')}')`)
      const hashes = ids.map((id) => `cityHash64('trace_id', ${id})`)
      const { where, times, params } = callConditions(wantOf(span))
      const found = await db.rows<CallRow>(
        `SELECT ${CALL_COLUMNS} FROM calls ${where()} AND trace_id IN (${ids.join()}) AND (${CALL_KEY}) IN
          (SELECT ${CALL_KEY} FROM call_ids WHERE ${times} AND hash IN (${hashes.join()}) ${UNMERGED})
         ORDER BY at, series LIMIT ${MAX_OF_TRACE} BY trace_id`,
        params,
      )
      return found.map(callOf)
    },
    async dialed(owner, span, limit) {
      const clause = callConditions(wantOf({ ...owner, ...span, direction: 'outbound' }))
      const found = await db.rows<{
        account_sid: string
        trunk: string
        caller: string
        number: string
        made_for: string
        calls: string
      }>(
        `SELECT account_sid, trunk, caller, number, max(parent) AS made_for, count() AS calls FROM
          (SELECT account_sid, trunk, ifNull(\`from\`, '') AS caller, ifNull(\`to\`, '') AS number,
             ifNull(sip_parent_callid, '') AS parent FROM calls ${clause.where()} ${ORDER} LIMIT ${limit})
          GROUP BY account_sid, trunk, caller, number, parent = ''`,
        clause.params,
        SEARCH_SECONDS,
      )
      const read = found.reduce((sum, { calls }) => sum + Number(calls), 0)
      const sums = new DialedSums()
      for (const row of found)
        if (row.number !== '')
          sums.add({
            account_sid: tagOf(row.account_sid),
            from: row.caller || null,
            to: row.number,
            trunk: tagOf(row.trunk),
            parent: row.made_for || null,
            calls: Number(row.calls),
          })
      return { numbers: sums.all(), capped: read >= limit }
    },
    async attempts(owner, span, step_ms) {
      const clause = callConditions(wantOf({ ...owner, ...span }))
      const sums = attemptSums(step_ms)
      const query = `SELECT toUnixTimestamp64Nano(at) AS ns, account_sid, trunk, application_sid, direction, \`to\`,
        answered, answered_at, terminated_at FROM calls ${clause.where()}`
      for await (const row of db.stream<CallRow>(query, clause.params))
        sums.add({
          at: msOf(row.ns),
          account_sid: tagOf(row.account_sid),
          trunk: tagOf(row.trunk),
          application_sid: row.application_sid,
          direction: tagOf(row.direction),
          to: row.to,
          answered: outcomeOf(row.answered),
          answered_at: row.answered_at,
          terminated_at: row.terminated_at,
        })
      return sums.all()
    },
    figures: (owner, span, time_zone) => figures(db, owner, kept(span), time_zone),
    trunks: (wanted, span, by) => trunks(db, wanted, kept(span), by),
    trunkFailures: (wanted, span) => trunkFailures(db, wanted, kept(span)),
  }
}

export type CallRows = {
  /** A page of rows, newest first, and the total. */
  rows: (want: CallQuery, page: Page) => Promise<{ rows: CallRow[]; total: number }>
}

/** Lone surrogates are in no record. */
export const isSearchable = ({ text }: CallFilter) => text === undefined || text.isWellFormed()

const owned = ({ service_provider_sid, account_sid }: Partial<Owner>): Owner => ({
  ...(service_provider_sid !== undefined && { service_provider_sid }),
  ...(account_sid !== undefined && { account_sid }),
})

/** The sums that tell the number of calls; undefined if only reading the calls does. */
function summedFilter(want: CallQuery): SummedFilter | undefined {
  const { tags, application_sid, sip_status, prefix, text, numbers } = want
  if (prefix !== undefined || text !== undefined || numbers) return undefined
  if (Object.keys(tags).some((name) => !SUMMED_TAGS.has(name))) return undefined
  // an owner without the other is not what sums are by
  if (tags.account_sid !== undefined && typeof tags.account_sid !== 'string') return undefined
  // no call has this: in sums it stands for calls without an application
  if (application_sid === '') return undefined
  const wanted = (value: CallQuery['tags'][string] | undefined) =>
    value === undefined
      ? undefined
      : value === null
        ? MISSING
        : typeof value === 'string'
          ? [value]
          : value
  const kinds: { kind: 'trunk' | 'application' | 'status'; keys: readonly string[] }[] = []
  if (tags.trunk !== undefined) kinds.push({ kind: 'trunk', keys: wanted(tags.trunk)! })
  if (application_sid !== undefined)
    kinds.push({ kind: 'application', keys: [application_sid ?? ''] })
  if (sip_status !== undefined)
    kinds.push({ kind: 'status', keys: [sip_status === null ? '' : String(sip_status)] })
  if (kinds.length > 1) return undefined
  const { kind = 'all', keys } = kinds[0] ?? {}
  return { kind, keys, direction: wanted(tags.direction), answered: wanted(tags.answered) }
}
const SUMMED_TAGS = new Set([
  'service_provider_sid',
  'account_sid',
  'trunk',
  'direction',
  'answered',
])
