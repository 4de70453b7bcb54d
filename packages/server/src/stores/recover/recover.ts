import { basename, dirname, join } from 'node:path'
import { Folder } from '../calls/files/folder.ts'
import { Ingest } from '../calls/files/ingest.ts'
import { COLUMNS, fieldsOf } from '../calls/files/row.ts'
import type { NamedCall } from '../calls/files/shard.ts'
import type { Point, Batch as Points } from '../calls/lines.ts'
import { DAY_MS } from '../calls/times.ts'
import { damagedFiles, formerName, markRecovered } from '../kit/damage.ts'
import type { Kind } from '../kit/formats.ts'
import { Segment as CaptureSegment } from '../sip/files/segment.ts'
import type { Captured } from '../sip/store.ts'
import { Segment as TraceSegment } from '../traces/files/segment.ts'
import type { Batch as Spans } from '../traces/span.ts'
import { lastIds, type Row, rowsOf, type Value } from './pages.ts'
import { saveVoiceDay } from './voice.ts'

/**
 * `lost`: at most, because rows that were replaced or deleted are missing as well; undefined if what is damaged does not
 * tell how many there were.
 */
export type Saved = { file: string; saved: number; lost: number | undefined }

const AT_ONCE = 1_000
const SHARD_PAGE = 8_192
const SEGMENT_PAGE = 4_096

/** Saves a file in batches. Others may write between these. */
export type Saving = Generator<void, Omit<Saved, 'file'>>
/** What can be read of a file, written again. */
export const savers: Record<Kind, (file: string) => Saving> = {
  calls: saveDay,
  traces: saveTraces,
  captures: saveCaptures,
  voice: saveVoice,
}

/**
 * Writes what can be read of a set-aside file into the store again, and renames it from `.damaged` to `.recovered`. A
 * repeated or interrupted run stores nothing twice.
 */
export function* saving(kind: Kind, file: string): Saving {
  const saved = yield* savers[kind](file)
  markRecovered(file)
  return saved
}

/** Saves all set-aside files of a folder. The server may be running. */
export function recover(kind: Kind, folder: string): Saved[] {
  return damagedFiles([folder]).map((file) => {
    const batches = saving(kind, file)
    for (;;) {
      const next = batches.next()
      if (next.done) return { file, ...next.value }
    }
  })
}

/** How many of the rows of these tables were saved. */
function counted(saved: number, file: string, page_size: number, tables: readonly string[]) {
  let rows = 0
  for (const last of lastIds(file, page_size, tables)) {
    if (last === undefined) return { saved, lost: undefined }
    rows += last
  }
  return { saved, lost: Math.max(0, rows - saved) }
}

const isText = (value: Value | undefined) => typeof value === 'string'
const isNumber = (value: Value | undefined) => typeof value === 'number'
const orNull = (is: (value: Value | undefined) => boolean) => (value: Value | undefined) =>
  value === null || is(value)
const isNull = (value: Value | undefined) => value === null
const isBlob = (value: Value | undefined) => Buffer.isBuffer(value)

/** Whether a row has these columns. */
const has =
  (...columns: ((value: Value | undefined) => boolean)[]) =>
  ({ values }: Row) =>
    values.length === columns.length && columns.every((is, i) => is(values[i]))

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

const isWord = has(isNull, isText)
const isSeries = has(isNull, isText, isText, isText, isText)
const isPoint = has(isNull, isNumber, isNumber, isNumber, isText)
const isCall = has(
  isNull,
  ...times(4, isNumber),
  ...times(4, orNull(isNumber)),
  ...times(10, orNull(isText)),
  ...times(3, orNull(isNumber)),
)
const isOrigin = isWord
const isSpan = has(isNull, isBlob, isBlob, isNumber, isText)
const isLeg = has(isNull, isText, orNull(isText), isNumber)
const isMessage = has(
  ...[isNull, isNumber, isText, isNumber, isText, isNumber, isText, isNumber],
  ...[isText, isText, isBlob],
)

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

type Series = { database: string; series: Point['series'] }

function* saveDay(file: string): Saving {
  const folder = new Folder(dirname(file), 'write')
  const ingest = new Ingest(folder)
  const day = Date.parse(basename(formerName(file)).slice(0, 10)) / DAY_MS
  const words = new Map<number, string>()
  const series = new Map<number, Series>()
  for (const row of rowsOf(file, SHARD_PAGE)) {
    const [, first, key, tags, measurement] = row.values
    if (isWord(row)) words.set(row.id, String(first))
    if (!isSeries(row)) continue
    const parsed = jsonOf(tags)
    if (!parsed) continue
    // this program wrote the tags
    const named = { measurement: String(measurement), tags: parsed as Record<string, string> }
    series.set(row.id, { database: String(first), series: { ...named, key: String(key) } })
  }
  let saved = 0
  let batch: Points = []
  const write = () => {
    // what came in since is newer
    ingest.write(batch, { isOlder: true })
    batch = []
  }
  for (const row of rowsOf(file, SHARD_PAGE)) {
    const point = isCall(row)
      ? callPoint(row, series, words, day)
      : isPoint(row)
        ? otherPoint(row, series, day)
        : undefined
    if (!point) continue
    saved++
    batch.push(point)
    if (batch.length < AT_ONCE) continue
    write()
    yield
  }
  write()
  folder.close()
  return counted(saved, file, SHARD_PAGE, ['calls', 'points'])
}

