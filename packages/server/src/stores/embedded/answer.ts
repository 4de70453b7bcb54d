import type { Calls } from './calls.ts'
import type { Day, Want } from './day.ts'
import { EARLIEST, parseQuery, readParams, type Select } from './influxql.ts'
import type { Value } from './lines.ts'
import type { PointQuery, Points } from './points.ts'
import { timeOf } from './shapes.ts'
import { DAY_MS, type NamedCall } from './shard.ts'
import { BadQuery } from './tokens.ts'

/** The databases of platform components. Others are rejected. */
export const DATABASES = [
  'cdrs',
  'alerts',
  'call_counts',
  'sp_call_counts',
  'app_call_counts',
  'system_alerts',
  'krisp_usage',
  'llm_usage',
]
const MAX_ROWS = 10_000

export type Query = { q: string; db: string; epoch: string; params: string }
type Cell = Value | null
type Answer = { statement_id: 0; series?: object[]; error?: string }

/** Runs a query and returns InfluxDB's format. Throws `BadQuery` for unsupported queries. */
export async function answer(calls: Calls, points: Points, query: Query): Promise<Answer> {
  const statement = parseQuery(query.q, readParams(query.params))
  if (statement.kind === 'show databases')
    return series(
      'databases',
      ['name'],
      DATABASES.map((name) => [name]),
    )
  if (statement.kind === 'create database')
    return DATABASES.includes(statement.name)
      ? { statement_id: 0 }
      : { statement_id: 0, error: `database is not kept here: ${statement.name}` }
  if (!DATABASES.includes(query.db))
    return { statement_id: 0, error: `database not found: ${query.db}` }
  const { select } = statement
  const time = timeAs(query.epoch)
  const isCalls = query.db === 'cdrs' && select.measurement === 'cdrs'
  if (!isCalls && select.text !== undefined)
    throw new BadQuery('error parsing query: only calls are filtered by text')
  const pointsQuery = isCalls ? undefined : pointQuery(query.db, select)
  const want = isCalls ? callQuery(select) : undefined
  if (select.count !== undefined) {
    const total = want
      ? (await calls.rows(want, { limit: 0, offset: 0 })).total
      : points.count({ ...pointsQuery!, has: select.count })
    const since =
      select.since === undefined ? '1970-01-01T00:00:00Z' : time(...splitTime(select.since))
    return total === 0
      ? { statement_id: 0 }
      : series(select.measurement, ['time', 'count'], [[since, total]])
  }
  const page = { limit: Math.min(select.limit ?? MAX_ROWS, MAX_ROWS), offset: select.offset }
  if (want && !select.newestFirst)
    throw new BadQuery('error parsing query: calls come newest first')
  const rows = want
    ? (await calls.rows(want, page)).rows.map(([day, row]) => callCells(day, row, time))
    : points.list(pointsQuery!, page, select.newestFirst).map((p) => ({
        ...p.tags,
        ...p.fields,
        time: time(...p.time),
      }))
  if (rows.length === 0) return { statement_id: 0 }
  const columns = select.columns ?? columnsOf(calls, query.db, select)
  const cell = (row: Record<string, Cell>, name: string) =>
    Object.hasOwn(row, name) ? row[name]! : null
  return series(
    select.measurement,
    ['time', ...columns],
    rows.map((row) => [row.time!, ...columns.map((name) => cell(row, name))]),
  )
}

const series = (name: string, columns: string[], values: Cell[][]): Answer => ({
  statement_id: 0,
  series: [{ name, columns, values }],
})

type Clock = (day: number, at: number) => string | number

function timeAs(epoch: string): Clock {
  if (epoch === '') return timeOf
  if (epoch === 'ms') return (day, at) => day * DAY_MS + Math.floor(at / 1e6)
  throw new BadQuery(`epoch is not supported: ${epoch}`)
}

const DAY = 86_400_000_000_000n
const splitTime = (ns: bigint): [number, number] => {
  const within = ((ns % DAY) + DAY) % DAY
  return [Number((ns - within) / DAY), Number(within)]
}

const pointQuery = (database: string, { measurement, from, to, is, not }: Select): PointQuery => ({
  database,
  measurement,
  from,
  to,
  is,
  not,
})

const TAGS = ['service_provider_sid', 'account_sid', 'host', 'trunk', 'direction', 'answered']

function callQuery({ from, to, is, not, text }: Select): Want {
  const want: Want = { from, to, tags: {}, text: text || undefined, ids: ['call_sid'] }
  for (const [name, value] of Object.entries(is)) {
    if (TAGS.includes(name)) {
      if (typeof value === 'string') want.tags[name] = value
      // tags are text and never equal other types
      else want.to = EARLIEST
    } else if (name === 'application_sid') want.application_sid = String(value)
    else if (name === 'sip_status' && typeof value === 'number') want.sip_status = value
    else throw new BadQuery(`error parsing query: calls are not filtered by ${name}`)
  }
  if (Object.keys(not).length > 0)
    throw new BadQuery('error parsing query: calls are filtered by = only')
  return want
}

const HIDDEN = new Set(['id', 'at', 'hour', 'series', 'application', 'more'])

function callCells(day: Day, row: NamedCall, time: Clock): Record<string, Cell> {
  const cells: Record<string, Cell> = row.more ? JSON.parse(row.more) : {}
  for (const [name, value] of Object.entries(row))
    if (!HIDDEN.has(name) && !name.endsWith('_hash')) cells[name] = value
  return {
    ...cells,
    ...day.seriesOf(row.series).tags,
    time: time(day.shard.day, row.at),
  }
}

/** All fields and tags that ever occurred in these days, by name. */
function columnsOf(calls: Calls, database: string, { measurement, from, to }: Select): string[] {
  const names = new Set<string>()
  for (const [day] of calls.days(from, to)) {
    calls.read(day, () => {
      const fields = 'select name from names where database = ? and measurement = ?'
      for (const row of day.shard.all<{ name: string }>(fields, database, measurement))
        names.add(row.name)
      for (const s of day.series())
        if (s.database === database && s.measurement === measurement)
          for (const name of Object.keys(s.tags)) names.add(name)
    })
  }
  return [...names].sort()
}
