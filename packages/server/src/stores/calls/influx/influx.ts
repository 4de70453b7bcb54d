import { t } from '@switchroom/contract'
import { ANSWER_SECONDS, bodyWithin, withTimeout } from '../../kit/external.ts'
import { StoreUnavailable } from '../../kit/unavailable.ts'

/** A bound value, or a literal part of the query. */
export type Conditions = { sql: string[]; values: Record<string, string | number | boolean> }
export type Row = Record<string, string | number | boolean | null>
export type Result = { tags: Record<string, string>; rows: Row[] }[]

const MAX_BYTES = 64_000_000

type Body = {
  error?: string
  results?: {
    error?: string
    series?: { tags?: Record<string, string>; columns: string[]; values: Row[string][][] }[]
  }[]
}

export const numberIn = (value: Row[string] | undefined) =>
  typeof value === 'number' ? value : null
/** Every row has a time. */
export const timeOf = (row: Row) => String(row.time)

/** How errors name the server. */
const nameOf = (database: string) =>
  database === 'alerts' ? t('The alerts (InfluxDB)') : t('The call records (InfluxDB)')

/** A client for the operator's own InfluxDB 1.x. Throws `StoreUnavailable` if it does not answer in time. */
export function influx(url: string, seconds = ANSWER_SECONDS) {
  const send = (database: string, path: string, body: URLSearchParams | string) => {
    const name = nameOf(database)
    return withTimeout({ name, seconds }, async (signal) => {
      const init: RequestInit = { method: 'POST', redirect: 'error', body, signal }
      const answer = await fetch(`${url}${path}`, init)
      const tooLong = t('{name} returned too large a response', { name })
      const bytes = await bodyWithin(MAX_BYTES, answer, tooLong)
      const { status } = answer
      if (status >= 500) throw new StoreUnavailable(t('{name} answered {status}', { name, status }))
      return { status, text: bytes.toString() }
    })
  }

  /** Runs statements in one request. A missing database counts as empty. */
  async function query(
    database: string,
    statements: string[],
    values: Conditions['values'] = {},
  ): Promise<Result[]> {
    const { text } = await send(
      database,
      '/query',
      new URLSearchParams({
        db: database,
        q: statements.join('; '),
        params: JSON.stringify(values),
      }),
    )
    const unreadable = (cause: unknown) =>
      new StoreUnavailable(t('{name} cannot be read', { name: nameOf(database) }), { cause })
    let body: Body
    try {
      // as InfluxDB documents it; row values are checked where they are used
      body = JSON.parse(text) as Body
    } catch (cause) {
      throw unreadable(cause)
    }
    if (body.error) throw unreadable(body.error)
    const results = body.results ?? []
    // with several statements InfluxDB may not report why one failed, so each has its own request
    if (statements.length > 1 && results.some(({ error }) => error === 'not executed')) {
      const each: Result[] = []
      for (const statement of statements) each.push(...(await query(database, [statement], values)))
      return each
    }
    return results.map(({ error, series = [] }) => {
      if (error && !error.startsWith('database not found')) throw unreadable(error)
      return series.map(({ tags = {}, columns, values }) => ({
        tags,
        rows: values.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]!]))),
      }))
    })
  }

  async function write(database: string, lines: string, again = true): Promise<void> {
    const { status } = await send(database, `/write?db=${encodeURIComponent(database)}`, lines)
    if (status === 404 && again) {
      await query(database, [`CREATE DATABASE "${database}"`])
      return write(database, lines, false)
    }
    if (status >= 400) throw new Error(`InfluxDB answered ${status} to a write`)
  }

  return { query, write }
}
export type Influx = ReturnType<typeof influx>

/** The largest time as 64-bit nanoseconds. */
const LIMIT_MS = 9_223_372_036_000
const clamped = (ms: number) => Math.ceil(Math.max(-LIMIT_MS, Math.min(LIMIT_MS, ms)))

/**
 * Conditions of a WHERE clause. Values are bound parameters, never part of the statement. Clauses of one
 * request share `values`.
 */
export function conditions(
  span?: { from: number; to: number },
  values: Conditions['values'] = {},
): Conditions & {
  equals: (name: string, value: string | number | undefined) => void
  oneOf: (name: string, values: Iterable<string>) => void
  has: (text: string | undefined, id?: string) => void
  where: () => string
} {
  const sql: string[] = []
  if (span) sql.push(`time >= ${clamped(span.from)}ms`, `time < ${clamped(span.to)}ms`)
  const bind = (value: string | number) => {
    const name = `p${Object.keys(values).length}`
    values[name] = value
    return `$${name}`
  }
  return {
    sql,
    values,
    equals(name, value) {
      if (value !== undefined) sql.push(`"${name}" = ${bind(value)}`)
    },
    oneOf(name, values) {
      sql.push(`(${Array.from(values, (value) => `"${name}" = ${bind(value)}`).join(' OR ')})`)
    },
    has(text, id = text ?? '') {
      if (!text) return
      const bound = bind(id)
      const pattern = literal(text)
      sql.push(
        `("from" =~ /${pattern}/ OR "to" =~ /${pattern}/ OR call_sid = ${bound} OR sip_callid = ${bound})`,
      )
    },
    where: () => (sql.length > 0 ? `WHERE ${sql.join(' AND ')}` : ''),
  }
}

/** A regular expression for a literal text. All but letters and digits are escaped by code. */
const literal = (text: string) =>
  Array.from(text, (c) =>
    /[A-Za-z0-9]/.test(c) ? c : `\\x{${c.codePointAt(0)!.toString(16)}}`,
  ).join('')
