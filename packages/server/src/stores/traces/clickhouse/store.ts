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
  /** What is done with the words of spans until `followWords`. */
  words: WordsPolicy
}

/** Stores traces in ClickHouse. A thread takes what exporters send; this one reads. */
export function clickHouseTraceStore(options: TraceThreadOptions) {
  const db = clickHouse(options.clickhouse, { what: 'traces' })
  // what waits is delivered, even if nothing is taken any more
  const isNeeded = options.listen.length > 0 || hasBatches(options.spool.folder)
  // by its own number, this process knows what came through it; a thread that is started again needs all of it
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
    /** Sums now what can be summed of conversations. */
    maintain: async (): Promise<void> => writing.ask('maintain'),
    async close() {
      await writing.close()
      await db.close()
    },
  } satisfies TraceStore & Record<string, unknown>
}
