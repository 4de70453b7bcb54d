import { join } from 'node:path'
import { type Trace, t } from '@switchroom/contract'
import { storeThread } from '../../kit/worker.ts'
import type { TraceMetrics } from '../intake.ts'
import type { Arrivals, TraceStore, WordsPolicy } from '../store.ts'

export type EmbeddedOptions = {
  folder: string
  /** Older records are deleted. */
  days: number
  /** Above this size the oldest records are deleted. */
  max_bytes: number
  /** The addresses to listen on for platform components. */
  listen: { host: string; port: number }[]
  /** What is done with the words of spans until `followWords`. */
  words: WordsPolicy
}

/** Where the figures of conversations are, within the folder of their traces. */
export const voiceFolder = (folder: string) => join(folder, 'voice')

/** Stores traces in local files, in a thread that starts when first needed. */
export function embeddedTraces(options: EmbeddedOptions) {
  const isListening = options.listen.length > 0
  // as a thread that is started again needs it
  const data = { ...options }
  const thread = storeThread(new URL('./thread.ts', import.meta.url), {
    name: t('The store of traces'),
    workerData: data,
    // exporters retry only for a while
    restart: isListening ? () => thread.ask('ports') : undefined,
  })
  const arrivals: Arrivals = {
    // without a port and until it is first used, nothing comes
    due: async (before, limit, except) =>
      isListening || thread.running() ? thread.ask('due', before, limit, except) : [],
    talks: async (trace_ids) => thread.ask('talks', trace_ids),
    done: async (arrivals) => thread.ask('done', arrivals),
  }
  return {
    arrivals,
    async followWords(policy: WordsPolicy) {
      data.words = policy
      await thread.running()?.ask('followWords', policy)
    },
    find: async (trace_id: string): Promise<Trace | undefined> => thread.ask('find', trace_id),
    /** Starts listening if configured. Resolves to the ports; throws if they are not available. */
    open: async (): Promise<number[]> => (isListening ? thread.listen('ports') : []),
    /** Ingest metrics; undefined until the store is first used. */
    ingested: async (): Promise<TraceMetrics | undefined> => thread.running()?.ask('metrics'),
    /** Deletes expired records now. */
    forget: async (): Promise<void> => thread.ask('forget'),
    close: thread.close,
  } satisfies TraceStore & Record<string, unknown>
}
