import { hash } from 'node:crypto'
import type { Rows } from '../../clickhouse/intake.ts'
import { RowBinary } from '../../clickhouse/row-binary.ts'
import { batchOf } from '../../clickhouse/tables.ts'
import { NUMBERS, numberOf, statusOf, TEXTS } from '../fields.ts'
import type { Point, Series, Value } from '../lines.ts'

/** Tags of calls with columns of their own; of points, only the owner. */
const OWNER = ['service_provider_sid', 'account_sid'] as const
const CALL_TAGS = [...OWNER, 'host', 'trunk', 'direction', 'answered'] as const
const KNOWN = new Set<string>([...NUMBERS, ...TEXTS, 'application_sid', 'sip_status'])

/** What is the same for all points of a series. */
type About = {
  /** The owner's columns, and the series' own. */
  owner: Buffer
  hash: Buffer
  /** The other tags. */
  tags: Buffer
}
const MAX_KEPT = 50_000

/** The first eight bytes of a digest. */
const hash64 = (text: string) => hash('sha1', text, 'buffer').subarray(0, 8)

/** A point, and the InfluxDB database it is of. */
export type PointOf = { database: string; point: Point }

/** The rows of points. Of fields without a column, the one that was written last counts. */
export class PointRows implements Rows<PointOf> {
  #calls = new RowBinary()
  #points = new RowBinary()

  clear() {
    this.#calls.clear()
    this.#points.clear()
  }

  bytes = () => this.#calls.length + this.#points.length

  batch: Rows<PointOf>['batch'] = () => batchOf({ calls: this.#calls, points: this.#points })

  add({ database, point }: PointOf, written: bigint) {
    if (database === 'cdrs' && point.series.measurement === 'cdrs') this.#addCall(point, written)
    else this.#addPoint(database, point, written)
  }

  #addCall(point: Point, written: bigint) {
    const { series, fields } = point
    const about = aboutOf(series, CALL_TAGS)
    const to = this.#calls
    addKey(to, point, about)
    to.raw(about.tags)
    to.textOrNull(textOf(fields.application_sid))
    to.int32OrNull(statusOf(fields.sip_status))
    for (const name of NUMBERS) to.float64OrNull(numberOf(fields[name]))
    for (const name of TEXTS) to.textOrNull(textOf(fields[name]))
    addFields(to, fields, KNOWN, written)
  }

  #addPoint(database: string, point: Point, written: bigint) {
    const { series, fields } = point
    const about = aboutOf(series, OWNER)
    const to = this.#points
    to.text(database)
    to.text(series.measurement)
    addKey(to, point, about)
    to.raw(about.tags)
    addFields(to, fields, NONE, written)
  }
}

const NONE: ReadonlySet<string> = new Set()
const textOf = (value: Value | undefined) => (value === undefined ? null : String(value))

/** By the columns that tags have of their own. */
const kept = new Map<readonly string[], Map<string, About>>()

function aboutOf(series: Series, columns: readonly string[]): About {
  let all = kept.get(columns)
  if (!all) {
    all = new Map()
    kept.set(columns, all)
  }
  const before = all.get(series.key)
  if (before) return before
  const { tags } = series
  const [owner, others] = [new RowBinary(512), new RowBinary(512)]
  for (const name of OWNER) owner.text(tags[name] ?? '')
  for (const name of columns.slice(OWNER.length)) others.text(tags[name] ?? '')
  const rest = Object.entries(tags).filter(([name]) => !columns.includes(name))
  others.size(rest.length)
  for (const [name, value] of rest) {
    others.text(name)
    others.text(value)
  }
  const about = { owner: owner.bytes(), hash: hash64(series.key), tags: others.bytes() }
  if (all.size >= MAX_KEPT) all.clear()
  all.set(series.key, about)
  return about
}

function addKey(to: RowBinary, { ms, ns }: Point, { owner, hash }: About) {
  to.raw(owner)
  to.int64(BigInt(ms) * 1_000_000n + BigInt(ns))
  to.raw(hash)
}

function addFields(
  to: RowBinary,
  fields: Record<string, Value>,
  known: ReadonlySet<string>,
  written: bigint,
) {
  let count = 0
  for (const name in fields) if (!known.has(name)) count++
  to.size(count)
  if (count === 0) return
  for (const [name, value] of Object.entries(fields)) {
    if (known.has(name)) continue
    to.text(name)
    to.uint64(written)
    to.text(JSON.stringify(value))
  }
}
