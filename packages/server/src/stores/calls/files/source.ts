import type { AnswerSource } from '../answer.ts'
import type { Select } from '../influxql.ts'
import type { Value } from '../lines.ts'
import type { Calls } from './calls.ts'
import type { Day } from './day.ts'
import type { Points } from './points.ts'
import type { NamedCall } from './shard.ts'

/** Answers the InfluxQL of the platform's components from the day files. */
export const embeddedSource = (calls: Calls, points: Points): AnswerSource => ({
  async calls(want, page) {
    const { rows, total } = await calls.rows(want, page)
    return {
      rows: rows.map(([day, row]) => ({
        // nanoseconds since 1970 exceed what a number holds exactly
        time: [day.shard.day, row.at],
        cells: callCells(day, row),
      })),
      total,
    }
  },
  countPoints: (query) => points.count(query),
  points: (query, page, newestFirst) =>
    points.list(query, page, newestFirst).map(({ time, tags, fields }) => ({
      time,
      cells: { ...tags, ...fields },
    })),
  columns: (database, select) => columnsOf(calls, database, select),
})

/** Internal columns, which InfluxDB would not return. */
const HIDDEN = new Set(['id', 'at', 'hour', 'series', 'application', 'more'])

function callCells(day: Day, row: NamedCall): Record<string, Value | null> {
  const cells: Record<string, Value | null> = row.more ? JSON.parse(row.more) : {}
  for (const [name, value] of Object.entries(row))
    if (!HIDDEN.has(name) && !name.endsWith('_hash')) cells[name] = value
  return { ...cells, ...day.seriesOf(row.series).tags }
}

/** Names of all fields and tags stored in the period. */
function columnsOf(calls: Calls, database: string, { measurement, from, to }: Select): string[] {
  const names = new Set<string>()
  for (const [day] of calls.days(from, to)) {
    calls.read(day, () => {
      const fields = 'select name from names where database = ? and measurement = ?'
      for (const row of day.shard.all<{ name: string }>(fields, database, measurement))
        names.add(row.name)
      for (const series of day.series())
        if (series.database === database && series.measurement === measurement)
          for (const name of Object.keys(series.tags)) names.add(name)
    })
  }
  return [...names].sort()
}
