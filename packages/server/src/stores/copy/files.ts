import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errorMessage } from '../../errors/members.ts'
import { type PointOf, PointRows } from '../calls/clickhouse/point-rows.ts'
import { Folder } from '../calls/files/folder.ts'
import { fieldsOf } from '../calls/files/row.ts'
import type { NamedCall, Shard } from '../calls/files/shard.ts'
import type { Point } from '../calls/lines.ts'
import { DAY_MS, DAY_NS } from '../calls/times.ts'
import { hasBatches } from '../kit/batch-spool.ts'
import { isDamage } from '../kit/damage.ts'
import { MessageRows } from '../sip/clickhouse/captures.ts'
import { Segment as CaptureSegment } from '../sip/files/segment.ts'
import type { Captured } from '../sip/store.ts'
import { SpanRows } from '../traces/clickhouse/traces.ts'
import { Segment as TraceSegment } from '../traces/files/segment.ts'
import type { Batch as Spans } from '../traces/span.ts'
import { type Content, DamagedUnit, type Read, type Source, SUM_MODULO, type Unit } from './copy.ts'

const PAGE = 5_000

/** The call records, alerts and counts of our own files. The server may be running. */
export function embeddedPoints(folder: string): Source<PointOf> {
  const isThere = existsSync(folder)
  const days = isThere ? new Folder(folder, 'read') : undefined
  const unitOf = (day: number): Unit<PointOf> => {
    const begin = BigInt(day) * BigInt(DAY_NS)
    const file = days!.file(day)
    const shard = () => {
      const open = days!.open(day)
      if (!open) throw new DamagedUnit(`${file} cannot be read`)
      return open
    }
    return {
      name: new Date(day * DAY_MS).toISOString().slice(0, 10),
      from: begin,
      to: begin + BigInt(DAY_NS),
      content: (from) => undamaged(file, () => contentOf(shard(), begin, from - begin)),
      *read() {
        try {
          const open = undamaged(file, shard)
          const series = undamaged(file, () => seriesIn(open))
          yield* pages(file, callsIn(open, series))
          yield* pages(file, pointsIn(open, series))
        } finally {
          days!.closeDay(day)
        }
      },
    }
  }
  return {
    what: 'call records and alerts',
    tables: ['calls', 'points'],
    rows: () => new PointRows(),
    units: () => days?.days().map(unitOf) ?? [],
  }
}

/** The days of which records wait on the disk for their file, so that they are not copied: `2026-11-21`. */
export function waitingDays(folder: string): string[] {
  const spool = join(folder, 'spool')
  return existsSync(spool)
    ? readdirSync(spool)
        .filter((day) => hasBatches(join(spool, day)))
        .sort()
    : []
}

/** Names the file that is damaged. */
function undamaged<R>(file: string, work: () => R): R {
  try {
    return work()
  } catch (e) {
    if (!isDamage(e)) throw e
    throw new DamagedUnit(`${file} is damaged: ${errorMessage(e)}`)
  }
}

function* pages<T>(file: string, from: Iterator<T>): Generator<T> {
  for (;;) {
    const next = undamaged(file, () => from.next())
    if (next.done) return
    yield next.value
  }
}

function contentOf(shard: Shard, begin: bigint, from: bigint): Content {
  const of = (table: string) =>
    shard.get<{ n: number; s: number }>(
      `select count(*) as n, coalesce(sum((at + ${begin}) % ${SUM_MODULO}), 0) as s from ${table} where at >= ?`,
      from,
    )!
  const [calls, points] = [of('calls'), of('points')]
  return { count: calls.n + points.n, sum: BigInt(calls.s) + BigInt(points.s) }
}

type Series = { database: string; series: Point['series'] }

function seriesIn(shard: Shard) {
  const rows = shard.all<{
    id: number
    database: string
    key: string
    tags: string
    measurement: string
  }>('select id, database, key, tags, measurement from series')
  return new Map(
    rows.map(({ id, database, tags, ...series }): [number, Series] => [
      id,
      { database, series: { ...series, tags: JSON.parse(tags) } },
    ]),
  )
}

function* callsIn(shard: Shard, series: Map<number, Series>): Generator<Read<PointOf>[]> {
  for (let after = 0; ; ) {
    const rows = shard.all<NamedCall>(
      `select c.*, w.text as application_sid from calls c left join words w on w.id = c.application
       where c.id > ? order by c.id limit ${PAGE}`,
      after,
    )
    yield rows.map((row) => pointAt(shard.day, row.at, series.get(row.series)!, fieldsOf(row)))
    if (rows.length < PAGE) return
    after = rows.at(-1)!.id
  }
}