function pointAt(day: number, at: number, { database, series }: Series, fields: Point['fields']) {
  if (!(at >= 0 && at < DAY_MS * 1e6)) return undefined
  const point: Point = { series, fields, ms: day * DAY_MS + Math.floor(at / 1e6), ns: at % 1e6 }
  return { database, point }
}

function callPoint(
  { id, values }: Row,
  series: Map<number, Series>,
  words: Map<number, string>,
  day: number,
) {
  const columns = Object.fromEntries(COLUMNS.map((name, i) => [name, values[i]]))
  const of = series.get(Number(columns.series))
  if (!of) return undefined
  const more = columns.more === null || jsonOf(columns.more) ? columns.more : null
  const application_sid = words.get(Number(columns.application)) ?? null
  // the types of the columns were checked
  const row = { ...columns, id, more, application_sid } as NamedCall
  return pointAt(day, row.at, of, fieldsOf(row))
}

function otherPoint({ values }: Row, series: Map<number, Series>, day: number) {
  const [, of, , at, fields] = values
  const found = series.get(Number(of))
  const parsed = jsonOf(fields)
  return found && parsed ? pointAt(day, Number(at), found, parsed as Point['fields']) : undefined
}

function* saveVoice(file: string): Saving {
  const saved = yield* saveVoiceDay(file)
  return counted(saved, file, SEGMENT_PAGE, ['calls'])
}

function* saveTraces(file: string): Saving {
  const segment = new TraceSegment(join(dirname(file), basename(formerName(file))))
  const origins = new Map<number, Spans['origin']>()
  for (const row of rowsOf(file, SEGMENT_PAGE)) {
    const origin = isOrigin(row) ? jsonOf(row.values[1]) : undefined
    // this program wrote them
    if (origin) origins.set(row.id, origin as Spans['origin'])
  }
  let saved = 0
  let batch: Spans[] = []
  const write = () => {
    segment.write(batch)
    batch = []
  }
  for (const row of rowsOf(file, SEGMENT_PAGE)) {
    if (!isSpan(row)) continue
    const [, trace, span, of, text] = row.values
    const body = jsonOf(text)
    if (!body || !Buffer.isBuffer(trace) || !Buffer.isBuffer(span)) continue
    const ids = { traceId: trace.toString('hex'), spanId: span.toString('hex') }
    const origin = origins.get(Number(of)) ?? { resource: [], scope: { name: '', version: '' } }
    batch.push({ origin, spans: [{ ...ids, ...body } as Spans['spans'][number]] })
    saved++
    if (batch.length < AT_ONCE) continue
    write()
    yield
  }
  write()
  segment.close()
  return counted(saved, file, SEGMENT_PAGE, ['spans'])
}

function* saveCaptures(file: string): Saving {
  const segment = new CaptureSegment(join(dirname(file), basename(formerName(file))))
  const legs = new Map<number, { call_id: string; parent: string | null }>()
  for (const row of rowsOf(file, SEGMENT_PAGE)) {
    const [, call_id, parent] = row.values
    if (isLeg(row))
      legs.set(row.id, {
        call_id: String(call_id),
        parent: parent === null ? null : String(parent),
      })
  }
  let saved = 0
  let batch: Captured[] = []
  const write = () => {
    segment.write(batch.filter((message) => !segment.hasMessage(message)))
    batch = []
  }
  for (const row of rowsOf(file, SEGMENT_PAGE)) {
    if (!isMessage(row)) continue
    const leg = legs.get(Number(row.values[1]))
    const bytes = row.values[10]
    if (!leg || !Buffer.isBuffer(bytes)) continue
    const [, , sort, time, from, fromPort, to, toPort, transport, node] = row.values
    batch.push({
      ...leg,
      time: Number(time),
      kind: sort === 'rtcp' ? 'rtcp' : 'sip',
      source: { address: String(from), port: Number(fromPort) },
      destination: { address: String(to), port: Number(toPort) },
      transport: String(transport),
      node: String(node),
      bytes,
    })
    saved++
    if (batch.length < AT_ONCE) continue
    write()
    yield
  }
  write()
  segment.close()
  return counted(saved, file, SEGMENT_PAGE, ['messages'])
}
