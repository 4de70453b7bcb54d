import { storeThread } from '../worker.ts'
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

/** SIP in files of our own, in a thread that is started when first needed. */
export function embeddedCaptures(options: EmbeddedOptions) {
  const thread = storeThread(new URL('./thread.ts', import.meta.url), {
    name: 'The store of SIP captures',
    workerData: options,
    // agents send without asking whether anybody listens
    restart: options.listen && (() => thread.ask('port')),
  })
  const find = async (wanted: Wanted): Promise<Capture> => thread.ask('find', wanted)
  return {
    find,
    transaction: async (wanted) => transactionOf(await find(wanted)),
    pcap: async (wanted) => pcapOf(await find(wanted)),
    /** Listens, where that is wanted. Resolves to the port; throws where it cannot be had. */
    open: async (): Promise<number | undefined> =>
      options.listen ? thread.listen('port') : undefined,
    /** What has come in; undefined while nothing was asked or sent. */
    ingested: async (): Promise<CaptureMetrics | undefined> => thread.running()?.ask('metrics'),
    /** Forgets what is due, now. */
    forget: async (): Promise<void> => thread.ask('forget'),
    close: thread.close,
  } satisfies CaptureStore & Record<string, unknown>
}
