import { t } from '@switchroom/contract'
import type { WaitingRows } from '../../calls/store.ts'
import { clickHouse } from '../../clickhouse/client.ts'
import type { IntakeSettings } from '../../clickhouse/open-intake.ts'
import { hasBatches } from '../../kit/batch-spool.ts'
import { storeThread } from '../../kit/worker.ts'
import type { CaptureMetrics } from '../intake.ts'
import { pcapOf } from '../pcap.ts'
import type { CaptureStore } from '../store.ts'
import { transactionOf } from '../transaction.ts'
import { clickHouseMessages } from './captures.ts'

export type CaptureThreadOptions = IntakeSettings & {
  /** The address to listen on for capture agents; undefined to not listen. */
  listen: { host: string; port: number } | undefined
  /** The key that agents must send; undefined for none. */
  key: string | undefined
}

/** Stores SIP captures in ClickHouse. A thread takes what agents send; this one reads. */
export function clickHouseCaptureStore(options: CaptureThreadOptions) {
  const db = clickHouse(options.clickhouse, { what: 'captures' })
  // what waits is delivered, even if nothing is taken any more
  const isNeeded = options.listen !== undefined || hasBatches(options.spool.folder)
  const writing = storeThread(new URL('./thread.ts', import.meta.url), {
    name: t('The store of SIP captures'),
    workerData: options,
    // agents send whether or not anyone listens
    restart: isNeeded ? () => writing.ask('port') : undefined,
  })
  const { find, parentsOf, invitesSince } = clickHouseMessages(db)
  return {
    find,
    parentsOf,
    invitesSince,
    transaction: async (wanted) => transactionOf(await find(wanted)),
    pcap: async (wanted) => pcapOf(await find(wanted)),
    /** Starts listening if configured. Resolves to the port; throws if it is not available. */
    open: async (): Promise<number | undefined> => (isNeeded ? writing.listen('port') : undefined),
    ingested: async (): Promise<CaptureMetrics | undefined> => writing.running()?.ask('metrics'),
    waiting: async (): Promise<WaitingRows | undefined> => writing.running()?.ask('waiting'),
    async close() {
      await writing.close()
      await db.close()
    },
  } satisfies CaptureStore & Record<string, unknown>
}
