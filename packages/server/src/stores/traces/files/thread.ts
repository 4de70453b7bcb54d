import { parentPort, workerData } from 'node:worker_threads'
import { groupedWrites } from '../../kit/grouped-writes.ts'
import { serveRequests } from '../../kit/ports.ts'
import { expiring } from '../../recover/expiring.ts'
import { Intake } from '../intake.ts'
import { traceListener } from '../listener.ts'
import type { Batch } from '../span.ts'
import type { Arrival, WordsPolicy } from '../store.ts'
import { talksIn } from '../talks.ts'
import { Redaction } from '../words.ts'
import { Segments } from './segments.ts'
import type { EmbeddedOptions } from './store.ts'

/** The thread that receives, stores and finds traces. */
const { listen, words, ...options }: EmbeddedOptions = workerData

const segments = new Segments(options)
const expiry = expiring('traces', 'traces', options.folder, () => segments.forget())
const redaction = new Redaction(words, async (trace_ids) => segments.owners(trace_ids))
const intake = new Intake(
  groupedWrites<Batch>((batches) => segments.write(batches)),
  redaction,
)
const listeners = Promise.all(listen.map((at) => traceListener({ ...at, intake })))

serveRequests(parentPort!, {
  /** The port it listens on. Throws if it cannot listen. */
  ports: async () => (await listeners).map(({ port }) => port),
  followWords: (policy: WordsPolicy) => redaction.follow(policy),
  find: (trace_id: string) => segments.find(trace_id),
  due: (before: number, limit: number, except: readonly string[]) =>
    segments.due(before, limit, except),
  talks: (trace_ids: readonly string[]) => talksIn(segments, trace_ids),
  done: (arrivals: readonly Arrival[]) => segments.done(arrivals),
  forget: () => segments.forget(),
  metrics: () => ({ ...intake.counts(), bytes: segments.bytes() }),
  async close() {
    await expiry.stop()
    for (const { close } of await listeners.catch(() => [])) await close()
    segments.close()
    setImmediate(() => process.exit(0))
  },
})
// `ports` reports the error
listeners.catch(() => undefined)
