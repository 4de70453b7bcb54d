import type { Alert } from '@switchroom/contract'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { between, type Conditions, conditions } from '../../clickhouse/conditions.ts'
import type { Value } from '../lines.ts'
import { alertOf, alertQuery, type PointQuery } from '../points.ts'
import { type AlertStore, lineOf, type Page } from '../store.ts'
import { splitTime, timeOf } from '../times.ts'

type PointRow = {
  ns: string
  service_provider_sid: string
  account_sid: string
  tags: Record<string, string>
  fields: Record<string, [string, string]>
}
/** A point as it was written. */
export type FoundPoint = { ns: bigint; tags: Record<string, string>; fields: Record<string, Value> }

const OWNER = new Set(['service_provider_sid', 'account_sid'])

/** All points except calls: alerts, counts, usage. */
export function clickHousePoints(db: ClickHouse) {
  const clauseOf = ({ database, measurement, from, to: until, is, not = {}, has }: PointQuery) => {
    const to = conditions()
    to.sql.push(`database = ${to.bind('String', database)}`)
    to.sql.push(`measurement = ${to.bind('String', measurement)}`)
    between(to, from, until)
    for (const [name, value] of Object.entries(is)) to.sql.push(equal(to, name, value))
    for (const [name, value] of Object.entries(not)) to.sql.push(`NOT ${equal(to, name, value)}`)
    if (has !== undefined) to.sql.push(`mapContains(fields, ${to.bind('String', has)})`)
    return to
  }

  async function count(query: PointQuery): Promise<number> {
    const clause = clauseOf(query)
    const [row] = await db.rows<{ n: string }>(
      `SELECT count() AS n FROM points ${clause.where()}`,
      clause.params,
    )
    return Number(row?.n ?? 0)
  }

  async function list(
    query: PointQuery,
    { limit, offset }: Page,
    newestFirst = true,
  ): Promise<FoundPoint[]> {
    if (limit === 0) return []
    const clause = clauseOf(query)
    const way = newestFirst ? 'DESC' : 'ASC'
    const rows = await db.rows<PointRow>(
      `SELECT toUnixTimestamp64Nano(at) AS ns, service_provider_sid, account_sid, tags, fields FROM points ${clause.where()}
       ORDER BY at ${way}, series ${way} LIMIT ${limit} OFFSET ${offset}`,
      clause.params,
    )
    return rows.map(foundOf)
  }
  return { count, list }
}
export type ClickHousePoints = ReturnType<typeof clickHousePoints>

/** A tag, or a field with this value. */
function equal(to: Conditions, name: string, value: Value) {
  if (OWNER.has(name)) return `${name} = ${to.bind('String', String(value))}`
  const key = to.bind('String', name)
  const field = `fields[${key}].2 = ${to.bind('String', JSON.stringify(value))}`
  return typeof value === 'string'
    ? `(tags[${key}] = ${to.bind('String', value)} OR ${field})`
    : field
}

function foundOf({ ns, service_provider_sid, account_sid, tags, fields }: PointRow): FoundPoint {
  return {
    ns: BigInt(ns),
    tags: {
      ...tags,
      ...(service_provider_sid !== '' && { service_provider_sid }),
      ...(account_sid !== '' && { account_sid }),
    },
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, [, json]]): [string, Value] => [name, JSON.parse(json)]),
    ),
  }
}

/** Alerts in ClickHouse. `write` has a line of ours inserted. */
export function clickHouseAlerts(
  points: ClickHousePoints,
  write: (database: string, line: string) => Promise<void>,
): AlertStore {
  return {
    async list(filter, page) {
      const query = alertQuery(filter)
      const [total, found] = await Promise.all([points.count(query), points.list(query, page)])
      const data = found.map(
        ({ ns, tags, fields }): Alert => alertOf(timeOf(...splitTime(ns)), tags, fields),
      )
      return { data, total }
    },
    write: (alert) => write('alerts', lineOf(alert)),
  }
}
