import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'
import { type ClickHouse, clickHouse } from '../packages/server/src/stores/clickhouse/client.ts'
import { prepareTables } from '../packages/server/src/stores/clickhouse/prepare-tables.ts'
import { spoolsOf } from '../packages/server/src/stores/clickhouse/refused.ts'
import { copy, type Progress, type Source } from '../packages/server/src/stores/copy/copy.ts'
import {
  embeddedCaptures,
  embeddedPoints,
  embeddedTraces,
  waitingDays,
} from '../packages/server/src/stores/copy/files.ts'
import { influxPoints } from '../packages/server/src/stores/copy/influx.ts'
import { refusedIn, retryRefused } from '../packages/server/src/stores/kit/refused-batches.ts'

/**
 * Copies call records, alerts, traces and SIP into ClickHouse, and deals with rows that ClickHouse refused. The server may
 * be running.
 */
const USAGE = `Usage: npm run telemetry -- copy --from embedded --to clickhouse
       npm run telemetry -- copy --from influxdb --url http://influxdb.example.com:8086 --to clickhouse
       npm run telemetry -- refused [--retry | --delete]`
const DAY_MS = 86_400_000
/** Data this close to its expiry is not copied: it would go while it is counted. */
const SLACK_MS = 3_600_000
const SAY_EVERY_MS = 5_000

function readArguments() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      url: { type: 'string' },
      retry: { type: 'boolean' },
      delete: { type: 'boolean' },
    },
  })
  const { from, to, url, retry, delete: remove } = values
  if (positionals.join() === 'refused') {
    if ((from ?? to ?? url) !== undefined || (retry && remove)) throw new Error()
    return { url, refused: retry ? 'retry' : remove ? 'delete' : 'list' } as const
  }
  if (retry || remove) throw new Error()
  const isKnown = from === 'embedded' ? url === undefined : from === 'influxdb' && url !== undefined
  if (positionals.join() !== 'copy' || to !== 'clickhouse' || !isKnown) throw new Error()
  if (url !== undefined && !/^https?:$/.test(new URL(url).protocol)) throw new Error()
  return { url: url?.replace(/\/+$/, ''), refused: undefined }
}

function readOrExit() {
  try {
    return readArguments()
  } catch {
    console.error(USAGE)
    process.exit(2)
  }
}

const number = (n: number) => n.toLocaleString('en')

/** A line now and then for what takes long. */
function sayer() {
  let said = performance.now()
  return ({ what, unit, read }: Progress) => {
    if (performance.now() - said < SAY_EVERY_MS) return
    said = performance.now()
    console.log(`${unit}: ${number(read)} ${what} read`)
  }
}

async function copyAll<T>(source: Source<T>, db: ClickHouse, oldest: bigint) {
  let [copied, there, old] = [0, 0, 0]
  for await (const done of copy(source, db, oldest, sayer())) {
    const { unit, read, what } = done
    copied += done.copied
    there += read - done.copied
    old += done.old
    if (done.damage !== undefined) {
      process.exitCode = 1
      console.error(
        `${unit}: ${number(done.copied)} ${what} copied, the others cannot be read. ${done.damage}`,
      )
      continue
    }
    if (read === 0) continue
    console.log(
      `${unit}: ${number(read)} ${what} ${done.copied === read ? 'copied' : 'there already'}`,
    )
  }
  const left = old > 0 ? `, ${number(old)} too old to be kept` : ''
  console.log(`${source.what}: ${number(copied)} copied, ${number(there)} there already${left}`)
}

/** Lists the rows that ClickHouse refused, makes them wait for it again, or deletes them. */
async function dealWithRefused(config: Config, what: 'list' | 'retry' | 'delete') {
  const files = (await Promise.all(spoolsOf(config).map(refusedIn))).flat()
  for (const file of files) {
    for (const { into, rows = 0, why } of file.parts)
      console.log(`${file.file}: ${number(rows)} of ${into.split(' ')[0]}. ${why}`)
    if (what === 'retry') await retryRefused(file)
    if (what === 'delete') await rm(file.file, { force: true })
  }
  const rows = files.flatMap(({ parts }) => parts).reduce((sum, part) => sum + (part.rows ?? 0), 0)
  const done = { list: 'refused', retry: 'wait for ClickHouse again', delete: 'deleted' }[what]
  console.log(`${number(rows)} rows ${done}`)
}

process.umask(0o077)
const { url, refused } = readOrExit()
let config: Config | undefined
try {
  config = readConfig(process.env)
  const { telemetry, data } = config
  if (telemetry.kind !== 'clickhouse') {
    console.error('Set SWITCHROOM_CLICKHOUSE_URL first.')
    process.exit(2)
  }
  if (refused) {
    await dealWithRefused(config, refused)
    process.exit()
  }
  const { clickhouse, days } = telemetry
  const server = clickHouse(clickhouse, { isMissing: true })
  await prepareTables(server, { ...clickhouse, days })
  await server.close()
  const db = clickHouse(clickhouse)
  const oldest = BigInt(Date.now() - days * DAY_MS + SLACK_MS) * 1_000_000n
  if (url !== undefined) await copyAll(influxPoints(url, days, Date.now()), db, oldest)
  else {
    await copyAll(embeddedPoints(join(data, 'telemetry')), db, oldest)
    const waiting = waitingDays(join(data, 'telemetry'))
    if (waiting.length > 0) {
      process.exitCode = 1
      console.error(
        `${waiting.join(', ')}: call records that wait in ${join(data, 'telemetry', 'spool')} are not copied. Start the server without SWITCHROOM_CLICKHOUSE_URL until it has stored them, then copy again.`,
      )
    }
    await copyAll(embeddedTraces(join(data, 'traces')), db, oldest)
    await copyAll(embeddedCaptures(join(data, 'captures')), db, oldest)
  }
  await db.close()
} catch (e) {
  exitBecause(e, config, 'Copying stopped. Start it again to go on')
}
process.exit()