function* pointsIn(shard: Shard, series: Map<number, Series>): Generator<Read<PointOf>[]> {
  for (let after = 0; ; ) {
    const rows = shard.all<{ id: number; series: number; at: number; fields: string }>(
      `select id, series, at, fields from points where id > ? order by id limit ${PAGE}`,
      after,
    )
    yield rows.map((row) =>
      pointAt(shard.day, row.at, series.get(row.series)!, JSON.parse(row.fields)),
    )
    if (rows.length < PAGE) return
    after = rows.at(-1)!.id
  }
}

function pointAt(
  day: number,
  at: number,
  { database, series }: Series,
  fields: Point['fields'],
): Read<PointOf> {
  const point = { series, fields, ms: day * DAY_MS + Math.floor(at / 1e6), ns: at % 1e6 }
  return readOf({ database, point })
}

/** What components have written since counts more. */
export function readOf(item: PointOf): Read<PointOf> {
  const { ms, ns } = item.point
  const at = BigInt(ms) * 1_000_000n + BigInt(ns)
  return { item, at, written: at > 0n ? at : 0n }
}

type SegmentOf<T> = {
  /** The number of records. */
  count: () => number
  /** Records after this number, in order of their numbers. */
  after: (id: number, limit: number) => { id: number; ms: number; item: T }[]
  /** How many came again later, into one of these files, and are replaced. */
  repeatedIn?: (files: readonly string[]) => number
  close: () => void
}

/** Files of consecutive records, whose time of arrival is known by the file only. */
function segmentUnits<T>(folder: string, open: (file: string) => SegmentOf<T>): Unit<T>[] {
  const begun = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /^\d{13,}\.db$/.test(name))
    .map((name) => Number(name.slice(0, -3)))
    .sort((a, b) => a - b)
  return begun.map((begin, i): Unit<T> => {
    const end = begun[i + 1]
    const file = join(folder, `${begin}.db`)
    // none takes records for longer than a day
    const limit = (end ?? begin + DAY_MS) - 1
    const segmentOf = <R>(work: (segment: SegmentOf<T>) => R) => {
      const segment = undamaged(file, () => open(file))
      try {
        return undamaged(file, () => work(segment))
      } finally {
        segment.close()
      }
    }
    return {
      name: basename(file),
      from: BigInt(begin) * 1_000_000n,
      to: BigInt(limit + 1) * 1_000_000n,
      // the last one may be of a time in which ClickHouse got records too
      ...(end !== undefined && {
        content: () => ({ count: segmentOf((segment) => segment.count()), sum: undefined }),
      }),
      repeated: () => {
        const later = begun.slice(i + 1).map((at) => join(folder, `${at}.db`))
        return segmentOf((segment) => segment.repeatedIn?.(later) ?? 0)
      },
      *read() {
        const segment = undamaged(file, () => open(file))
        try {
          for (let after = 0; ; ) {
            const found = undamaged(file, () => segment.after(after, PAGE))
            yield found.map(({ id, ms, item }) => {
              const within = Math.min(Math.max(Math.floor(ms), begin), limit)
              // the same whenever it is copied, and another for each
              const at = BigInt(within) * 1_000_000n + BigInt(id % 1_000_000)
              return { item, at, written: at }
            })
            if (found.length < PAGE) return
            after = found.at(-1)!.id
          }
        } finally {
          segment.close()
        }
      },
    }
  })
}

/** The traces of our own files. The server may be running. */
export const embeddedTraces = (folder: string): Source<Spans> => ({
  what: 'spans',
  tables: ['spans'],
  rows: () => new SpanRows(),
  units: () =>
    segmentUnits(folder, (file) => {
      const segment = new TraceSegment(file)
      return {
        count: () => segment.count(),
        after: (id, limit) =>
          segment.after(id, limit).map(({ span, origin, ...row }) => ({
            id: row.id,
            ms: Number(span.startTimeUnixNano) / 1e6,
            item: { origin, spans: [span] },
          })),
        repeatedIn: (files) => segment.repeatedIn(files),
        close: () => segment.close(),
      }
    }),
})

/** The SIP captures of our own files. The server may be running. */
export const embeddedCaptures = (folder: string): Source<Captured> => ({
  what: 'SIP and RTCP messages',
  tables: ['messages'],
  rows: () => new MessageRows(),
  units: () =>
    segmentUnits(folder, (file) => {
      const segment = new CaptureSegment(file)
      return {
        count: () => segment.count(),
        after: (id, limit) =>
          segment.after(id, limit).map((item) => ({ id: item.id, ms: item.time / 1_000, item })),
        close: () => segment.close(),
      }
    }),
})
