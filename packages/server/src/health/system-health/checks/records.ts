import { relative } from 'node:path'
import { type HealthPartName, plural, STORED, type Stored, t } from '@switchroom/contract'
import type { Context } from '../../../http/context.ts'
import type { Finding } from '../../../parts/registry.ts'
import type { Held, WaitingRows } from '../../../stores/calls/store.ts'
import { refusedSentence } from '../../../stores/clickhouse/refused.ts'

const EVERY_MS = 15_000
/** Time for which a loss on our side is shown. */
const LOSS_MS = 5 * 60_000

const EXTERNAL: Record<string, HealthPartName> = {
  InfluxDB: 'influxdb',
  Jaeger: 'jaeger',
  Homer: 'homer',
}

type Counts = Record<string, number>
/** Counts of a listener since the start. `lost`: records that it could not store, through its own fault. */
type Counted = { received: Counts; refused: Counts; lost: number }

const sum = (counts: Counts) => Object.values(counts).reduce((total, n) => total + n, 0)
const clock = (ms: number) => `${new Date(ms).toISOString().slice(11, 19)} UTC`

/** Checks the operator's own servers of records, and the listeners for the platform's components. */
export function watchRecords(ctx: Context) {
  const { config, health, stores } = ctx
  for (const [name, ping] of Object.entries(stores.external)) {
    const part = EXTERNAL[name]
    if (!part) throw new Error(`${name} has no line in HEALTH_PARTS`)
    health.watch({
      part,
      every_ms: EVERY_MS,
      async run() {
        const began = performance.now()
        await ping()
        return {
          state: 'ok',
          sentence: t('Answers in {milliseconds} ms', {
            milliseconds: Math.ceil(performance.now() - began),
          }),
        }
      },
    })
  }
  const { holdings } = stores
  if (holdings)
    health.watch({
      part: 'clickhouse',
      every_ms: EVERY_MS,
      run: () => clickHouseFinding(health, holdings),
    })
  const { telemetry, traces, captures } = config
  if (telemetry.kind !== 'influx' && telemetry.listen)
    watchIntake(ctx, 'intake_influx', points, async () => {
      const now = await stores.ingested()
      return now && { received: now.points, refused: now.dropped, lost: failed(now.requests) }
    })
  if (traces.kind !== 'jaeger' && traces.listen.length > 0)
    watchIntake(ctx, 'intake_traces', spans, async () => {
      const now = await stores.ingestedTraces()
      return now && { received: now.spans, refused: now.dropped, lost: 0 }
    })
  if (captures.kind !== 'homer' && captures.listen)
    watchIntake(ctx, 'intake_hep', messages, async () => {
      const now = await stores.ingestedCaptures()
      const lost = (now?.dropped.not_written ?? 0) + (now?.dropped.too_many ?? 0)
      return now && { received: now.messages, refused: now.dropped, lost }
    })
  const { unusedFiles } = stores
  if (unusedFiles)
    health.watch({
      part: 'telemetry_files',
      every_ms: EVERY_MS,
      async run() {
        const waiting = await stores.waiting?.()
        if (waiting) measureWaiting(health, 'call_records', waiting)
        return (waiting && waitingFinding(waiting)) ?? filesFinding(unusedFiles(), config.data)
      },
    })
  health.watch({
    part: 'intake_recordings',
    every_ms: EVERY_MS,
    async run() {
      const { counts, bytes, isFull } = stores.incoming
      const waiting = t('{megabytes} MB waiting', { megabytes: Math.ceil(bytes / 1e6) })
      if (isFull)
        return {
          state: 'failing',
          sentence: t('New recordings are refused, because {waiting}', { waiting }),
        }
      const { kept, refused, failed } = counts
      return {
        state: 'ok',
        sentence: t('{kept} stored, {refused} refused, {failed} failed attempts, {waiting}', {
          kept,
          refused,
          failed,
          waiting,
        }),
      }
    },
  })
}

