import { Worker } from 'node:worker_threads'
import { asking } from '../embedded/ports.ts'
import { StoreUnavailable } from '../unavailable.ts'
import type { CaptureMetrics } from './intake.ts'
import { pcapOf } from './pcap.ts'
import type { Capture, CaptureStore, Wanted } from './store.ts'
import { transactionOf } from './transaction.ts'

export type EmbeddedOptions = {
  folder: string
  /** What is older is forgotten. */
  days: number
  /** What is more is forgotten, the oldest first. */
  max_bytes: number
  /** Where agents send to; undefined: nowhere. */
  listen: { host: string; port: number } | undefined
  /** What agents must say along with it; undefined: nothing. */
  key: string | undefined
}

type Thread = { worker: Worker; ask: ReturnType<typeof asking>['ask']; over: Promise<void> }

/** SIP in files of our own, in a thread that is started when first needed. */
export function embeddedCaptures(options: EmbeddedOptions) {
  let thread: Thread | undefined
  let closing = false

  const started = (): Thread => {
    if (thread) return thread
    if (closing) throw new StoreUnavailable('The store of SIP captures is closed')
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: options,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    })
    const { ask, fail } = asking(worker)
    worker.on('error', (e) => process.stderr.write(`Store of SIP captures: ${e.stack}\n`))
    const over = new Promise<void>((resolve) =>
      worker.once('exit', () => {
        thread = undefined
        fail('The store of SIP captures stopped; it is being started again')
        // agents send without asking whether anybody listens
        if (options.listen && !closing) setTimeout(restart, 1_000)
        resolve()
      }),
    )
    thread = { worker, ask, over }
    return thread
  }

  const restart = () => {
    if (closing) return
    started()
      .ask('port')
      .catch((e: Error) => process.stderr.write(`Ingest of SIP captures: ${e.message}\n`))
  }

  const find = async (wanted: Wanted): Promise<Capture> => started().ask('find', wanted)
  return {
    find,
    transaction: async (wanted) => transactionOf(await find(wanted)),
    pcap: async (wanted) => pcapOf(await find(wanted)),
    /** Listens, where that is wanted. Resolves to the port; throws where it cannot be had. */
    async open(): Promise<number | undefined> {
      if (!options.listen) return undefined
      try {
        return await started().ask('port')
      } catch (e) {
        closing = true
        throw e
      }
    },
    /** What has come in; undefined while nothing was asked or sent. */
    ingested: async (): Promise<CaptureMetrics | undefined> => thread?.ask('metrics'),
    /** Forgets what is due, now. */
    forget: async (): Promise<void> => started().ask('forget'),
    async close() {
      closing = true
      if (!thread) return
      const { ask, over } = thread
      // a thread that has just gone by itself is as closed as one can be
      ask('close').catch(() => undefined)
      await over
    },
  } satisfies CaptureStore & Record<string, unknown>
}
