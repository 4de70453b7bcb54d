import { parentPort, workerData } from 'node:worker_threads'
import { keepSums } from '../../clickhouse/keep-sums.ts'
import { openIntake } from '../../clickhouse/open-intake.ts'
import { serveRequests } from '../../kit/ports.ts'
import { VOICE_SUMS } from '../../voice/clickhouse/sums.ts'
import { Intake } from '../intake.ts'
import { traceListener } from '../listener.ts'
import type { WordsPolicy } from '../store.ts'
import { Redaction } from '../words.ts'
import { clickHouseArrivals } from './arrivals.ts'
import type { TraceThreadOptions } from './store.ts'
import { SpanRows, storedOwners } from './traces.ts'

/** The thread that takes spans for ClickHouse, and reads what was said. */
const {
  listen,
  words,
  process: own,
  ...settings
}: TraceThreadOptions & { process: number } = workerData

const { db, ...taken } = openIntake('traces', settings, () => new SpanRows(own))
const redaction = new Redaction(words, storedOwners(db))
const intake = new Intake(taken.write, redaction)
const listeners = Promise.all(listen.map((at) => traceListener({ ...at, intake })))
const sums = keepSums(db, VOICE_SUMS, settings.days)
const { due, talks, done } = clickHouseArrivals(db, own)

serveRequests(parentPort!, {
  /** The ports it listens on. Throws if it cannot listen. */
  async ports() {
    await taken.begun()
    return (await listeners).map(({ port }) => port)
  },
  async due(...wanted: Parameters<typeof due>) {
    // the tables may have to be made
    await taken.begun()
    return due(...wanted)
  },
  followWords: (policy: WordsPolicy) => redaction.follow(policy),
  talks,
  done,
  maintain: () => sums.now(),
  metrics: () => ({ ...intake.counts(), bytes: 0 }),
  waiting: taken.waiting,
  async close() {
    for (const { close } of await listeners.catch(() => [])) await close()
    await sums.stop()
    await taken.close()
    setImmediate(() => process.exit(0))
  },
})
// `ports` reports the error
listeners.catch(() => undefined)
