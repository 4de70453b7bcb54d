import { t } from '@switchroom/contract'
import { storeThread } from '../../kit/worker.ts'
import type { CaptureMetrics } from '../intake.ts'
import { pcapOf } from '../pcap.ts'
import type { Capture, CaptureStore, Wanted } from '../store.ts'
import { transactionOf } from '../transaction.ts'

export type EmbeddedOptions = {
  folder: string
  /** Older records are deleted. */
  days: number
  /** Above this size the oldest records are deleted. */
  max_bytes: number
  /** The address to listen on for capture agents; undefined to not listen. */
  listen: { host: string; port: number } | undefined
  /** The key that agents must send; undefined for none. */
  key: string | undefined
}

/** Stores SIP captures in local files, in a thread that starts when first needed. */
export function embeddedCaptures(options: EmbeddedOptions) {
  const thread = storeThread(new URL('./thread.ts', import.meta.url), {
    name: t('The store of SIP captures'),
    workerData: options,
    // agents send whether or not anyone listens
    restart: options.listen && (() => thread.ask('port')),
  })
  const find = async (wanted: Wanted): Promise<Capture> => thread.ask('find', wanted)
  return {
    find,
    parentsOf: async (call_id) => thread.ask('parentsOf', call_id),
    invitesSince: async (at) => (options.listen ? thread.ask('invitesSince', at) : []),
    transaction: async (wanted) => transactionOf(await find(wanted)),
    pcap: async (wanted) => pcapOf(await find(wanted)),
    /** Starts listening if configured. Resolves to the port; throws if it is not available. */
    open: async (): Promise<number | undefined> =>
      options.listen ? thread.listen('port') : undefined,
    /** Ingest metrics; undefined until the store is first used. */
    ingested: async (): Promise<CaptureMetrics | undefined> => thread.running()?.ask('metrics'),
    /** Deletes expired records now. */
    forget: async (): Promise<void> => thread.ask('forget'),
    close: thread.close,
  } satisfies CaptureStore & Record<string, unknown>
}
