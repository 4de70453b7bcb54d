import type { MessagePort } from 'node:worker_threads'
import { parentPort, workerData } from 'node:worker_threads'
import { Counts } from '../calls.ts'
import { groupedWrites } from '../grouped-writes.ts'
import { restoreOnce } from '../recover/at-start.ts'
import { Folder } from './folder.ts'
import { type Batch, Ingest } from './ingest.ts'
import { parseLines } from './lines.ts'
import { telemetryListener } from './listener.ts'
import { Maintenance } from './maintenance.ts'
import { type Ask, requester, serveRequests } from './ports.ts'
import type { ThreadOptions } from './store.ts'

/** The writer thread: ingests what platform components send, and deletes expired records. */
const { folder: path, days, max_bytes, listen }: ThreadOptions = workerData

const folder = new Folder(path, 'write')
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
const write = groupedWrites<Batch[number]>((batch) => ingest.write(batch))
const intake = {
  now: maintenance.now,
  takes: maintenance.takes,
  async write(batch: Batch) {
    await write(batch)
    maintenance.recordWrite(batch.map(({ point }) => point))
  },
}
const listener =
  listen && telemetryListener({ ...listen, intake, counts, ask: (q) => ask!('query', q) })

serveRequests(parentPort!, {
  /** The port it listens on. Throws if it cannot listen. */
  port: async () => (await listener)?.port,
  /** Writes lines of our own. */
  write(database: string, body: string) {
    const { points, errors } = parseLines(body, maintenance.now)
    if (errors.length > 0) throw new Error(errors[0])
    ingest.write(points.map((point) => ({ database, point })))
    maintenance.recordWrite(points)
  },
  /** Sets a day's file aside that the reader found damaged. */
  setAside: (day: number, file_id: number, why: unknown) => folder.reportDamage(day, file_id, why),
  /** Upgrades a day that the reader found to be of an earlier version. */
  upgrade: (day: number) => ingest.upgrade(day),
  maintain: () => maintenance.run(true),
  async metrics() {
    return {
      ...counts.all(),
      bytes: folder.days().reduce((sum, day) => sum + folder.bytes(day), 0),
    }
  },
  async close() {
    await maintenance.stop()
    await (await listener?.catch(() => undefined))?.close()
    folder.close()
    setImmediate(() => process.exit(0))
  },
})
parentPort!.on('message', ({ reader }: { reader?: MessagePort }) => {
  if (reader) ask = requester(reader).ask
})
listener?.catch(() => undefined) // `port` reports the error
