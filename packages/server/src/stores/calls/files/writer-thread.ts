import type { MessagePort } from 'node:worker_threads'
import { parentPort, workerData } from 'node:worker_threads'
import { type Ask, requester, serveRequests } from '../../kit/ports.ts'
import { restoreOnce } from '../../recover/at-start.ts'
import { parseLines } from '../lines.ts'
import { telemetryListener } from '../listener.ts'
import { Counts } from '../store.ts'
import { Folder } from './folder.ts'
import { Ingest } from './ingest.ts'
import { Maintenance } from './maintenance.ts'
import { SpooledIngest } from './spooled-ingest.ts'
import type { WriterOptions } from './store.ts'

/** The writer thread: ingests what platform components send, and deletes expired records. */
const { folder: path, spool, days, max_bytes, listen }: WriterOptions = workerData
/** All senders wait so long for the file of one day. */
const BUSY_MS = 1_000

const folder = new Folder(path, 'write', BUSY_MS)
const ingest = new Ingest(folder)
// the reader still has the file that was set aside
folder.onDamage = (day) => parentPort!.postMessage({ replaced: day })
const counts = new Counts()
const maintenance = new Maintenance({
  folder,
  ingest,
  days,
  max_bytes,
  restore: (isStopped) => restoreOnce('calls', path, isStopped),
})
let ask: Ask | undefined
const spooled = new SpooledIngest({
  ingest,
  folder: spool,
  isExpired: maintenance.isExpired,
  onWritten: (points) => maintenance.recordWrite(points),
})
const intake = { now: maintenance.now, takes: maintenance.takes, write: spooled.write }
const listener =
  listen && telemetryListener({ ...listen, intake, counts, ask: (q) => ask!('query', q) })

serveRequests(parentPort!, {
  /** The port it listens on. Throws if it cannot listen. */
  port: async () => (await listener)?.port,
  /** Writes lines of our own. */
  async write(database: string, body: string) {
    const { points, errors } = parseLines(body, maintenance.now)
    if (errors.length > 0) throw new Error(errors[0])
    await spooled.write(points.map((point) => ({ database, point })))
  },
  /** Sets a day's file aside that the reader found damaged. */
  setAside: (day: number, file_id: number, why: unknown) => folder.reportDamage(day, file_id, why),
  /** Upgrades a day that the reader found to be of an earlier version. */
  upgrade: (day: number) => ingest.upgrade(day),
  async maintain() {
    await spooled.drain()
    await maintenance.run(true)
  },
  /** What waits for its day's file, and why. */
  waiting: () => spooled.waiting(),
  async metrics() {
    return {
      ...counts.all(),
      bytes: folder.days().reduce((sum, day) => sum + folder.bytes(day), 0),
    }
  },
  async close() {
    await maintenance.stop()
    await (await listener?.catch(() => undefined))?.close()
    await spooled.close()
    folder.close()
    setImmediate(() => process.exit(0))
  },
})
parentPort!.on('message', ({ reader }: { reader?: MessagePort }) => {
  if (reader) ask = requester(reader).ask
})
listener?.catch(() => undefined) // `port` reports the error
