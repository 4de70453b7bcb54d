import { t } from '@switchroom/contract'
import { clickHouse } from '../../clickhouse/client.ts'
import type { IntakeSettings } from '../../clickhouse/open-intake.ts'
import { storeThread } from '../../kit/worker.ts'
import { type CallStores, type Metrics, NOTHING_WAITS, type WaitingRows } from '../store.ts'
import { clickHouseCalls } from './calls.ts'
import { heldBy } from './held.ts'
import { clickHouseAlerts, clickHousePoints } from './points.ts'

export type ThreadOptions = IntakeSettings & {
  /** The address to listen on for platform components. */
  listen?: { host: string; port: number } | undefined
}

/** Stores call records and alerts in ClickHouse. A thread receives them from components; this one reads. */
export function clickHouseStores(options: ThreadOptions) {
  const db = clickHouse(options.clickhouse)
  const writing = storeThread(new URL('./writer-thread.ts', import.meta.url), {
    name: t('The store of call records'),
    workerData: options,
    // components do not retry failed writes
    restart: () => writing.ask('port'),
  })
  const points = clickHousePoints(db)
  return {
    calls: clickHouseCalls(db, options.days),
    alerts: clickHouseAlerts(points, (database, line) => writing.ask('write', database, line)),
    /** Starts listening if configured. Resolves to the port; throws if it is not available. */
    open: async (): Promise<number | undefined> => writing.listen('port'),
    ingested: async (): Promise<Metrics | undefined> => writing.running()?.ask('metrics'),
    /** Sums all due hours now. */
    maintain: async (): Promise<void> => writing.ask('maintain'),
    holdings: {
      tables: () => heldBy(db, options.clickhouse),
      waiting: async (): Promise<WaitingRows> =>
        (await writing.running()?.ask('waiting')) ?? NOTHING_WAITS,
    },
    async close() {
      await writing.close()
      await db.close()
    },
  } satisfies CallStores & Record<string, unknown>
}
