import { parentPort, workerData } from 'node:worker_threads'
import { Counts, type WaitingRows } from '../calls.ts'
import { answer, type Query } from '../embedded/answer.ts'
import { type Moment, parseLines } from '../embedded/lines.ts'
import { telemetryListener } from '../embedded/listener.ts'
import { serveRequests } from '../embedded/ports.ts'
import { BadQuery } from '../embedded/tokens.ts'
import { clickHouseCalls } from './calls.ts'
import { clickHouse, reasonOf } from './client.ts'
import { Intake } from './intake.ts'
import { keepSums } from './keep-sums.ts'
import { clickHousePoints } from './points.ts'
import { clickHouseSource } from './source.ts'
import { BatchSpool } from './spool.ts'
import type { ThreadOptions } from './store.ts'
import { prepareTables } from './tables.ts'

/** The thread that takes what components send, and asks ClickHouse for them. */
const { clickhouse, days, spool, listen, pause_ms }: ThreadOptions = workerData
const DAY_MS = 86_400_000

const db = clickHouse(clickhouse)
const server = clickHouse(clickhouse, { isMissing: true })
const prepare = () => prepareTables(server, { ...clickhouse, days })
const counts = new Counts()
const opened = BatchSpool.open(spool.folder, spool.max_bytes).then(
  (batches) => new Intake({ db, spool: batches, pause_ms, prepare }),
)
const sums = keepSums(db, days)
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
  write: async (batch: Parameters<Intake['write']>[0]) => (await opened).write(batch),
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
    await (await opened).begun
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
  async waiting(): Promise<WaitingRows> {
    const { problem, bytes, since } = (await opened).state()
    return { bytes, since, problem: problem === undefined ? undefined : reasonOf(problem) }
  },
  async close() {
    await (await listener?.catch(() => undefined))?.close()
    await (await opened).close()
    await sums.stop()
    await Promise.all([db.close(), server.close()])
    setImmediate(() => process.exit(0))
  },
})
listener?.catch(() => undefined) // `port` reports the error
