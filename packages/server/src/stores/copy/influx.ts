import { DATABASES } from '../calls/answer.ts'
import { type PointOf, PointRows } from '../calls/clickhouse/point-rows.ts'
import { type Influx, influx, type Row } from '../calls/influx/influx.ts'
import type { Point } from '../calls/lines.ts'
import { DAY_MS } from '../calls/times.ts'
import { StoreAnswerTooLarge } from '../kit/unavailable.ts'
import type { Read, Source, Unit } from './copy.ts'
import { readOf } from './files.ts'

const ANSWER_SECONDS = 60
/** The least time that is asked for at once. */
const LEAST_MS = 1_000

type Measurement = {
  database: string
  measurement: string
  /** For how much time InfluxDB has not yet sent too much. */
  step_ms: number
}

/** What platform components have written into InfluxDB in the last `days`. `now`: in milliseconds since 1970. */
export function influxPoints(url: string, days: number, now: number): Source<PointOf> {
  const db = influx(url, ANSWER_SECONDS)
  return {
    what: 'call records and alerts',
    tables: ['calls', 'points'],
    rows: () => new PointRows(),
    async units() {
      const all = await measurementsOf(db)
      const last = Math.floor(now / DAY_MS) + 1
      return Array.from({ length: days + 2 }, (_, i) => unitOf(db, all, last - days - 1 + i))
    },
  }
}

const unitOf = (db: Influx, all: Measurement[], day: number): Unit<PointOf> => ({
  name: new Date(day * DAY_MS).toISOString().slice(0, 10),
  from: BigInt(day * DAY_MS) * 1_000_000n,
  to: BigInt((day + 1) * DAY_MS) * 1_000_000n,
  async *read() {
    for (const one of all) yield* pointsOn(db, one, day)
  },
})

async function measurementsOf(db: Influx): Promise<Measurement[]> {
  const all: Measurement[] = []
  for (const database of DATABASES) {
    const [found] = await db.query(database, ['SHOW MEASUREMENTS'])
    for (const { name } of found?.flatMap(({ rows }) => rows) ?? [])
      all.push({ database, measurement: String(name), step_ms: DAY_MS })
  }
  return all
}

/** Tags come apart from fields when they are grouped by. */
async function* pointsOn(
  db: Influx,
  one: Measurement,
  day: number,
): AsyncGenerator<Read<PointOf>[]> {
  const { database, measurement } = one
  const name = measurement.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
  const end = (day + 1) * DAY_MS
  for (let from = day * DAY_MS; from < end; ) {
    const to = Math.min(from + one.step_ms, end)
    const found = await db
      .query(database, [
        `SELECT * FROM "${name}" WHERE time >= ${from}ms AND time < ${to}ms GROUP BY *`,
      ])
      .catch((e: unknown) => {
        if (e instanceof StoreAnswerTooLarge && one.step_ms > LEAST_MS) return undefined
        throw e
      })
    if (!found) {
      one.step_ms = Math.ceil(one.step_ms / 2)
      continue
    }
    from = to
    for (const { tags: grouped, rows } of found[0] ?? []) {
      // a series without a tag has it empty
      const tags = Object.fromEntries(Object.entries(grouped).filter(([, value]) => value !== ''))
      const sorted = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1))
      const series = { measurement, tags, key: JSON.stringify([measurement, ...sorted.flat()]) }
      yield rows.map((row) => readOf({ database, point: pointOf(series, row) }))
    }
  }
}

function pointOf(series: Point['series'], { time, ...values }: Row): Point {
  const [, seconds, fraction = ''] = /^(.+?)(?:\.(\d+))?Z$/.exec(String(time)) ?? []
  const ns = Number(fraction.padEnd(9, '0'))
  const fields: Point['fields'] = {}
  for (const [name, value] of Object.entries(values)) if (value !== null) fields[name] = value
  return { series, fields, ms: Date.parse(`${seconds}Z`) + Math.floor(ns / 1e6), ns: ns % 1e6 }
}
