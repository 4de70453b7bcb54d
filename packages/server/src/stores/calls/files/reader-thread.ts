import type { MessagePort } from 'node:worker_threads'
import { parentPort, workerData } from 'node:worker_threads'
import { serveRequests } from '../../kit/ports.ts'
import { streams } from '../../kit/streams.ts'
import { answer, type Query } from '../answer.ts'
import type { CallFilter } from '../store.ts'
import { BadQuery } from '../tokens.ts'
import { Calls } from './calls.ts'
import { Folder } from './folder.ts'
import { Points } from './points.ts'
import { embeddedSource } from './source.ts'
import type { ThreadOptions } from './store.ts'

/** The reader thread. It never writes, so it cannot block ingest. */
const { folder: path, days }: ThreadOptions = workerData

const folder = new Folder(path, 'read')
// only the writer renames files
folder.onDamage = (...damage) => parentPort!.postMessage({ damage })
const calls = new Calls(folder, () => Date.now() - days * 86_400_000)
calls.onOutdated = (outdated) => parentPort!.postMessage({ outdated })
const points = new Points(calls)
const source = embeddedSource(calls, points)

const operations = {
  list: calls.list.bind(calls),
  find: calls.find.bind(calls),
  ofTraces: calls.ofTraces.bind(calls),
  dialed: calls.dialed.bind(calls),
  figures: calls.figures.bind(calls),
  trunks: calls.trunks.bind(calls),
  trunkFailures: calls.trunkFailures.bind(calls),
  attempts: calls.attempts.bind(calls),
  alerts: points.alerts.bind(points),
  /** Closes a day whose file was set aside by the writer. */
  reopen: (day: number) => folder.closeDay(day),
  ...streams((filter: CallFilter) => calls.each(filter)),
  /** Runs a query of a platform component. Returns an error for unsupported queries. */
  async query(query: Query) {
    try {
      return { answer: await answer(source, query) }
    } catch (e) {
      if (e instanceof BadQuery) return { error: e.message }
      throw e
    }
  },
  close() {
    folder.close()
    setImmediate(() => process.exit(0))
  },
}

serveRequests(parentPort!, operations)
// the writer thread forwards queries
parentPort!.on('message', ({ attach }: { attach?: MessagePort }) => {
  if (attach) serveRequests(attach, operations)
})
