import { parentPort, workerData } from 'node:worker_threads'
import { serveRequests } from '../../kit/ports.ts'
import { expiring } from '../../recover/expiring.ts'
import { Intake } from '../intake.ts'
import { captureListener } from '../listener.ts'
import type { Wanted } from '../store.ts'
import { Segments } from './segments.ts'
import type { EmbeddedOptions } from './store.ts'

/** The thread that receives, stores and finds SIP captures. */
const { listen, key, ...options }: EmbeddedOptions = workerData

const segments = new Segments(options)
const expiry = expiring('captures', 'SIP captures', options.folder, () => segments.forget())
const intake = new Intake((messages) => segments.write(messages), key)
const listener = listen && captureListener({ ...listen, intake })

serveRequests(parentPort!, {
  /** The port it listens on. Throws if it cannot listen. */
  port: async () => (await listener)?.port,
  find(wanted: Wanted) {
    // includes messages that are not written yet
    void intake.flush()
    return segments.find(wanted)
  },
  parentsOf(call_id: string) {
    void intake.flush()
    return segments.parentsOf(call_id)
  },
  invitesSince: (at: number) => intake.recent.since(at),
  forget: () => segments.forget(),
  metrics: () => ({ ...intake.counts(), bytes: segments.bytes() }),
  async close() {
    await expiry.stop()
    await listener?.then(({ close }) => close()).catch(() => undefined)
    await intake.flush()
    segments.close()
    setImmediate(() => process.exit(0))
  },
})
// `port` reports the error
listener?.catch(() => undefined)
