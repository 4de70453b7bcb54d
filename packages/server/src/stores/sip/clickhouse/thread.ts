import { parentPort, workerData } from 'node:worker_threads'
import { openIntake } from '../../clickhouse/open-intake.ts'
import { serveRequests } from '../../kit/ports.ts'
import { Intake } from '../intake.ts'
import { captureListener } from '../listener.ts'
import { type Captured, MAX_PER_LEG } from '../store.ts'
import { MessageRows } from './captures.ts'
import type { CaptureThreadOptions } from './store.ts'

/** The thread that takes what capture agents send, for ClickHouse. */
const { listen, key, ...settings }: CaptureThreadOptions = workerData

const taken = openIntake('captures', settings, () => new MessageRows())

/** Messages by Call-ID, of those that came last. */
const counts = new Map<string, number>()
const MAX_COUNTED = 50_000
function isWithin({ call_id }: Captured) {
  const count = (counts.get(call_id) ?? 0) + 1
  counts.delete(call_id)
  counts.set(call_id, count)
  if (counts.size > MAX_COUNTED) counts.delete(counts.keys().next().value!)
  return count <= MAX_PER_LEG
}

const intake = new Intake(async (messages) => {
  const kept = messages.filter(isWithin)
  if (kept.length > 0) await taken.write(kept)
  return messages.length - kept.length
}, key)
const listener = listen && captureListener({ ...listen, intake })

serveRequests(parentPort!, {
  /** The port it listens on. Throws if it cannot listen. */
  async port() {
    await taken.begun()
    return (await listener)?.port
  },
  metrics: () => ({ ...intake.counts(), bytes: 0 }),
  waiting: taken.waiting,
  async close() {
    await listener?.then(({ close }) => close()).catch(() => undefined)
    await intake.flush()
    await taken.close()
    setImmediate(() => process.exit(0))
  },
})
// `port` reports the error
listener?.catch(() => undefined)
