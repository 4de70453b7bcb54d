import type { Trace } from '@switchroom/contract'
import { storeThread } from '../worker.ts'
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

/** Traces in files of our own, in a thread that is started when first needed. */
export function embeddedTraces(options: EmbeddedOptions) {
  const isListening = options.listen.length > 0
  const thread = storeThread(new URL('./thread.ts', import.meta.url), {
    name: 'The store of traces',
    workerData: options,
    // exporters send again for a while only
    restart: isListening ? () => thread.ask('ports') : undefined,
  })
  return {
    find: async (trace_id: string): Promise<Trace | undefined> => thread.ask('find', trace_id),
    /** Listens, where that is wanted. Resolves to the ports; throws where they cannot be had. */
    open: async (): Promise<number[]> => (isListening ? thread.listen('ports') : []),
    /** What has come in; undefined while nothing was asked or sent. */
    ingested: async (): Promise<TraceMetrics | undefined> => thread.running()?.ask('metrics'),
    /** Forgets what is due, now. */
    forget: async (): Promise<void> => thread.ask('forget'),
    close: thread.close,
  } satisfies TraceStore & Record<string, unknown>
}