const sizeText = (bytes: number) =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`

function measureWaiting(
  health: Context['health'],
  what: 'clickhouse' | 'call_records',
  { bytes, since }: WaitingRows,
) {
  health.measure(`${what}_waiting_bytes`, bytes)
  const ms = since === undefined ? 0 : Math.max(0, Date.now() - since)
  health.measure(`${what}_behind_seconds`, ms / 1_000)
}

/** Undefined if nothing waits. */
export function waitingFinding({ bytes, since, problem }: WaitingRows): Finding | undefined {
  if (since === undefined) return undefined
  const text = t('{size} waits in the data folder, the oldest since {clock}', {
    size: sizeText(bytes),
    clock: clock(since),
  })
  return problem === undefined
    ? { state: 'degraded', sentence: text }
    : { state: 'failing', sentence: `${text}. ${problem}` }
}

async function clickHouseFinding(
  health: Context['health'],
  { tables, waiting }: NonNullable<Context['stores']['holdings']>,
): Promise<Finding> {
  const rows = await waiting()
  const { problem, refused } = rows
  measureWaiting(health, 'clickhouse', rows)
  for (const [table, n] of Object.entries(refused?.rows ?? {}))
    health.measure('clickhouse_refused_rows', n, table)
  const found = waitingFinding(rows)
  if (found) return found
  const held = await tables()
  for (const { table, rows, bytes } of held) {
    health.measure('clickhouse_rows', rows, table)
    health.measure('clickhouse_bytes', bytes, table)
  }
  if (problem !== undefined) return { state: 'failing', sentence: problem }
  const stored = storedIn(held)
  if (refused) return { state: 'degraded', sentence: refusedText(refused), stored }
  const calls = held.find(({ table }) => table === 'calls')
  if (!calls) return { state: 'ok', sentence: t('No calls yet'), stored }
  health.measure('clickhouse_oldest_day_timestamp_seconds', Date.parse(calls.oldest_day) / 1_000)
  return {
    state: 'ok',
    sentence: plural(
      calls.rows,
      'About 1 call since {day}, {size} on its disks|About {n} calls since {day}, {size} on its disks',
      { day: calls.oldest_day, size: sizeText(held.reduce((all, { bytes }) => all + bytes, 0)) },
    ),
    stored,
  }
}

export const refusedText = (refused: NonNullable<WaitingRows['refused']>) =>
  t('{sentence}. Run npm run telemetry -- refused to list them.', {
    sentence: refusedSentence(refused),
  })

/** Stored data under names that people know, the rest together. */
function storedIn(held: Held[]): Stored[] {
  const known = new Set<string>(STORED)
  return STORED.flatMap((what): Stored[] => {
    const tables = held.filter(({ table }) => (known.has(table) ? table : 'others') === what)
    if (tables.length === 0) return []
    return [
      {
        what,
        rows: tables.reduce((all, { rows }) => all + rows, 0),
        bytes: tables.reduce((all, { bytes }) => all + bytes, 0),
        oldest_day: what === 'others' ? null : tables[0]!.oldest_day,
      },
    ]
  })
}

/** Readiness is not affected: the other days are shown, and new records go into fresh files. */
type UnusedFiles = Record<'damaged' | 'newer', string[]>

/** Damage first: the others are named once that is dealt with. */
export function filesFinding({ damaged, newer }: UnusedFiles, data: string): Finding {
  const [first, ...others] = damaged.length > 0 ? damaged : newer
  if (first === undefined) return { state: 'ok', sentence: t('No file is damaged') }
  const name = relative(data, first)
  const sentence = damaged.length > 0 ? damagedSentence : newerSentence
  return { state: 'degraded', sentence: sentence(name, others.length) }
}

const damagedSentence = (name: string, more: number) =>
  more > 0
    ? plural(
        more,
        'Damaged and set aside: {name} and 1 more. Run npm run recover to save what can be read.|Damaged and set aside: {name} and {n} more. Run npm run recover to save what can be read.',
        { name },
      )
    : t('Damaged and set aside: {name}. Run npm run recover to save what can be read.', { name })

const newerSentence = (name: string, more: number) =>
  more > 0
    ? plural(
        more,
        'Written by a newer version of Switchroom, and not in use: {name} and 1 more. Start that version.|Written by a newer version of Switchroom, and not in use: {name} and {n} more. Start that version.',
        { name },
      )
    : t('Written by a newer version of Switchroom, and not in use: {name}. Start that version.', {
        name,
      })

/** Requests that we could not serve. */
const failed = (requests: Counts) =>
  sum(Object.fromEntries(Object.entries(requests).filter(([status]) => status.startsWith('5'))))

type Received = (count: number, refused: string, clock: string | undefined) => string

const points: Received = (count, refused, clock) =>
  clock
    ? plural(
        count,
        '1 point received, the latest at {clock}, {refused}|{n} points received, the latest at {clock}, {refused}',
        { clock, refused },
      )
    : plural(count, '1 point received, {refused}|{n} points received, {refused}', { refused })

const spans: Received = (count, refused, clock) =>
  clock
    ? plural(
        count,
        '1 span received, the latest at {clock}, {refused}|{n} spans received, the latest at {clock}, {refused}',
        { clock, refused },
      )
    : plural(count, '1 span received, {refused}|{n} spans received, {refused}', { refused })

const messages: Received = (count, refused, clock) =>
  clock
    ? plural(
        count,
        '1 message received, the latest at {clock}, {refused}|{n} messages received, the latest at {clock}, {refused}',
        { clock, refused },
      )
    : plural(count, '1 message received, {refused}|{n} messages received, {refused}', { refused })

function watchIntake(
  { health }: Context,
  part: HealthPartName,
  sentenceOf: Received,
  read: () => Promise<Counted | undefined>,
) {
  let seen = 0
  let latest: number | undefined
  let lost = 0
  let lostAt = Number.NEGATIVE_INFINITY
  health.watch({
    part,
    every_ms: 10_000,
    async run(): Promise<Finding> {
      // a listener that is starting again has counted nothing
      const now = (await read()) ?? { received: {}, refused: {}, lost: 0 }
      const received = sum(now.received)
      if (received > seen) {
        latest = Date.now()
        health.measure('intake_latest_timestamp_seconds', latest / 1_000, part)
      }
      seen = received
      if (now.lost > lost) lostAt = performance.now()
      lost = now.lost
      const refused = plural(sum(now.refused), '1 refused|{n} refused')
      const text = sentenceOf(received, refused, latest === undefined ? undefined : clock(latest))
      if (performance.now() - lostAt < LOSS_MS)
        return { state: 'degraded', sentence: t('Some could not be stored: {text}', { text }) }
      return { state: 'ok', sentence: text }
    },
  })
}
