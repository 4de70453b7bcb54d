import { StoreUnavailable } from '../unavailable.ts'

/** A value bound to a query, or a part of the query that is ours. */
export type Conditions = { sql: string[]; values: Record<string, string | number> }
export type Row = Record<string, string | number | boolean | null>
export type Result = { tags: Record<string, string>; rows: Row[] }[]

const SECONDS = 30
const UNREACHABLE = 'The store of call records (InfluxDB) cannot be reached'

type Body = {
  error?: string
  results?: {
    error?: string
    series?: { tags?: Record<string, string>; columns: string[]; values: Row[string][][] }[]
  }[]
}

/** Speaks to the operator's own InfluxDB 1.x. Throws `StoreUnavailable` where it does not answer in time. */
export function influx(url: string) {
  async function send(path: string, init: RequestInit): Promise<Response> {
    try {
      const answer = await fetch(`${url}${path}`, {
        ...init,
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(SECONDS * 1000),
      })
      if (answer.status < 500) return answer
      await answer.body?.cancel()
      throw new Error(`InfluxDB answered ${answer.status}`)
    } catch (cause) {
      throw new StoreUnavailable(UNREACHABLE, { cause })
    }
  }

  /** Runs statements in one request. A database that is not there yet holds nothing. */
  async function query(
    database: string,
    statements: string[],
    values: Conditions['values'] = {},
  ): Promise<Result[]> {
    const answer = await send('/query', {
      body: new URLSearchParams({
        db: database,
        q: statements.join('; '),
        params: JSON.stringify(values),
      }),
    })
    let body: Body
    try {
      body = (await answer.json()) as Body
    } catch (cause) {
      throw new StoreUnavailable(UNREACHABLE, { cause })
    }
    if (body.error) throw new Error(`InfluxDB: ${body.error}`)
    return (body.results ?? []).map(({ error, series = [] }) => {
      if (error && !error.startsWith('database not found'))
        throw new StoreUnavailable('The store of call records (InfluxDB) could not answer', {
          cause: error,
        })
      return series.map(({ tags = {}, columns, values }) => ({
        tags,
        rows: values.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]!]))),
      }))
    })
  }

  async function write(database: string, lines: string, again = true): Promise<void> {
    const answer = await send(`/write?db=${encodeURIComponent(database)}`, { body: lines })
    await answer.body?.cancel()
    if (answer.status === 404 && again) {
      await query('', [`CREATE DATABASE "${database}"`])
      return write(database, lines, false)
    }
    if (!answer.ok) throw new Error(`InfluxDB answered ${answer.status} to a write`)
  }

  return { query, write }
}
export type Influx = ReturnType<typeof influx>

/** What can be said in nanoseconds in 64 bits. */
const LIMIT_MS = 9_223_372_036_000
const clamped = (ms: number) => Math.ceil(Math.max(-LIMIT_MS, Math.min(LIMIT_MS, ms)))

/**
 * Conditions of a WHERE. Values travel beside the statement and are never a part of it.
 */
export function conditions(span?: { from: number; to: number }): Conditions & {
  equals: (name: string, value: string | number | undefined) => void
  has: (text: string | undefined) => void
  where: () => string
} {
  const sql: string[] = []
  const values: Conditions['values'] = {}
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
    has(text) {
      if (!text) return
      const id = bind(text)
      const pattern = literal(text)
      sql.push(
        `("from" =~ /${pattern}/ OR "to" =~ /${pattern}/ OR call_sid = ${id} OR sip_callid = ${id})`,
      )
    },
    where: () => (sql.length > 0 ? `WHERE ${sql.join(' AND ')}` : ''),
  }
}

/** A regular expression that means just this text: whatever is not a letter or digit goes by its number. */
const literal = (text: string) =>
  Array.from(text, (c) =>
    /[A-Za-z0-9]/.test(c) ? c : `\\x{${c.codePointAt(0)!.toString(16)}}`,
  ).join('')
