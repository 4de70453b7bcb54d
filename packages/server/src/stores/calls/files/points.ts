import type { Alert } from '@switchroom/contract'
import type { Value } from '../lines.ts'
import { alertOf, alertQuery, type PointQuery } from '../points.ts'
import type { AlertFilter, Page } from '../store.ts'
import { timeOf } from '../times.ts'
import type { Calls } from './calls.ts'
import type { Day, Part } from './day.ts'

export type Found = {
  time: [number, number]
  tags: Record<string, string>
  fields: Record<string, Value>
}

/** Reads all points except calls: alerts, counts, usage. */
export class Points {
  #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  count(query: PointQuery): number {
    let n = 0
    for (const [day, part] of this.#calls.days(query.from, query.to)) {
      n +=
        this.#calls.read(day, () => {
          const { sql, values } = where(day, query, part) ?? {}
          if (!sql) return 0
          return day.shard.get<{ n: number }>(`select count(*) as n ${sql}`, ...values!)!.n
        }) ?? 0
    }
    return n
  }

  list(query: PointQuery, { limit, offset }: Page, newestFirst = true): Found[] {
    const matches: Found[] = []
    let skip = offset
    for (const [day, part] of this.#calls.days(query.from, query.to, newestFirst)) {
      if (matches.length >= limit) break
      const read = this.#calls.read(day, () => {
        const { sql, values } = where(day, query, part) ?? {}
        if (!sql) return undefined
        const order = newestFirst ? 'order by at desc, series desc' : 'order by at, series'
        const rows = day.shard.all<{ at: number; series: number; fields: string }>(
          `select at, series, fields ${sql} ${order} limit ? offset ?`,
          ...values!,
          limit - matches.length,
          skip,
        )
        const skipped =
          rows.length === 0 && skip > 0
            ? day.shard.get<{ n: number }>(`select count(*) as n ${sql}`, ...values!)!.n
            : skip
        const found = rows.map(
          (row): Found => ({
            time: [day.shard.day, row.at],
            tags: day.seriesOf(row.series).tags,
            fields: JSON.parse(row.fields),
          }),
        )
        return { found, skipped }
      })
      if (!read) continue
      skip -= Math.min(skip, read.skipped)
      matches.push(...read.found)
    }
    return matches
  }

  alerts(filter: AlertFilter, page: Page): { data: Alert[]; total: number } {
    const query = alertQuery(filter)
    const data = this.list(query, page).map(({ time, tags, fields }) =>
      alertOf(timeOf(...time), tags, fields),
    )
    return { data, total: this.count(query) }
  }
}

/** The SQL for a day; undefined if nothing can match. */
function where(day: Day, query: PointQuery, { from, to }: Part) {
  const { database, measurement } = query
  const kind = day.wordId(`${database} ${measurement}`)
  if (kind === undefined) return undefined
  const candidates = day
    .series()
    .filter((s) => s.database === database && s.measurement === measurement)
  const isTag = (name: string) => candidates.some((s) => Object.hasOwn(s.tags, name))
  let sql = 'from points indexed by points_at where kind = ? and at >= ? and at < ?'
  const values: (string | number)[] = [kind, from, to]
  let matching = candidates
  const fieldIs = (name: string, sign: string, value: Value) => {
    sql += ` and json_extract(fields, ?) ${sign} json_extract(?, '$')`
    values.push(path(name), JSON.stringify(value))
  }
  for (const [name, value] of Object.entries(query.is))
    if (isTag(name)) matching = matching.filter((s) => s.tags[name] === value)
    else fieldIs(name, '=', value)
  for (const [name, value] of Object.entries(query.not ?? {}))
    if (isTag(name)) matching = matching.filter((s) => s.tags[name] !== value)
    else fieldIs(name, '<>', value)
  if (matching.length === 0) return undefined
  if (matching.length < candidates.length) {
    sql += ' and series in (select value from json_each(?))'
    values.push(JSON.stringify(matching.map((s) => s.id)))
  }
  if (query.has !== undefined) {
    sql += ' and json_extract(fields, ?) is not null'
    values.push(path(query.has))
  }
  return { sql, values }
}

const path = (name: string) => `$.${JSON.stringify(name)}`
