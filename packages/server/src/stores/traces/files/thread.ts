import { parentPort, workerData } from 'node:worker_threads'
import { every } from '../../../live/every.ts'
import { failureLog } from '../../kit/failure-log.ts'
import { groupedWrites } from '../../kit/grouped-writes.ts'
import { serveRequests } from '../../kit/ports.ts'
import { restoreOnce } from '../../recover/at-start.ts'
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
const FORGET_EVERY_MS = 20_000

const segments = new Segments(options)
segments.forget()
const expiry = failureLog('Expiry of traces')
let isClosing = false
// opens what has come back
const restoring = restoreOnce('traces', options.folder, () => isClosing)
  .then(() => segments.forget())
  .catch(expiry.failed)
const forgetting = every(
  FORGET_EVERY_MS,
  async () => {
    segments.forget()
    expiry.worked()
  },
  { onError: expiry.failed },
)
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
    isClosing = true
    await restoring
    await forgetting.stop()
    for (const { close } of await listeners.catch(() => [])) await close()
    segments.close()
    setImmediate(() => process.exit(0))
  },
})
// `ports` reports the error
listeners.catch(() => undefined)
