import { randomInt } from 'node:crypto'
import { t } from '@switchroom/contract'
import type { WaitingRows } from '../../calls/store.ts'
import { clickHouse } from '../../clickhouse/client.ts'
import type { IntakeSettings } from '../../clickhouse/open-intake.ts'
import { hasBatches } from '../../kit/batch-spool.ts'
import { storeThread } from '../../kit/worker.ts'
import type { TraceMetrics } from '../intake.ts'
import type { Arrivals, TraceStore, WordsPolicy } from '../store.ts'
import { clickHouseTraces } from './traces.ts'

export type TraceThreadOptions = IntakeSettings & {
  /** The addresses to listen on for platform components. */
  listen: { host: string; port: number }[]
  /** How spans' words are kept until the first `followWords`. */
  words: WordsPolicy
}

/** Stores traces in ClickHouse. A thread receives them from exporters; this one reads. */
export function clickHouseTraceStore(options: TraceThreadOptions) {
  const db = clickHouse(options.clickhouse, { what: 'traces' })
  // waiting batches are delivered, even if nothing is received any longer
  const isNeeded = options.listen.length > 0 || hasBatches(options.spool.folder)
  // the number identifies arrivals through this process; a restarted thread needs all of these options
  const data = { ...options, process: randomInt(2 ** 32) }
  const writing = storeThread(new URL('./thread.ts', import.meta.url), {
    name: t('The store of traces'),
    workerData: data,
    // exporters retry only for a while
    restart: isNeeded ? () => writing.ask('ports') : undefined,
  })
  const arrivals: Arrivals = {
    due: async (...wanted) => writing.ask('due', ...wanted),
    talks: async (trace_ids) => writing.ask('talks', trace_ids),
    done: async (dealt_with) => writing.ask('done', dealt_with),
  }
  return {
    ...clickHouseTraces(db),
    arrivals,
    async followWords(policy: WordsPolicy) {
      data.words = policy
      await writing.running()?.ask('followWords', policy)
    },
    /** Starts listening if configured. Resolves to the ports; throws if they are not available. */
    open: async (): Promise<number[]> => (isNeeded ? writing.listen('ports') : []),
    ingested: async (): Promise<TraceMetrics | undefined> => writing.running()?.ask('metrics'),
    waiting: async (): Promise<WaitingRows | undefined> => writing.running()?.ask('waiting'),
    /** Sums all due hours of conversations now. */
    maintain: async (): Promise<void> => writing.ask('maintain'),
    async close() {
      await writing.close()
      await db.close()
    },
  } satisfies TraceStore & Record<string, unknown>
}
