import { EARLIEST, parseQuery, readParams, type Select } from './influxql.ts'
import type { Value } from './lines.ts'
import type { PointQuery } from './points.ts'
import type { CallQuery } from './query.ts'
import type { Page } from './store.ts'
import { DAY_MS, splitTime, timeOf } from './times.ts'
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

/** A row by the names of tags and fields; its time as a day and the nanoseconds within it. */
export type AnswerRow = { time: [number, number]; cells: Record<string, Value | null> }

/** A store that can be asked. */
export type AnswerSource = {
  calls: (want: CallQuery, page: Page) => Promise<{ rows: AnswerRow[]; total: number }>
  countPoints: (query: PointQuery) => number | Promise<number>
  points: (
    query: PointQuery,
    page: Page,
    newestFirst: boolean,
  ) => AnswerRow[] | Promise<AnswerRow[]>
  /** All tags and fields that ever occurred in a span; undefined: those of the rows that are found. */
  columns: ((database: string, select: Select) => string[]) | undefined
}

/** Runs a query and returns InfluxDB's format. Throws `BadQuery` for unsupported queries. */
export async function answer(source: AnswerSource, query: Query): Promise<Answer> {
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
      ? (await source.calls(want, { limit: 0, offset: 0 })).total
      : await source.countPoints({ ...pointsQuery!, has: select.count })
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
    ? (await source.calls(want, page)).rows
    : await source.points(pointsQuery!, page, select.newestFirst)
  if (rows.length === 0) return { statement_id: 0 }
  const columns = select.columns ?? source.columns?.(query.db, select) ?? namesIn(rows)
  return series(
    select.measurement,
    ['time', ...columns],
    rows.map(({ time: at, cells }) => [
      time(...at),
      ...columns.map((name) => (Object.hasOwn(cells, name) ? cells[name]! : null)),
    ]),
  )
}

const namesIn = (rows: AnswerRow[]) =>
  [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))].sort()

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

const pointQuery = (database: string, { measurement, from, to, is, not }: Select): PointQuery => ({
  database,
  measurement,
  from,
  to,
  is,
  not,
})

const TAGS = ['service_provider_sid', 'account_sid', 'host', 'trunk', 'direction', 'answered']

function callQuery({ from, to, is, not, text }: Select): CallQuery {
  const want: CallQuery = { from, to, tags: {}, text: text || undefined, ids: ['call_sid'] }
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
