import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startClickHouse } from '../e2e/clickhouse.ts'
import { processorTime } from './bench/server.ts'
import { apiOf, logIn } from './demo/api.ts'
import { callsOf } from './demo/calls.ts'
import type { PlannedCall } from './demo/planned-call.ts'
import { provision } from './demo/provision.ts'
import { callLine } from './demo/records.ts'
import { sendFrames, sendLines, sendTraces } from './demo/senders.ts'
import { choosePorts, startServer } from './demo/server.ts'
import { sipFrames } from './demo/sip.ts'
import { tracesOf } from './demo/store.ts'

/**
 * What one call costs with ClickHouse: sends the records, traces and SIP messages of the demo's calls, each kind by
 * itself, and tells the processor time that Switchroom and ClickHouse take for them, with one merge of every day, and
 * their bytes on the disk. docs/scale.md is computed from it.
 */
const { values } = parseArgs({ options: { calls: { type: 'string', default: '40000' } } })
const WANTED = Number(values.calls)
const MINUTE = 60_000

const folder = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const clickhouse = await startClickHouse()
const ports = await choosePorts()
const server = await startServer(folder, ports, 'correct horse 1', {
  SWITCHROOM_CLICKHOUSE_URL: clickhouse.url,
  JAMBONES_REDIS_HOST: '',
})
process.once('exit', () => {
  clickhouse.stop()
  server.stop()
})

const token = await logIn(server.url, 'admin', 'correct horse 1')
const world = await provision(apiOf(server.url, token), 'correct horse 1', 'http://127.0.0.1:9/')
const now = Date.now()
const plan = {
  seed: 'a call',
  scale: 10,
  world,
  began: now,
  traced_from: 0,
  incidents: [],
}
const calls: PlannedCall[] = []
for (let minute = Math.floor(now / MINUTE) - 1; calls.length < WANTED; minute--)
  calls.push(...callsOf(plan, minute))
const lines = calls.map((call) => callLine(call))
const traces = tracesOf(calls)
const frames = calls.flatMap(sipFrames)

async function ask(query: string) {
  const answer = await fetch(clickhouse.url, {
    method: 'POST',
    body: query,
    signal: AbortSignal.timeout(600_000),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.text()
}

async function until(isDone: () => Promise<boolean>) {
  for (let tries = 0; !(await isDone()); tries++) {
    if (tries > 1_000) throw new Error('Not everything was stored')
    await new Promise((r) => setTimeout(r, 100))
  }
}

/** Sends parts at the same time, as several components do: what comes within a second is inserted together. */
const together = async <T>(
  components: number,
  all: readonly T[],
  send: (part: readonly T[]) => Promise<void>,
) => {
  const size = Math.ceil(all.length / components)
  await Promise.all(
    Array.from({ length: components }, (_, i) => send(all.slice(i * size, (i + 1) * size))),
  )
}

type Kind = { tables: readonly string[]; items: number; send: () => Promise<void> }
const spans = traces.reduce((sum, trace) => sum + trace.spans.length, 0)
const kinds: Record<string, Kind> = {
  'call record': {
    tables: ['calls', 'call_ids'],
    items: lines.length,
    send: () => together(8, lines, (part) => sendLines(ports.influx, 'cdrs', part)),
  },
  span: {
    tables: ['spans'],
    items: spans,
    send: () => together(2, traces, (part) => sendTraces(ports.traces, part)),
  },
  'SIP message': {
    tables: ['messages', 'legs', 'invites'],
    items: frames.length,
    send: () => sendFrames(ports.hep, frames),
  },
}

console.log(`${calls.length} calls, of which ${traces.length} have a trace`)
const rows = []
for (const [kind, { tables, items, send }] of Object.entries(kinds)) {
  const before = [processorTime(server.pid), processorTime(clickhouse.pid()!)]
  const began = performance.now()
  await send()
  const stored = async () =>
    Number(await ask(`SELECT count() FROM switchroom.${tables[0]} FORMAT TSV`))
  await until(async () => (await stored()) >= items)
  const seconds = (performance.now() - began) / 1_000
  const switchroom = processorTime(server.pid) - before[0]!
  for (const table of tables) await ask(`OPTIMIZE TABLE switchroom.${table} FINAL`)
  const engine = processorTime(clickhouse.pid()!) - before[1]!
  const bytes = Number(
    await ask(
      `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'switchroom' AND table IN (${tables.map((t) => `'${t}'`).join()}) FORMAT TSV`,
    ),
  )
  const each = (value: number) => Math.round((value / items) * 10) / 10
  rows.push({
    kind,
    'a call': Math.round((items / calls.length) * 100) / 100,
    'a second': Math.round(items / seconds),
    'Switchroom µs': each(switchroom * 1_000),
    'ClickHouse µs': each(engine * 1_000),
    'bytes on disk': each(bytes),
  })
}
console.table(rows)
await server.stop()
await clickhouse.stop()
process.exit()
