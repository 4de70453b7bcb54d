import { parentPort, workerData } from 'node:worker_threads'
import { keepSums } from '../../clickhouse/keep-sums.ts'
import { openIntake } from '../../clickhouse/open-intake.ts'
import { serveRequests } from '../../kit/ports.ts'
import { answer, type Query } from '../answer.ts'
import { type Moment, parseLines } from '../lines.ts'
import { telemetryListener } from '../listener.ts'
import { Counts } from '../store.ts'
import { BadQuery } from '../tokens.ts'
import { clickHouseCalls } from './calls.ts'
import { PointRows } from './point-rows.ts'
import { clickHousePoints } from './points.ts'
import { clickHouseSource } from './source.ts'
import type { ThreadOptions } from './store.ts'
import { CALL_SUMS } from './sums.ts'

/** The thread that takes what components send, and asks ClickHouse for them. */
const options: ThreadOptions = workerData
const { days, listen } = options
const DAY_MS = 86_400_000

const { db, ...taken } = openIntake('calls', options, () => new PointRows())
const counts = new Counts()
const sums = keepSums(db, CALL_SUMS, days)
const source = clickHouseSource(clickHouseCalls(db, days), clickHousePoints(db))

let last: Moment = { ms: 0, ns: 0 }
const intake = {
  now(): Moment {
    const ms = Date.now()
    last = ms > last.ms ? { ms, ns: 0 } : { ms: last.ms, ns: last.ns + 1 }
    return last
  },
  // clocks may be up to a day ahead
  takes: (ms: number) => ms >= Date.now() - days * DAY_MS && ms < Date.now() + DAY_MS,
  write: taken.write,
}

async function ask(query: Query) {
  try {
    return { answer: await answer(source, query) }
  } catch (e) {
    if (e instanceof BadQuery) return { error: e.message }
    throw e
  }
}

const listener = listen && telemetryListener({ ...listen, intake, counts, ask })

serveRequests(parentPort!, {
  /** The port it listens on. Throws if it cannot listen. */
  async port() {
    await taken.begun()
    return (await listener)?.port
  },
  /** Writes lines of our own. */
  async write(database: string, body: string) {
    const { points, errors } = parseLines(body, intake.now)
    if (errors.length > 0) throw new Error(errors[0])
    await intake.write(points.map((point) => ({ database, point })))
  },
  maintain: () => sums.now(),
  metrics: () => ({ ...counts.all(), bytes: 0 }),
  /** What waits for ClickHouse here, and why. */
  waiting: taken.waiting,
  async close() {
    await (await listener?.catch(() => undefined))?.close()
    await sums.stop()
    await taken.close()
    setImmediate(() => process.exit(0))
  },
})
listener?.catch(() => undefined) // `port` reports the error
