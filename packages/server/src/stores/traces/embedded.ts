import { Worker } from 'node:worker_threads'
import type { Trace } from '@switchroom/contract'
import { asking } from '../embedded/ports.ts'
import { StoreUnavailable } from '../unavailable.ts'
import type { TraceMetrics } from './intake.ts'
import type { TraceStore } from './store.ts'

export type EmbeddedOptions = {
  folder: string
  /** What is older is forgotten. */
  days: number
  /** What is more is forgotten, the oldest first. */
  max_bytes: number
  /** Where platform components send to. */
  listen: { host: string; port: number }[]
}

type Thread = { worker: Worker; ask: ReturnType<typeof asking>['ask']; over: Promise<void> }

/** Traces in files of our own, in a thread that is started when first needed. */
export function embeddedTraces(options: EmbeddedOptions) {
  let thread: Thread | undefined
  let closing = false

  const started = (): Thread => {
    if (thread) return thread
    if (closing) throw new StoreUnavailable('The store of traces is closed')
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: options,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    })
    const { ask, fail } = asking(worker)
    worker.on('error', (e) => process.stderr.write(`Store of traces: ${e.stack}\n`))
    const over = new Promise<void>((resolve) =>
      worker.once('exit', () => {
        thread = undefined
        fail('The store of traces stopped; it is being started again')
        // exporters send again for a while only
        if (options.listen.length > 0 && !closing) setTimeout(restart, 1_000)
        resolve()
      }),
    )
    thread = { worker, ask, over }
    return thread
  }

  const restart = () => {
    if (closing) return
    started()
      .ask('ports')
      .catch((e: Error) => process.stderr.write(`Ingest of traces: ${e.message}\n`))
  }

  const find = async (trace_id: string): Promise<Trace | undefined> =>
    started().ask('find', trace_id)
  return {
    find,
    /** Listens, where that is wanted. Resolves to the ports; throws where they cannot be had. */
    async open(): Promise<number[]> {
      if (options.listen.length === 0) return []
      try {
        return await started().ask('ports')
      } catch (e) {
        closing = true
        throw e
      }
    },
    /** What has come in; undefined while nothing was asked or sent. */
    ingested: async (): Promise<TraceMetrics | undefined> => thread?.ask('metrics'),
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
  } satisfies TraceStore & Record<string, unknown>
}
