import { parentPort, workerData } from 'node:worker_threads'
import { serveRequests } from '../embedded/ports.ts'
import { Intake } from '../traces/intake.ts'
import { traceListener } from '../traces/listener.ts'
import { openIntake } from './open-intake.ts'
import type { TraceThreadOptions } from './trace-store.ts'
import { SpanRows } from './traces.ts'

/** The thread that takes spans for ClickHouse. */
const { listen, ...settings }: TraceThreadOptions = workerData

const taken = openIntake('traces', settings, () => new SpanRows())
const intake = new Intake(taken.write)
const listeners = Promise.all(listen.map((at) => traceListener({ ...at, intake })))

serveRequests(parentPort!, {
  /** The ports it listens on. Throws if it cannot listen. */
  async ports() {
    await taken.begun()
    return (await listeners).map(({ port }) => port)
  },
  metrics: () => ({ ...intake.counts(), bytes: 0 }),
  waiting: taken.waiting,
  async close() {
    for (const { close } of await listeners.catch(() => [])) await close()
    await taken.close()
    setImmediate(() => process.exit(0))
  },
})
// `ports` reports the error
listeners.catch(() => undefined)
